//! cmd.exe.

use super::{never_runs, runs, unknown};
use crate::syntax::Dialect::Cmd;

#[test]
fn commands_run_wherever_a_command_may_stand() {
    let lines: &[&str] = &[
        "zz9 1",
        "@zz9 1",
        "a & zz9 1",
        "a && zz9 1",
        "a || zz9 1",
        "a | zz9 1",
        "a\r\nzz9 1",
        "(zz9 1)",
        "(a & zz9 1)",
        "((zz9 1))",
        "(a) & zz9 1",
        "z^z9 1",
        "zz9 ^\n1",
        "\"zz9\" 1",
        "ZZ9.exe 1",
        ">x zz9 1",
        "2>nul zz9 1",
        "zz9 1 2>&1",
        "if exist a zz9 1",
        "if not exist \"a b\" zz9 1",
        "if defined a (zz9 1)",
        "if errorlevel 1 zz9 1",
        "if /i \"%a%\"==\"b\" zz9 1",
        "if a == b zz9 1",
        "if 1 gtr 2 zz9 1",
        "if exist a (b) else zz9 1",
        "if exist a (b) else (zz9 1)",
        "for %i in (a b) do zz9 1",
        "for %%i in (a b) do @zz9 1",
        "for /l %i in (1,1,5) do (zz9 1)",
        "for /f \"tokens=1,2 delims=,\" %i in (a.txt) do zz9 1",
        "for /f %i in ('zz9 1') do echo %i",
        "for /f \"usebackq\" %i in (`zz9 1`) do echo %i",
        "for /f %i in ('a ^| zz9 1') do echo %i",
        "for %i in (1) do zz9 %i",
        "cmd /c zz9 1",
        "cmd /c \"zz9 1\"",
        "cmd /s /c \"a & zz9 1\"",
        "call zz9 1",
        "start zz9 1",
        "start \"title\" /wait zz9 1",
        "rem & zz9 1",
        "set X=1& zz9 1",
        "set X=zz9\n%X% 1",
        "powershell -c zz9 1",
        ",;= zz9 1",
        "shutdown/zz9 & zz9 1",
        "zz9\u{b}1",
        "zz\r9 1",
        "a\u{1a}zz9 1",
        "if 1==1 :x & zz9 1",
        "(:x & zz9 1)",
        "a ^& b & zz9 1",
        "echo \"a\" & zz9 1",
        "echo \"a ^\" & zz9 1",
        "set \"X=a & zz9 1\"\necho %X%",
        "set X=zz9 1\n%X%",
        "set X=zz9\nif a==b (%X% 1)",
        "rem a& zz9 1",
    ];
    let rows: Vec<_> = lines.iter().map(|line| (*line, "zz9 1")).collect();
    runs(Cmd, &rows);
}

#[test]
fn text_is_no_command() {
    never_runs(
        Cmd,
        "zz9",
        &[
            "echo zz9",
            "echo a ^& zz9",
            "echo \"a & zz9\"",
            "echo a ^| zz9",
            "rem zz9",
            "rem a & zz9",
            ":: zz9",
            ":zz9",
            "a > zz9",
            "set zz9=1",
            "if zz9==1 a",
            "goto zz9",
            "a (zz9)",
        ],
    );
}

#[test]
fn commands_have_the_effect_of_programs() {
    runs(
        Cmd,
        &[
            ("rd /s /q a", "rm -r -f -- a"),
            ("rd/s/q a\\b", "rm -r -f -- a/b"),
            ("rmdir a", "rmdir -- a"),
            ("del /q *.txt", "rm -f -- *.txt"),
            ("del /s /q *.obj", "find . -name *.obj -delete"),
            ("del /s /q a", "rm -r -f -- a"),
            ("copy a b", "cp -- a b"),
            ("move \"a b\" c", "mv -- a b c"),
            ("type a", "cat -- a"),
            ("md a\\b", "mkdir -p -- a/b"),
            ("echo a b", "printf %s\n a b"),
            ("cd.. & zz9", "cd .."),
            ("shutdown /r", "shutdown -h now"),
            ("format d:", "Format-Volume -DriveLetter d:"),
        ],
    );
}

#[test]
fn what_is_not_read_is_said() {
    unknown(
        Cmd,
        &[
            "%X%",
            "%X% a",
            "%X:~0,2% a",
            "set X=a\nset X=b & %X%",
            "set X=a\ncall set X=%%Y%%\n%X%",
            "set X=a\nset X =b\n%X%",
            "set X=a\nset %Y%=b",
            "set X=a\n:l\n%X%\nset X=b\ngoto l",
            "setlocal\nset X=a\nendlocal\nset X=b\n%X%",
            "a%b c%d e",
            "!X! a",
            "%1 a",
            "%* a",
            "(unclosed",
            "for %i in (a) zz9",
            "for %i zz9",
        ],
    );
}
