use super::{carried, silent, table};

#[test]
fn shells_read_text_files_or_their_input() {
    table(&[
        ("sh -c reboot", &["sh -c: text reboot"]),
        ("bash -ec 'rm -rf /'", &["bash -c: text rm -rf /"]),
        ("bash -c -- 'rm -rf /'", &["bash -c: text rm -rf /"]),
        ("bash -c -e 'rm -rf /'", &["bash -c: text rm -rf /"]),
        ("bash --norc -c reboot", &["bash -c: text reboot"]),
        ("bash --rcfile f -c reboot", &["bash -c: text reboot"]),
        ("bash -o pipefail -c reboot", &["bash -c: text reboot"]),
        (
            "bash -O extglob +O nullglob -c reboot",
            &["bash -c: text reboot"],
        ),
        ("bash -euo pipefail -c reboot", &["bash -c: text reboot"]),
        ("bash +e -lc reboot", &["bash -c: text reboot"]),
        ("bash -c '$0' reboot", &["bash -c: text $0 (reboot)"]),
        ("bash-5.2 -c reboot", &["bash-5.2 -c: text reboot"]),
        ("/bin/bash -c reboot", &["bash -c: text reboot"]),
        ("zsh -fc reboot", &["zsh -c: text reboot"]),
        (
            "ksh -c 'sleep 1; reboot'",
            &["ksh -c: text sleep 1; reboot"],
        ),
        ("dash -c reboot", &["dash -c: text reboot"]),
        ("sh x.sh a b", &["sh: file x.sh (a|b)"]),
        ("bash -x x.sh a", &["bash: file x.sh (a)"]),
        ("bash -- x.sh", &["bash: file x.sh"]),
        ("sh -s a", &["sh: input"]),
        ("bash", &["bash: input"]),
        ("bash -", &["bash: input"]),
        ("bash -i", &["bash: input"]),
        ("bash /dev/stdin", &["bash: input"]),
        ("bash --rcfile f -i", &["bash: input", "bash: file f"]),
        (
            "bash $X -c reboot",
            &["bash -c: text <?> (-c|reboot)", "bash -c: text reboot"],
        ),
        ("fish -c reboot", &["fish -c: text reboot"]),
        (
            "fish -c 'rm (pwd)'",
            &["fish -c: text rm (pwd)", "fish -c: foreign"],
        ),
        ("pwsh -NoProfile -Command x y", &["pwsh -Command: text x y"]),
        (
            "powershell.exe -ep Bypass -enc bABzAA==",
            &["powershell -EncodedCommand: text ls"],
        ),
        ("pwsh -File x.ps1 -y", &["pwsh: file x.ps1 (-y)"]),
        ("pwsh x.ps1", &["pwsh: file x.ps1"]),
        ("pwsh -", &["pwsh: input"]),
        ("pwsh -c -", &["pwsh: input"]),
        (
            "powershell Stop-Computer",
            &["powershell -Command: text Stop-Computer"],
        ),
        ("cmd /c del x", &["cmd /c: text del x"]),
        ("cmd.exe //c del", &["cmd /c: text del"]),
        ("cmd /s/c del", &["cmd /c: text del"]),
        ("cmd /cdel x", &["cmd /c: text del x"]),
        ("cmd", &["cmd: input"]),
    ]);
    silent(&[
        "cmd1 /c x",
        "bash --version",
        "bash --help",
        "pwsh -Version",
        "busybox --list",
    ]);
}

#[test]
fn a_shell_without_its_text_runs_nothing() {
    assert!(carried("sh -c").is_empty());
}
