//! The analyser keeps only so much of everything. Where a bound is reached, either what lies behind
//! it is still seen, or the answer says that it is not known.

mod support;

use herma_shell::{Analysis, FactKind, Status};
use support::{Machine, each};

/// Analyses text on a machine on which there is one program.
fn run(text: &str) -> Analysis {
    let machine = Machine::default().with("/bin/zz9", b"\x7fELF\0\0".as_slice());
    support::run(text, &machine)
}

fn runs_zz9(analysis: &Analysis) -> bool {
    analysis
        .executions
        .iter()
        .any(|execution| execution.program().as_deref() == Some(b"zz9"))
}

fn is_said(analysis: &Analysis) -> bool {
    analysis.status == Status::NotUnderstood
        || analysis.facts.iter().any(|fact| {
            matches!(
                fact.kind,
                FactKind::CommandUnresolved | FactKind::CodeUnresolved
            )
        })
}

#[track_caller]
fn seen_or_said(text: &str) {
    let analysis = run(text);
    assert!(
        runs_zz9(&analysis) || is_said(&analysis),
        "{}",
        text.get(..60).unwrap_or(text)
    );
}

/// Ten branches, the last of which is `last`.
fn branches(of: impl Fn(usize) -> String, last: &str) -> String {
    let arms = each(9, |number| format!("{number}) {};; ", of(number)));
    format!("case $1 in {arms}*) {last};; esac")
}

#[test]
fn a_tenth_body_of_a_function_is_seen_or_said() {
    let cases = branches(|n| format!("f() {{ true {n}; }}"), "f() { \"$1\" 1; }");
    seen_or_said(&format!("{cases}; f zz9"));
}

#[test]
fn a_tenth_meaning_of_an_alias_is_seen_or_said() {
    let cases = branches(|n| format!("alias f='true {n}'"), "alias f='zz9'");
    seen_or_said(&format!("shopt -s expand_aliases\n{cases}\nf"));
}

#[test]
fn a_long_chain_of_aliases_is_seen_or_said() {
    let chain = each(20, |n| format!("alias a{n}=a{}\n", n + 1));
    seen_or_said(&format!(
        "shopt -s expand_aliases\n{chain}alias a20=zz9\na0"
    ));
}

#[test]
fn the_last_of_many_array_elements_is_seen_or_said() {
    let many = "x ".repeat(5_000);
    seen_or_said(&format!("a=({many}zz9); \"${{a[@]:5000}}\""));
    seen_or_said(&format!("a=({many}); a+=(zz9); \"${{a[@]:5000}}\""));
    seen_or_said(&format!("a=({many}$(zz9))"));
    let set = each(4_100, |n| format!("a[{n}]=x;"));
    seen_or_said(&format!("{set}a[4100]=zz9; ${{a[4100]}}"));
}

#[test]
fn a_slice_behind_words_that_cannot_be_counted_is_not_empty() {
    seen_or_said("a=($(generate) x); \"${a[@]:3}\" 1");
    seen_or_said("set -- $(generate); \"${@:4}\" 1");
}

#[test]
fn the_last_of_many_exported_names_is_seen_or_said() {
    let exports = each(70, |n| format!("export A{n}=1;"));
    seen_or_said(&format!("{exports}export X=zz9; sh -c '$X 1'"));
}

#[test]
fn the_last_of_many_written_files_is_seen_or_said() {
    let files = each(1_030, |n| format!("echo a > f{n};"));
    seen_or_said(&format!("{files}echo zz9 > last; sh last"));
}

#[test]
fn many_readings_of_a_file_are_seen_or_said() {
    let readings = each(80, |n| {
        format!("if x; then echo true {n} $A >> s; else echo b >> s; fi;")
    });
    seen_or_said(&format!("{readings}if x; then echo zz9 > s; fi; sh s"));
}

#[test]
fn scripts_of_the_line_that_call_each_other_are_seen_or_said() {
    let chain = each(10, |n| format!("echo 'sh s{}' > s{n};", n + 1));
    seen_or_said(&format!("{chain}echo zz9 > s10; sh s0"));
}

#[test]
fn a_script_of_the_line_that_runs_itself_with_other_words_is_seen_or_said() {
    seen_or_said("echo '$1 x; sh s zz9' > s; sh s true");
    assert!(!is_said(&run("echo 'sh s' > s; sh s")));
}

#[test]
fn a_directory_far_back_in_the_path_is_looked_into() {
    let path = each(20, |n| format!("/tmp/{n}:"));
    seen_or_said(&format!("PATH={path}/tmp/z; echo zz9 > /tmp/z/foo; foo"));
}

#[test]
fn a_copy_of_a_program_that_is_there_is_the_program() {
    assert!(runs_zz9(&run("cp /bin/zz9 x; ./x 1")));
    assert!(runs_zz9(&run("ln -s /bin/zz9 x; ./x 1")));
}

#[test]
fn long_chains_and_many_names_in_arithmetic_are_seen_or_said() {
    let chain = each(20, |n| format!("x{n}=x{};", n + 1));
    seen_or_said(&format!("{chain}x20='a[$(zz9)]'; echo $((x0))"));
    let names = each(70, |n| format!("x{n}=1;"));
    let sum = each(70, |n| format!("x{n}+"));
    seen_or_said(&format!("{names}x99='a[$(zz9)]'; echo $(({sum}x99))"));
}

#[test]
fn the_last_of_many_arguments_of_parallel_is_seen_or_said() {
    let words = each(80, |n| format!("true{n} "));
    seen_or_said(&format!("parallel {{}} 1 ::: {words}zz9"));
}

#[test]
fn many_unknown_words_before_a_shells_text_are_said() {
    seen_or_said("bash $(a) $(b) $(c) $(d) $(e) $(f) -c 'zz9 1'");
}

#[test]
fn a_program_behind_options_that_no_table_has_is_seen() {
    let options = each(8, |n| format!("--new{n} word "));
    assert!(runs_zz9(&run(&format!("nice {options}zz9 1"))));
}

#[test]
fn lines_behind_very_many_are_seen_or_said() {
    let lines = "echo true;".repeat(1_100);
    seen_or_said(&format!(
        "{{ {lines} echo $A; echo zz9; }} | while read -r l; do $l; done"
    ));
}

#[test]
fn the_directory_before_depends_on_the_branch() {
    let analysis = run("cd /tmp/a; if x; then cd /; cd /tmp/a; fi; cd -; zz9");
    let zz9 = analysis
        .executions
        .iter()
        .find(|execution| execution.program().as_deref() == Some(b"zz9"))
        .expect("zz9 runs");
    assert!(!zz9.cwd.is_known());
}

#[test]
fn a_directory_that_no_system_call_takes_is_not_known() {
    for text in ["mkdir x && cd x\n", "cd x\n", "pushd x\n", "cd $A/x\n"] {
        let analysis = run(&(text.repeat(3_000) + "rm -rf y"));
        let longest = analysis
            .executions
            .iter()
            .map(|execution| execution.cwd.known_prefix().len())
            .max();
        assert!(longest <= Some(4096), "{text}: {longest:?}");
        let pieces = |execution: &herma_shell::Execution| execution.cwd.pieces.len();
        let parts = analysis.executions.iter().map(pieces).max();
        assert!(parts <= Some(64), "{text}: {parts:?}");
    }
}

#[test]
fn executions_in_one_directory_share_it() {
    let analysis = run(&format!("cd {}\n{}", "a/".repeat(1_000), "ls a\nls b\n"));
    let [.., one, two] = analysis.executions.as_slice() else {
        panic!("two executions");
    };
    assert!(std::sync::Arc::ptr_eq(&one.cwd, &two.cwd));
}

/// The work for a text of twice the length is about twice the work.
#[track_caller]
fn in_proportion(text: impl Fn(usize) -> String) {
    let work = |count| {
        let text = text(count);
        run(&text).work * 1_000 / text.len() as u64
    };
    let (once, twice) = (work(1_000), work(2_000));
    assert!(twice <= once + once / 10, "{once} and {twice} for each KB");
}

#[test]
fn work_is_in_proportion_to_the_length() {
    in_proportion(|n| "mkdir x && cd x\n".repeat(n));
    in_proportion(|n| format!("f() {{ local {}; }}; f", each(n, |i| format!("v{i} "))));
    in_proportion(|n| format!("export {}", each(n, |i| format!("v{i}=1 "))));
    in_proportion(|n| format!("cd {}\n{}", "a/".repeat(100), "ls\n".repeat(n)));
    in_proportion(|n| each(n, |i| format!("echo a > f{i}; cd x; cd ..\n")));
}
