use herma_shell::{Arg, Origin, Span, Value};

use super::Arguments;

fn argv(line: &str) -> Vec<Arg> {
    line.split(' ')
        .map(|word| Arg {
            value: match word {
                "?" => Value::unknown(Origin::Other),
                word => Value::computed(word.as_bytes()),
            },
            span: Span::default(),
        })
        .collect()
}

fn operands(line: &str) -> Vec<String> {
    let argv = argv(line);
    let name = line.split(' ').next().unwrap();
    let arguments = Arguments::read(name, &argv);
    arguments
        .operands_from(0)
        .map(|word| String::from_utf8(word.to_vec()).unwrap())
        .collect()
}

fn has(line: &str, name: &'static str, value: Option<&'static str>) -> bool {
    let argv = argv(line);
    let program = line.split(' ').next().unwrap();
    Arguments::read(program, &argv).has(name, value)
}

#[test]
fn operands_of_options_are_no_operands() {
    assert_eq!(
        operands("git -C x -c a=b reset --hard HEAD"),
        ["reset", "HEAD"]
    );
    assert_eq!(operands("git --git-dir=x reset"), ["reset"]);
    assert_eq!(operands("docker -H tcp://h ps -a"), ["ps"]);
    assert_eq!(
        operands("docker run -v a:b --rm img ls -l"),
        ["run", "img", "ls", "-l"]
    );
}

#[test]
fn options_of_a_subcommand_are_its_own_where_the_program_says_so() {
    assert_eq!(operands("git branch -C old new"), ["branch", "old", "new"]);
    assert_eq!(operands("git push -o x origin"), ["push", "origin"]);
}

#[test]
fn letters_are_found_in_bundles_up_to_one_with_an_operand() {
    assert!(has("git push -uf origin", "-f", None));
    assert!(has("sudo -kS id", "-S", None));
    assert!(!has("sudo -uS id", "-S", None), "the user's name");
    assert!(!has("sudo -u S id", "-S", None));
    assert!(!has("date -Iseconds", "-s", None), "the rest is the value");
}

#[test]
fn options_end_where_the_program_ends_them() {
    assert!(!has("sudo ls -S", "-S", None));
    assert!(
        has("sudo A=1 -S id", "-S", None),
        "assignments do not end them"
    );
    assert!(!has("git push -- -f", "-f", None));
    assert!(!has("docker run img -v", "-v", None));
}

#[test]
fn long_options_may_be_cut_short_where_the_program_takes_that() {
    assert!(has("git reset --ha", "--hard", None));
    assert!(has("sudo --std id", "--stdin", None));
    assert!(!has("docker rm --forc x", "--force", None));
    assert!(!has("git push --force-with-lease", "--force", None));
}

#[test]
fn values_are_compared_attached_or_not() {
    assert!(has("curl -XDELETE u", "-X", Some("DELETE")));
    assert!(has("curl -X DELETE u", "-X", Some("DELETE")));
    assert!(has("curl --request=DELETE u", "--request", Some("DELETE")));
    assert!(!has("curl -X POST u", "-X", Some("DELETE")));
    assert!(has("kubectl scale x --replicas 0", "--replicas", Some("0")));
}

#[test]
fn words_of_windows_and_single_dash_programs_are_options() {
    assert!(has("taskkill /F /IM x", "/f", None));
    assert!(has("remove-item -Rec x", "-Recurse", None));
    assert!(has("terraform apply -auto-approve", "-auto-approve", None));
}

#[test]
fn an_unknown_word_is_no_option() {
    assert!(!has("git push ?", "--force", None));
    assert_eq!(operands("git ? push"), ["push"]);
}
