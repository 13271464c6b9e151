//! The hostile command lines.

use super::Wanted;

/// One command line.
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) wanted: Wanted,
    text: Text,
}

enum Text {
    Written(&'static str),
    Made(fn() -> String),
    Bytes(fn() -> Vec<u8>),
}

impl Input {
    /// The command line.
    pub(super) fn text(&self) -> Vec<u8> {
        match self.text {
            Text::Written(text) => text.into(),
            Text::Made(make) => make().into(),
            Text::Bytes(make) => make(),
        }
    }
}

/// All of them.
pub(super) fn inputs() -> impl Iterator<Item = &'static Input> {
    [OPEN, NESTED, GROWING, LONG, COUPLED, BYTES]
        .into_iter()
        .flatten()
}

/// The size of most inputs, in bytes.
const SIZE: usize = 128 * 1024;

const fn answered(name: &'static str, text: Text) -> Input {
    Input {
        name,
        wanted: Wanted::Answer,
        text,
    }
}

const fn stopped(name: &'static str, text: Text) -> Input {
    Input {
        name,
        wanted: Wanted::NotAllow,
        text,
    }
}

/// Constructs that nothing closes.
static OPEN: &[Input] = &[
    stopped("semicolons", Text::Made(|| repeated(";", SIZE))),
    stopped("open substitutions", Text::Made(|| repeated("$(", SIZE))),
    answered("backticks", Text::Made(|| repeated("`", SIZE))),
    answered(
        "escaped backticks",
        Text::Made(|| format!("`{}`", repeated("\\`", SIZE))),
    ),
    stopped(
        "open double quotes and substitutions",
        Text::Made(|| repeated("\"$(", SIZE)),
    ),
    stopped("open parameters", Text::Made(|| repeated("${x:-", SIZE))),
    stopped("open arithmetic", Text::Made(|| repeated("$((", SIZE))),
    stopped("open parentheses", Text::Made(|| repeated("(", SIZE))),
    stopped("open braces", Text::Made(|| repeated("{ ", SIZE))),
    stopped("open conditionals", Text::Made(|| repeated("[[ ", SIZE))),
    stopped(
        "open process substitutions",
        Text::Made(|| repeated("<(", SIZE)),
    ),
    stopped("input redirections", Text::Made(|| repeated("<", SIZE))),
    stopped(
        "open loops",
        Text::Made(|| repeated("for i in a; do ", SIZE)),
    ),
    answered(
        "chain of shells",
        Text::Made(|| format!("{}reboot", "sh -c \"eval ".repeat(300))),
    ),
];

/// Constructs in constructs.
static NESTED: &[Input] = &[
    answered(
        "deep braces",
        Text::Made(|| format!("echo {}", nested("{a,", "b", "}", 40_000))),
    ),
    answered(
        "while nest",
        Text::Made(|| {
            format!(
                "{}:{}",
                "while :; do ".repeat(8_000),
                "; done".repeat(8_000)
            )
        }),
    ),
    answered(
        "if nest",
        Text::Made(|| format!("{}:{}", "if :; then ".repeat(8_000), "; fi".repeat(8_000))),
    ),
    answered(
        "case nest",
        Text::Made(|| {
            format!(
                "{}:{}",
                "case x in x) ".repeat(8_000),
                ";; esac".repeat(8_000)
            )
        }),
    ),
    stopped(
        "10,000 nested substitutions",
        Text::Made(|| nested("$(", "rm -rf /", ")", 10_000)),
    ),
    stopped(
        "100 nested substitutions",
        Text::Made(|| nested("echo $(", "rm -rf /", ")", 100)),
    ),
    stopped(
        "60 nested quoted substitutions",
        Text::Made(|| nested("\"$(echo ", "$(rm -rf /)", ")\"", 60)),
    ),
    answered(
        "extended globs",
        Text::Made(|| {
            format!(
                "shopt -s extglob\necho {}",
                nested("+(a|", "b", ")", 10_000)
            )
        }),
    ),
    answered(
        "arithmetic",
        Text::Made(|| format!(": $(({}1{}))", "(".repeat(20_000), ")".repeat(20_000))),
    ),
    answered(
        "subscripts",
        Text::Made(|| format!(": $(({}0{}))", "a[".repeat(20_000), "]".repeat(20_000))),
    ),
    stopped(
        "nested shells",
        Text::Made(|| {
            let mut text = "reboot".to_owned();
            for _ in 0..12 {
                text = format!("sh -c '{}'", text.replace('\'', "'\\''"));
            }
            text
        }),
    ),
    stopped(
        "loops in loops",
        Text::Made(|| {
            format!(
                "{}reboot{}",
                "for i in 1 2 3 4 5 6 7 8 9; do ".repeat(100),
                "; done".repeat(100)
            )
        }),
    ),
    answered(
        "inline code",
        Text::Made(|| format!("python3 -c '{}'", "(".repeat(100_000))),
    ),
    stopped(
        "layers of base64",
        Text::Made(|| {
            let mut text = "reboot".to_owned();
            for _ in 0..12 {
                text = format!("echo {} | base64 -d | sh", encoded(text.as_bytes()));
            }
            text
        }),
    ),
];

/// Values and calls that double, or never end.
static GROWING: &[Input] = &[
    stopped(
        "doubling variable",
        Text::Made(|| format!("a=x; {} $a rm -rf /", "a=$a$a; ".repeat(10_000))),
    ),
    stopped(
        "doubling by eval",
        Text::Made(|| format!("a=reboot; {}eval $a", "a=\"eval $a; $a\"; ".repeat(200))),
    ),
    answered(
        "doubling array",
        Text::Made(|| format!("a=(x); {}\"${{a[@]}}\"", "a+=(\"${a[@]}\"); ".repeat(1_000))),
    ),
    answered(
        "multiplied braces",
        Text::Made(|| format!("echo {}", "{a,b}".repeat(5_000))),
    ),
    answered("endless range", Text::Written("echo {1..1000000000}")),
    answered(
        "multiplied ranges",
        Text::Made(|| format!("echo {}", "{1..9999999}".repeat(1_000))),
    ),
    answered(
        "range with steps",
        Text::Written("echo {1..1000000000..1} {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}"),
    ),
    stopped(
        "hidden behind a range",
        Text::Written("{1..1000000000}; rm -rf /"),
    ),
    answered(
        "100,000 functions",
        Text::Made(|| (0..100_000).map(|n| format!("f{n}(){{ :;}}\n")).collect()),
    ),
    stopped(
        "doubling functions",
        Text::Made(|| {
            let calls: String = (1..2_000)
                .map(|n| format!("f{n}(){{ f{0}; f{0}; }}\n", n - 1))
                .collect();
            format!("f0(){{ rm -rf /; }}\n{calls}f1999")
        }),
    ),
    answered("endless recursion", Text::Written("f(){ f; f; }; f")),
    stopped(
        "mutual recursion",
        Text::Written("f(){ g; }; g(){ f; }; f; reboot"),
    ),
    stopped(
        "alias loop",
        Text::Written("shopt -s expand_aliases\nalias a=b\nalias b=a\na\nb\nreboot"),
    ),
    stopped(
        "doubling aliases",
        Text::Made(|| {
            let lines: String = (1..60)
                .map(|n| format!("alias a{n}='a{0}; a{0}'\n", n - 1))
                .collect();
            format!("shopt -s expand_aliases\nalias a0=reboot\n{lines}a59\n")
        }),
    ),
    answered(
        "words times words",
        Text::Made(|| {
            format!(
                "x='{}'; {}",
                "a ".repeat(1_000),
                "echo $x$x$x$x; ".repeat(1_000)
            )
        }),
    ),
    answered(
        "replacements",
        Text::Made(|| format!("x={}; {}", "a".repeat(1_000), "x=${x//a/aa}; ".repeat(100))),
    ),
    answered(
        "suffix patterns",
        Text::Made(|| {
            format!(
                "x={}; y=${{x%%{}b}}; $y",
                "a".repeat(20_000),
                "*a".repeat(2_000)
            )
        }),
    ),
    stopped(
        "indirection loop",
        Text::Written("a=b; b=a; ${!a} ${!b}; declare -n c=d; declare -n d=c; $c; reboot"),
    ),
];

/// Long lists of words and commands.
static LONG: &[Input] = &[
    answered("one word", Text::Made(|| repeated("a", SIZE))),
    answered(
        "50,000 words",
        Text::Made(|| format!("echo {}", "ab ".repeat(50_000))),
    ),
    stopped(
        "danger behind 50,000 words",
        Text::Made(|| format!("echo {}; rm -rf /", "ab ".repeat(50_000))),
    ),
    stopped(
        "2,000 here-documents on a line",
        Text::Made(|| {
            let heads: String = (0..2_000).map(|n| format!(" <<E{n}")).collect();
            let bodies: String = (0..2_000).map(|n| format!("text\nE{n}\n")).collect();
            format!("cat{heads}\n{bodies}reboot\n")
        }),
    ),
    answered(
        "here-document without end",
        Text::Made(|| format!("cat <<E\n{}", repeated("text\n", 1 << 20))),
    ),
    answered(
        "1 MB here-document",
        Text::Made(|| {
            format!(
                "cat <<'E'\n{}\nE\n",
                repeated("some text of a line\n", 1 << 20)
            )
        }),
    ),
    answered(
        "1 MB expanding here-document",
        Text::Made(|| format!("cat <<E\n{}\nE\n", repeated("a $x ${y} `z` b\n", 1 << 20))),
    ),
    answered(
        "pipeline",
        Text::Made(|| format!("cat{}", " | cat".repeat(20_000))),
    ),
    stopped(
        "pipeline into a shell",
        Text::Made(|| format!("echo reboot{} | sh", " | cat".repeat(20_000))),
    ),
    answered(
        "and-or list",
        Text::Made(|| format!("true{}", " && true || false".repeat(7_000))),
    ),
    stopped(
        "assignments",
        Text::Made(|| format!("{}reboot", "a=1 ".repeat(30_000))),
    ),
    stopped(
        "redirections",
        Text::Made(|| format!("reboot{}", " >f".repeat(40_000))),
    ),
    stopped(
        "backslash newlines",
        Text::Made(|| format!("re{}boot", "\\\n".repeat(60_000))),
    ),
    answered(
        "line continuation in here-document",
        Text::Made(|| format!("cat <<E\n{}E\nreboot\n", "a\\\n".repeat(40_000))),
    ),
    stopped(
        "chain of carriers",
        Text::Made(|| format!("{}reboot", "env nice nohup ".repeat(3_000))),
    ),
    answered(
        "globs",
        Text::Made(|| format!("{} -rf /", "*".repeat(60_000))),
    ),
    answered(
        "inline strings",
        Text::Made(|| {
            format!(
                "python3 -c \"import os; os.system({}'reboot')\"",
                "'' + ".repeat(20_000)
            )
        }),
    ),
];

/// Something large that many commands behind it touch.
static COUPLED: &[Input] = &[
    answered(
        "large exported variables and many commands",
        Text::Made(|| {
            let doubled = "a=xxxxxxxxxxxx; ".to_owned() + &"a=$a$a; ".repeat(14);
            let exported: String = (0..60).map(|n| format!("export v{n}=$a; ")).collect();
            format!("{doubled}{exported}{}", "true a; ".repeat(4_000))
        }),
    ),
    answered(
        "braces in front of many expansions",
        Text::Made(|| format!("echo {{1..1000}}{}", " $a".repeat(20_000))),
    ),
    answered(
        "many assignments and many scripts",
        Text::Made(|| {
            let assigned: String = (0..10_000).map(|n| format!("v{n}=1; ")).collect();
            format!("{assigned}{}", "sh a; ".repeat(2_000))
        }),
    ),
    answered(
        "links to many operands",
        Text::Made(|| {
            let operands: String = (0..8_000).map(|n| format!("f{n} ")).collect();
            format!("ln {operands}")
        }),
    ),
    answered(
        "many arms",
        Text::Made(|| {
            let arms: String = (0..8_000).map(|n| format!("{n}) a;; ")).collect();
            format!("case $x in {arms}esac")
        }),
    ),
    answered(
        "many parameters and shifts",
        Text::Made(|| {
            let words: String = (0..4_000).map(|n| format!(" w{n}")).collect();
            format!("set --{words}; {}", "shift; ".repeat(4_000))
        }),
    ),
    answered(
        "many descriptors and copies",
        Text::Made(|| {
            let opened: String = (3..40)
                .map(|n| format!("exec {n}< <(echo {n}); "))
                .collect();
            format!("{opened}{}", "exec 3<&4; ".repeat(2_000))
        }),
    ),
    answered(
        "calls with many words",
        Text::Made(|| {
            // The words stand in a variable, so that the text stays short.
            let words: String = (0..4_000).map(|n| format!("w{n} ")).collect();
            format!("f() {{ :; }}; a='{words}'; {}", "f $a; ".repeat(500))
        }),
    ),
    answered(
        "a long PATH and many commands",
        Text::Made(|| {
            let path: String = (0..800).map(|n| format!("/opt/d{n:03}:")).collect();
            format!("PATH={path}; {}", "ls a; ".repeat(4_000))
        }),
    ),
];

/// Bytes that are no text.
static BYTES: &[Input] = &[
    answered("NUL inside a name", Text::Written("re\0boot")),
    stopped("danger behind a NUL", Text::Written("echo a\0; reboot")),
    answered("NULs", Text::Made(|| "\0".repeat(SIZE))),
    stopped(
        "invalid UTF-8",
        Text::Bytes(|| [b"echo ".as_slice(), &[0xff, 0xfe, 0xc3], b"; reboot"].concat()),
    ),
    answered(
        "bytes from 128 on",
        Text::Bytes(|| (0..SIZE).map(|n| 128 | (n % 128) as u8).collect()),
    ),
    answered(
        "every byte",
        Text::Bytes(|| (0..=255).cycle().take(SIZE).collect()),
    ),
    answered("empty", Text::Written("")),
    answered("4 MB", Text::Bytes(|| vec![b'a'; 4 << 20])),
];

fn repeated(part: &str, bytes: usize) -> String {
    part.repeat(bytes.div_ceil(part.len()))
}

fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

fn encoded(bytes: &[u8]) -> String {
    crate::oracle::base64(&String::from_utf8_lossy(bytes))
}
