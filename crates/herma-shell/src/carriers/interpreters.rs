//! Interpreters of languages that are analysed: inline code, files, standard input.

use crate::code::Language;
use crate::execution::Arg;
use crate::value::{Origin, Value};

use super::options::{Scan, Spec, scan};
use super::privilege::argv_span;
use super::shells::{family, is_stdin};
use super::words::behind;
use super::{Command, Payload, Step};

/// How an interpreter is told what to run.
struct Interpreter {
    names: &'static [&'static str],
    language: Language,
    spec: Spec,
    /// Options whose operand is code.
    code: &'static [&'static str],
    /// Options whose operand is a file that runs.
    files: &'static [&'static str],
    /// Options that make it run nothing.
    queries: &'static [&'static str],
    /// The first operand is data when code was given (`perl -ne … file`), else a script.
    reads_stdin: bool,
}

static INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &["perl", "raku"],
        language: Language::Perl,
        spec: Spec::new("e:E:I:M:m:F::i::x::V::D::anpsStTuUvwWXch", "help version"),
        code: &["e", "E"],
        files: &[],
        queries: &["v", "V", "h", "help", "version"],
        reads_stdin: true,
    },
    Interpreter {
        names: &["ruby", "jruby", "truffleruby", "irb"],
        language: Language::Ruby,
        spec: Spec::new(
            "e:I:r:C:X:E:F::K::x::W::T::i::aclnpsSvwyhUd",
            "encoding= external-encoding= internal-encoding= enable= disable= debug \
         verbose version help copyright yjit? jit? dump= parser= backtrace-limit=",
        ),
        code: &["e"],
        files: &["r"],
        queries: &["version", "help", "h", "c", "copyright"],
        reads_stdin: true,
    },
    Interpreter {
        names: &["node", "nodejs", "tsx", "ts-node", "iojs"],
        language: Language::JavaScript,
        spec: Spec::new(
            "e:p::r:C:chivP:O:T",
            "eval= print? require= import= loader= experimental-loader= conditions= \
         input-type= env-file= env-file-if-exists= check interactive version help \
         inspect? inspect-brk? inspect-wait? inspect-port= title= icu-data-dir= \
         openssl-config= redirect-warnings= diagnostic-dir= trace-event-categories= \
         test watch watch-path= experimental-default-type= unhandled-rejections= \
         stack-trace-limit= cpu-prof-dir= heap-prof-dir= max-old-space-size= \
         no-warnings test-name-pattern= test-reporter= run= project= \
         compiler-options= tsconfig= transpile-only cwd= files",
        ),
        code: &["e", "eval", "p", "print"],
        files: &["r", "require", "import", "loader", "experimental-loader"],
        queries: &["v", "version", "h", "help", "c", "check"],
        reads_stdin: true,
    },
    Interpreter {
        names: &["php", "php-cli", "php-cgi", "hhvm"],
        language: Language::Php,
        spec: Spec::new(
            "ac:Cd:ef:g:hilmnqr:B:R:F:E:S:t:svwz:T:b:",
            "interactive php-ini= no-php-ini define= file= help info syntax-check \
         modules run= process-begin= process-code= process-file= process-end= \
         server= docroot= syntax-highlight version strip zend-extension= no-header \
         ini? rf= rc= re= rz= ri=",
        ),
        code: &[
            "r",
            "run",
            "B",
            "process-begin",
            "R",
            "process-code",
            "E",
            "process-end",
        ],
        files: &["f", "file", "F", "process-file"],
        queries: &[
            "h",
            "help",
            "i",
            "info",
            "l",
            "syntax-check",
            "m",
            "modules",
            "s",
            "w",
            "v",
            "version",
            "S",
            "server",
            "ini",
        ],
        reads_stdin: true,
    },
    Interpreter {
        names: &["lua", "luajit", "texlua", "tarantool"],
        language: Language::Lua,
        spec: Spec::new("e:l:j:O::b:ivEW", ""),
        code: &["e"],
        files: &[],
        queries: &["v"],
        reads_stdin: true,
    },
    Interpreter {
        names: &["bun"],
        language: Language::JavaScript,
        spec: Spec::new(
            "e:p:r:c::b",
            "eval= print= preload= require= import= config? cwd= env-file= bun watch \
         hot silent smol define= loader= filter= version revision help inspect? \
         inspect-brk? port= conditions= tsconfig-override= if-present no-install \
         install=",
        ),
        code: &["e", "eval", "p", "print"],
        files: &["r", "preload", "require", "import"],
        queries: &["version", "revision", "help"],
        reads_stdin: false,
    },
];

static PYTHON: Spec = Spec::new(
    "bBc:dEhiIJm:OPqRsStuvVW:X:x?",
    "help version check-hash-based-pycs= help-env help-xoptions help-all",
);
static DENO: Spec = Spec::new(
    "A q r:: c: L: R::W::N::E::S::I::pV h",
    "allow-all quiet reload? config= log-level= import-map= lock? cert= ext= \
         print unstable location= seed= v8-flags= allow-read? allow-write? \
         allow-net? allow-env? allow-run? allow-sys? allow-ffi? allow-import? \
         deny-read? deny-write? deny-net? deny-env? deny-run? no-prompt no-check? \
         check? no-lock cached-only node-modules-dir? inspect? watch? env-file? \
         preload= require= help version eval= eval-file=",
);

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    let stem = family(name);
    if name.len() > stem.len() && stem.is_empty() {
        return None;
    }
    Some(match stem {
        "rails" => rails(name, argv),
        "python" | "py" | "pypy" | "pythonw" | "ipython" | "bpython" | "micropython" | "jython" => {
            python(name, argv)
        }
        "deno" => deno(name, argv),
        "awk" | "gawk" | "mawk" | "nawk" | "bwk" | "original-awk" | "goawk" => {
            super::awk::awk(name, argv)
        }
        _ => {
            let interpreter = INTERPRETERS
                .iter()
                .find(|interpreter| interpreter.names.contains(&stem))?;
            interpreter.steps(name, argv)
        }
    })
}

/// Inline code.
pub(super) fn code(name: &str, language: Language, text: &Arg) -> Step {
    Step::local(
        name,
        Payload::Code {
            language,
            text: text.value.clone(),
            span: text.span,
            arguments: None,
        },
    )
}

/// A file with code, or standard input under a file's name.
pub(super) fn code_file(name: &str, language: Language, path: &Arg, argv: &[Arg]) -> Step {
    if path.value.is(b"-") || is_stdin(path) {
        return code_input(name, language, argv);
    }
    // deno runs addresses: that code comes from the network.
    let head = path.value.known_prefix();
    let fetched = head.starts_with(b"http://") || head.starts_with(b"https://");
    Step::local(
        name,
        Payload::CodeFile {
            language,
            path: if fetched {
                Value::unknown(Origin::Fetched)
            } else {
                path.value.clone()
            },
            span: path.span,
            arguments: None,
        },
    )
}

fn code_input(name: &str, language: Language, argv: &[Arg]) -> Step {
    Step::local(
        name,
        Payload::CodeInput {
            language,
            span: argv_span(argv),
            arguments: None,
        },
    )
}

impl Interpreter {
    fn steps(&self, name: &str, argv: &[Arg]) -> Vec<Step> {
        let read = scan(argv, 1, &self.spec);
        let queried = read.has(self.queries);
        let mut texts: Vec<Arg> = read.all(self.code).cloned().collect();
        if self.language == Language::JavaScript {
            texts.extend(self.printed(argv, &read));
        }
        let mut steps: Vec<Step> = Vec::new();
        // Perl and Ruby join the parts with newlines into one program.
        if texts.len() > 1 && matches!(self.language, Language::Perl | Language::Ruby) {
            steps.extend(joined(&texts).map(|text| code(name, self.language, &text)));
        } else {
            steps.extend(texts.iter().map(|text| code(name, self.language, text)));
        }
        let has_code = !steps.is_empty() || read.has(self.code);
        let mut modules = Vec::new();
        if self.language == Language::Perl {
            let given = read.all(&["M", "m"]);
            modules.extend(given.filter_map(|module| loaded(name, module)));
        }
        if queried && !has_code {
            return modules;
        }
        steps.extend(modules);
        if has_code {
            // What a printed operand left are the code's words.
            let first = match (read.starts.as_slice(), self.printed(argv, &read).is_some()) {
                ([], _) => Some(argv.len()),
                ([start], false) => Some(*start),
                ([start], true) => Some(start + 1),
                _ => None,
            };
            if let Some(words) = first.and_then(|first| argv.get(first..)) {
                let name = (self.language != Language::JavaScript).then_some(b"-".as_slice());
                steps = steps
                    .into_iter()
                    .map(|step| step.given(name, words))
                    .collect();
            }
        }
        for path in read.all(self.files) {
            // Libraries are loaded by name, not by path.
            if path.value.known_prefix().contains(&b'/') || matches!(self.language, Language::Php) {
                steps.push(code_file(name, self.language, path, argv));
            }
        }
        if has_code || (matches!(self.language, Language::Php) && !steps.is_empty()) {
            return steps;
        }
        if read.starts.is_empty() {
            // `ruby -v` alone says its version.
            let versions = self.language == Language::Ruby && read.has(&["v"]);
            if self.reads_stdin && !versions && !read.has(&["test", "run"]) {
                steps.push(code_input(name, self.language, argv).given(Some(b"-"), &[]));
            }
            return steps;
        }
        for start in &read.starts {
            let Some(first) = argv.get(*start) else {
                continue;
            };
            let verb = first.value.bytes().unwrap_or_default();
            let script = match (name, &*verb) {
                ("bun", b"run") => argv.get(start + 1),
                ("bun", _)
                    if !verb.contains(&b'.')
                        && !verb.contains(&b'/')
                        && !verb.is_empty()
                        && &*verb != b"-" =>
                {
                    None
                }
                ("node", b"inspect" | b"debug") => argv.get(start + 1),
                _ => Some(first),
            };
            if let Some(script) = script {
                let at = start + usize::from(!std::ptr::eq(script, first));
                let words = argv.get(at + 1..).unwrap_or_default();
                let step = code_file(name, self.language, script, argv);
                steps.push(step.given(Some(&script.value.known_prefix()), words));
            }
        }
        steps
    }

    /// `node -p code` and `node -pe code`: the code is the next word, or the first operand.
    fn printed(&self, argv: &[Arg], read: &Scan) -> Option<Arg> {
        let given = read
            .given
            .iter()
            .rfind(|given| matches!(given.name, "p" | "print"))?;
        // In `-pe` the rest of the bundle was read as the operand.
        match &given.operand {
            Some(operand) if operand.value.is(b"e") && given.name == "p" => {
                argv.get(given.next).cloned()
            }
            Some(_) => None,
            None => argv.get(given.next).cloned(),
        }
    }
}

/// Perl puts the operand of `-M` behind `use` as it is: what is no module's name is code.
pub(super) fn loaded(name: &str, module: &Arg) -> Option<Step> {
    let is_code = |byte: &u8| b";({`\"' ".contains(byte);
    if !module.value.known_prefix().iter().any(is_code) {
        return None;
    }
    let mut value = Value::computed(*b"use ");
    value.append(&module.value);
    let span = module.span;
    Some(code(name, Language::Perl, &Arg { value, span }))
}

fn joined(texts: &[Arg]) -> Option<Arg> {
    let (first, rest) = texts.split_first()?;
    let mut out = first.clone();
    for text in rest {
        out.value.push_text(b"\n", None);
        out.value.append(&text.value);
        out.span = out.span.join(text.span);
    }
    Some(out)
}

/// Modules that are programs of their own, and the name of the program.
const MODULES: &[(&str, &str)] = &[
    ("pip", "pip"),
    ("uv", "uv"),
    ("pipx", "pipx"),
    ("poetry", "poetry"),
    ("pipenv", "pipenv"),
    ("pytest", "pytest"),
    ("nox", "nox"),
    ("tox", "tox"),
    ("build", "pyproject-build"),
    ("invoke", "invoke"),
    ("twine", "twine"),
    ("conda", "conda"),
    ("awscli", "aws"),
    ("ansible", "ansible"),
    ("ansible.cli.adhoc", "ansible"),
    ("django", "django-admin"),
    ("alembic", "alembic"),
    ("flask", "flask"),
];

fn python(name: &str, argv: &[Arg]) -> Vec<Step> {
    let mut read = scan(argv, 1, &PYTHON);
    // -c and -m end the options: the words behind them belong to the program.
    if let Some(at) = read
        .given
        .iter()
        .position(|given| matches!(given.name, "c" | "m"))
    {
        read.given.truncate(at + 1);
    }
    if read.has(&[
        "h",
        "help",
        "V",
        "version",
        "help-all",
        "help-env",
        "help-xoptions",
    ]) {
        return Vec::new();
    }
    if let Some(given) = read
        .given
        .iter()
        .find(|given| matches!(given.name, "c" | "m"))
    {
        let Some(operand) = &given.operand else {
            return Vec::new();
        };
        let rest = argv.get(given.next..).unwrap_or_default();
        // IPython gives a line behind `!` to the shell.
        let shell = name == "ipython" && operand.value.known_prefix().starts_with(b"!");
        let mut steps = if shell {
            vec![Step::text(name, &behind(operand, 1))]
        } else if given.name == "c" {
            vec![code(name, Language::Python, operand).given(Some(b"-c"), rest)]
        } else {
            module(name, operand, rest, argv)
        };
        // An unknown word in front may be a script of its own.
        steps.extend(
            read.starts
                .iter()
                .filter(|start| **start < given.at)
                .filter_map(|start| {
                    Some(code_file(name, Language::Python, argv.get(*start)?, argv))
                }),
        );
        return steps;
    }
    if read.starts.is_empty() {
        return vec![code_input(name, Language::Python, argv).given(Some(b""), &[])];
    }
    let mut steps: Vec<Step> = read
        .starts
        .iter()
        .filter_map(|start| {
            let script = argv.get(*start)?;
            let words = argv.get(start + 1..).unwrap_or_default();
            let step = code_file(name, Language::Python, script, argv);
            Some(step.given(Some(&script.value.known_prefix()), words))
        })
        .collect();
    // `manage.py shell -c code`
    for start in &read.starts {
        if let [script, verb, rest @ ..] = argv.get(*start..).unwrap_or_default()
            && script.value.known_prefix().ends_with(b"manage.py")
            && (verb.value.is(b"shell") || verb.value.is(b"shell_plus"))
        {
            let read = scan(
                rest,
                0,
                &Spec::anywhere("c:i:v:", "command= interface= settings="),
            );
            steps.extend(
                read.all(&["c", "command"])
                    .map(|text| code(name, Language::Python, text)),
            );
        }
    }
    steps
}

fn module(name: &str, module: &Arg, rest: &[Arg], argv: &[Arg]) -> Vec<Step> {
    let via = format!("{name} -m");
    let Some(word) = module.value.bytes() else {
        return vec![Step::local(via, Payload::Unresolved { span: module.span })];
    };
    let word = String::from_utf8_lossy(&word);
    match &*word {
        "timeit" => {
            let spec = Spec::new(
                "n:r:s:pu:vh",
                "number= repeat= setup= process unit= verbose help",
            );
            let read = scan(rest, 0, &spec);
            let mut texts: Vec<&Arg> = read.all(&["s", "setup"]).collect();
            texts.extend(read.operands.iter().filter_map(|at| rest.get(*at)));
            texts
                .iter()
                .map(|text| code(&via, Language::Python, text))
                .collect()
        }
        "pdb" | "trace" | "cProfile" | "profile" | "runpy" | "code" | "coverage"
        | "memory_profiler" | "scalene" | "debugpy" | "doctest" | "viztracer" => rest
            .iter()
            .find(|arg| arg.value.known_prefix().ends_with(b".py"))
            .map(|path| code_file(&via, Language::Python, path, argv))
            .into_iter()
            .collect(),
        other => {
            let Some((_, program)) = MODULES.iter().find(|(module, _)| *module == other) else {
                return Vec::new();
            };
            let mut words = vec![super::words::computed(program.as_bytes(), module.span)];
            words.extend(rest.iter().cloned());
            Step::argv(&via, &words).into_iter().collect()
        }
    }
}

/// `rails runner code` or `rails runner file`.
fn rails(name: &str, argv: &[Arg]) -> Vec<Step> {
    let verb = argv.get(1).and_then(|arg| arg.value.bytes());
    if !matches!(verb.as_deref(), Some(b"runner" | b"r")) {
        return Vec::new();
    }
    let read = scan(
        argv,
        2,
        &Spec::new("e:wh", "environment= skip-executor help"),
    );
    read.starts
        .iter()
        .filter_map(|start| argv.get(*start))
        .map(|arg| {
            if arg.value.known_prefix().ends_with(b".rb") || arg.value.is(b"-") {
                code_file(name, Language::Ruby, arg, argv)
            } else {
                code(name, Language::Ruby, arg)
            }
        })
        .collect()
}

fn deno(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &DENO);
    let Some(start) = read.starts.first() else {
        let nothing = read.has(&["help", "h", "version", "V"]);
        return if nothing {
            Vec::new()
        } else {
            vec![code_input(name, Language::JavaScript, argv)]
        };
    };
    let Some(first) = argv.get(*start) else {
        return Vec::new();
    };
    let verb = first.value.bytes().unwrap_or_default();
    let inner = scan(argv, start + 1, &DENO);
    let operand = inner.starts.first().and_then(|at| argv.get(*at));
    let behind = inner.starts.first().map_or(argv.len(), |at| at + 1);
    let words = argv.get(behind..).unwrap_or_default();
    match &*verb {
        b"eval" => operand
            .map(|text| code(name, Language::JavaScript, text).given(None, words))
            .into_iter()
            .collect(),
        b"run" | b"serve" => operand
            .map(|path| code_file(name, Language::JavaScript, path, argv))
            .map(|step| step.given(Some(b"-"), words))
            .into_iter()
            .collect(),
        b"repl" => {
            let mut steps: Vec<Step> = inner
                .all(&["eval"])
                .map(|text| code(name, Language::JavaScript, text))
                .collect();
            steps.push(code_input(name, Language::JavaScript, argv));
            steps
        }
        _ if verb.contains(&b'.') || verb.contains(&b'/') || &*verb == b"-" => {
            vec![code_file(name, Language::JavaScript, first, argv)]
        }
        _ => Vec::new(),
    }
}
