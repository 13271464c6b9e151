//! Every place of the grammar in which a command substitution is expanded.

use super::Generator;

/// `§` is the substitution, `¤` a name of its own.
const BASH: &[&str] = &[
    "case § in *) :;; esac",
    "case x in §) :;; *) :;; esac",
    "for i in §; do :; done",
    "for (( i = 0 §; i < 1; i++ )); do :; done",
    "for (( ; i < 1; i += 1 § )); do :; done",
    "[[ x == § ]]",
    "[[ x =~ § ]]",
    "[[ -f § && 1 ]] || [[ ! -d § ]]",
    "x=abc; : ${x/§/}",
    "x=abc; : ${x//b/§}",
    "x=abc; : ${x#§}",
    "x=abc; : ${x%%§}",
    "x=abc; : ${x:1 §}",
    "x=abc; : \"${x:0:1 §}\"",
    "x=abc; : ${x^§}",
    ": ${¤:=§}",
    ": ${¤+§}; ¤=1; : ${¤+§}",
    ": \"${¤:-'§'}\"",
    ": \"${¤:-\"§\"}\"",
    "( : ${¤:?§} )",
    "a=(1 2); : ${a[1 §]}",
    "a=(§ x)",
    "a=([1 §]=x)",
    "a+=(§)",
    "declare -A h=([§]=1)",
    "declare ¤=§",
    "export ¤=§",
    "local_() { local ¤=§; }; local_",
    "readonly ¤=§",
    ": <<<§",
    ": <<<\"a § b\"",
    ": > /tmp/¤\"§\"",
    ": 2>/dev/null < /dev/null\"§\"",
    ": {fd}>/tmp/f\"§\"",
    "cat <<E1 <<E2 >/dev/null\na\nE1\n§\nE2\n:",
    "cat <<-E >/dev/null\n\t§\n\tE\n:",
    "cat <<E >/dev/null\n${¤:-§}\nE\n:",
    "cat <<E >/dev/null\na\\\nE\n§\nE\n:",
    "¤=§",
    "¤[1 §]=2",
    "¤=§ :",
    ": § §",
    ": \"§\"\"§\"",
    ": $(( 1 § ))",
    ": $[ 1 § ]",
    "(( 1 § ))",
    "let \"¤=1 §\"",
    ": $(( ¤ = 1, a[0 §] ))",
    "if [ -n § ]; then :; fi",
    "while [ -n § ]; do break; done",
    "f() { return 0 §; }; f",
    "( exit 0§ )",
    "echo \"a$(echo \"b §\")\"",
    "echo `echo §`",
    "echo {a,§}",
    ": a{1,2}\"§\"",
    ": \"\\\"§\"",
    ": 'it'\"'s §\"",
    ": $'\\'' §",
    ": $\"§\"",
    "! : §",
    "time : §",
    ": § & wait",
    "echo § | cat",
    "select ¤ in §; do break; done <<<1",
    "f() { :; } 2>/tmp/e\"§\"; f",
    "eval : §",
    "trap : § EXIT",
    "test -n §",
    "shift 0§",
    "set -- §",
    "unset ¤ §",
    "printf %s § >/dev/null",
    ": ~§",
    ": *§",
    "echo a#§",
    "echo \\# §",
    ": ${#¤} §",
    ": $# §",
    ": ${¤@Q} §",
    ": \"$@\"§",
    ": <(echo §)",
    ": \"$(: # it's )\n: §)\"",
    ": $(case x in x) : §;; esac)",
    ": $(case x in (x) : §;; esac)",
    ": $((: §) )",
    ": $( (: §) )",
    ": ${¤:-$(: ${M:-§})}",
    ": \"${¤:-\"$(: \"§\")\"}\"",
    "x='§'; eval \": $x\"",
    "PS4='§'; set -x; :; set +x",
    "declare -i ¤; ¤='a[1 §]'",
    "x='§'; : \"${x@P}\"",
];

const POSIX: &[&str] = &[
    "case § in *) :;; esac",
    "case x in §) :;; *) :;; esac",
    "for i in §; do :; done",
    "x=abc; : ${x#§}",
    ": ${¤:=§}",
    ": ${¤:-§}",
    "cat <<E >/dev/null\n§\nE\n:",
    "¤=§",
    "¤=§ :",
    ": $(( 1 § ))",
    ": \"$(echo \"§\")\"",
    "echo `echo §`",
    ": > /tmp/f\"§\"",
    "export ¤=§",
];

impl Generator {
    /// A command that expands a substitution somewhere.
    pub(super) fn placed(&mut self) -> String {
        let code = self.plain();
        let form = if self.posix {
            self.random.pick(POSIX)
        } else {
            self.random.pick(BASH)
        };
        // Inside backticks a second pair would have to be escaped.
        let substitution = if self.random.chance(20) && !form.contains('`') {
            format!("`{code}`")
        } else {
            format!("$({code})")
        };
        let name = self.variable();
        form.replace('¤', &name).replace('§', &substitution)
    }
}
