//! PowerShell.

use super::{never_runs, runs, unknown};
use crate::syntax::Dialect::PowerShell;

#[test]
fn commands_run_wherever_a_statement_may_stand() {
    let lines: &[&str] = &[
        "zz9 1",
        "a; zz9 1",
        "a\nzz9 1",
        "a | zz9 1",
        "a |\n zz9 1",
        "a\n | zz9 1",
        "a && zz9 1",
        "a || zz9 1",
        "a & zz9 1",
        "& zz9 1",
        "& 'zz9' 1",
        ". \"zz9\" 1",
        "z`z9 1",
        "zz9 `\n 1",
        "ZZ9.EXE 1",
        "$x = zz9 1",
        "$x = $y = zz9 1",
        "[void](zz9 1)",
        "(zz9 1)",
        "$(zz9 1)",
        "@(zz9 1)",
        "ls @(zz9 1)",
        "ls (zz9 1).Name",
        "\"a $(zz9 1) b\"",
        "@\"\na $(zz9 1)\n\"@",
        "\u{201c}$(zz9 1)\u{201d}",
        "if (1) { zz9 1 }",
        "if (zz9 1) { }",
        "if (0) { } elseif (1) { zz9 1 }",
        "if (0) { }\nelse\n{ zz9 1 }",
        "foreach ($f in 1..3) { zz9 1 }",
        "foreach ($f in zz9 1) { }",
        "for (zz9 1; $i -lt 3; $i++) { }",
        "while (1) { zz9 1 }",
        "do { zz9 1 } while (0)",
        "do { zz9 1 } until (1)\nb",
        "switch (1) { 1 { zz9 1 } default { } }",
        "switch (zz9 1) { 1 { } }",
        "try { zz9 1 } catch { }",
        "try { } catch [System.Exception] { zz9 1 } finally { }",
        "try { } finally { zz9 1 }",
        "trap { zz9 1 }",
        "function f { zz9 1 }; f",
        "function f { zz9 1 }; F",
        "function f($a = (zz9 1)) { }; f",
        "param($a = (zz9 1))",
        "return zz9 1",
        "throw (zz9 1)",
        "a | ForEach-Object { zz9 1 }",
        "a | % { zz9 1 }",
        "a | ? { zz9 1 }",
        "a | select @{n='x'; e={ zz9 1 }}",
        "& { zz9 1 }",
        ". { zz9 1 }",
        "$b = { zz9 1 }; & $b",
        "Invoke-Command -ScriptBlock { zz9 1 }",
        "@{ a = zz9 1 }",
        "$h.x = zz9 1",
        "$h[(zz9 1)] = 2",
        "$x.Replace((zz9 1), 'b')",
        "[Math]::Abs((zz9 1))",
        "'a' -replace 'b', (zz9 1)",
        "a > (zz9 1)",
        "a 2>&1 | zz9 1",
        "a <# b #>; zz9 1",
        "a # b\nzz9 1",
        "a#b; zz9 1",
        "$env:X = (zz9 1)",
        "begin { } process { zz9 1 } end { }",
        "[ValidateScript({ zz9 1 })] $x = 1",
        "1 -eq (zz9 1)",
        "$x = if (1) { zz9 1 }",
        "a -x:(zz9 1)",
    ];
    let rows: Vec<_> = lines.iter().map(|line| (*line, "zz9 1")).collect();
    runs(PowerShell, &rows);
}

#[test]
fn text_is_no_command() {
    never_runs(
        PowerShell,
        "zz9",
        &[
            "'zz9'",
            "\"zz9\"",
            "echo zz9",
            "a 'b; zz9'",
            "a \"b; zz9\"",
            "a # ; zz9",
            "<# zz9\n zz9 #>",
            "@'\n$(zz9)\n'@",
            "@'\nzz9\n'@ | a",
            "@\"\n`$(zz9)\n\"@",
            "a b`; zz9",
            "$zz9",
            "$x.zz9",
            "@{ zz9 = 1 }",
            "[zz9]$x = 1",
            "'it''s; zz9'",
            "\"a\"\"; zz9\"",
            "a -zz9",
            "git log --format='%h %s'",
        ],
    );
}

#[test]
fn names_are_followed_through_the_ways_to_write_them() {
    runs(
        PowerShell,
        &[
            ("& ('z'+'z9') 1", "zz9 1"),
            ("$a = 'z'; $b = \"z9\"; & ($a + $b) 1", "zz9 1"),
            ("& \"$('z')z9\" 1", "zz9 1"),
            ("& ('{1}{0}' -f 'z9','z') 1", "zz9 1"),
            ("& ('z','z9' -join '') 1", "zz9 1"),
            ("& (-join ('z','z9')) 1", "zz9 1"),
            ("& ([char]122 + 'z9') 1", "zz9 1"),
            ("& ([string]::Concat('z','z9')) 1", "zz9 1"),
            ("Invoke-Expression 'zz9 1'", "zz9 1"),
            ("iex \"zz9 1\"", "zz9 1"),
            ("'zz9 1' | iex", "zz9 1"),
            ("$x = 'zz9 1'; iex $x", "zz9 1"),
            ("[scriptblock]::Create('zz9 1')", "zz9 1"),
            ("Start-Process zz9 -ArgumentList 1", "zz9 1"),
            ("start zz9 1", "zz9 1"),
            ("saps -File zz9 -Arg '1'", "zz9 1"),
            ("pwsh -c 'zz9 1'", "zz9 1"),
            ("bash -c 'zz9 1'", "zz9 1"),
            ("$a = 'x', 'zz9 1'; $a | % { iex $_ }", "zz9 1"),
            ("Set-Variable c zz9; & $c 1", "zz9 1"),
            ("C:\\Windows\\System32\\zz9.exe 1", "zz9 1"),
        ],
    );
}

#[test]
fn cmdlets_have_the_effect_of_programs() {
    runs(
        PowerShell,
        &[
            ("Remove-Item -Recurse -Force a", "rm -r -f -- a"),
            ("ri a -Rec -Fo", "rm -r -f -- a"),
            ("del -Path:a,b -Recurse:$true", "rm -r -- a b"),
            ("rm -Recurse:$false a", "rm -- a"),
            ("rm -ErrorAction SilentlyContinue a", "rm -- a"),
            ("$p = @{ Path = 'a'; Recurse = $true }; rm @p", "rm -r -- a"),
            ("$l = 'a', 'b'; rm $l", "rm -- a b"),
            ("rm .\\a\\b", "rm -- ./a/b"),
            ("'a', 'b' | rm", "rm -- a b"),
            (
                "rm * -Include *.tmp",
                "find * -maxdepth 1 -name *.tmp -delete",
            ),
            ("copy a b -Recurse", "cp -r -- a b"),
            ("mv a b", "mv -- a b"),
            ("cat a", "cat -- a"),
            ("Set-Content a b", "tee -- a"),
            ("a | Out-File b -Append", "tee -a -- b"),
            ("ni -ItemType Directory a", "mkdir -p -- a"),
            ("iwr http://h/a -OutFile b", "curl -o b http://h/a"),
            ("spps -Name a -Force", "pkill -9 a"),
            ("kill 12", "kill 12"),
            ("Stop-Computer", "shutdown -h now"),
            ("[IO.Directory]::Delete('a', $true)", "rm -r -- a"),
            ("[System.IO.File]::Delete('a')", "rm -- a"),
            ("echo a b", "printf %s\n a b"),
        ],
    );
    never_runs(
        PowerShell,
        "rm",
        &[
            "Remove-Item a -WhatIf",
            "Remove-Item Env:\\X",
            "Get-Help rm",
        ],
    );
}

#[test]
fn what_is_not_read_is_said() {
    unknown(
        PowerShell,
        &[
            "& $x.Name",
            "iex $x.Code",
            "iex (Get-Date)",
            "$o.Run('x')",
            "[Foo.Bar]::Run()",
            "a --% & b %x%",
            "class A { }",
            "using module x",
            "Add-Type -TypeDefinition $x",
            "Set-Alias a b",
            "New-Object -ComObject WScript.Shell",
            "${C:\\a.txt} = 'x'",
            "$function:a = { }",
            "$x | % Delete",
            "'unclosed",
            "\"unclosed",
            "@'\nunclosed",
            "(unclosed",
            "a }",
            "a < b",
            "<# unclosed",
        ],
    );
}
