use super::*;

#[test]
fn awk_runs_commands_in_its_three_ways() {
    all(
        Language::Awk,
        &[
            ("BEGIN{system(\"reboot\")}", &["shell: reboot"]),
            (
                "BEGIN { c = \"re\"; system(c \"boot\") }",
                &["shell: reboot"],
            ),
            ("{system(\"rm \" $1)}", &["shell: rm <$1>"]),
            (
                "BEGIN{print \"reboot\" | \"sh\"}",
                &["shell: sh", "shell: reboot"],
            ),
            ("{print | \"cat\"}", &["shell: cat"]),
            ("{print $2 | \"sort -u\"}", &["shell: sort -u"]),
            ("BEGIN{\"date\" | getline x; print x}", &["shell: date"]),
            ("{print > \"/etc/hosts\"}", &["call: tee -- /etc/hosts"]),
            (
                "BEGIN { while (\"cat f\" | getline) n++; print n }",
                &["shell: cat f"],
            ),
            (
                "BEGIN { c = \"ls\"; while ((c | getline l) > 0) n++ }",
                &["shell: ls"],
            ),
            ("{print >> \"f\"}", &["call: tee -a -- f"]),
            (
                "BEGIN{while((getline l < \"f\")>0) print l}",
                &["call: cat -- f"],
            ),
        ],
    );
    nothing(
        Language::Awk,
        &[
            "/rm -rf/ {print FILENAME\":\"FNR}",
            "{print $1}",
            "$1 > 5 {print}",
            "{print \"system(\\\"reboot\\\")\"}",
            "# system(\"reboot\")\n{print}",
            "{ if ($1 > 3 || $2) n++ } END { print n }",
            "/a|b/ {print}",
        ],
    );
}

#[test]
fn lua_calls_are_found() {
    all(
        Language::Lua,
        &[
            ("os.execute('reboot')", &["shell: reboot"]),
            ("os.execute \"reboot\"", &["shell: reboot"]),
            ("os.execute([[reboot]])", &["shell: reboot"]),
            (
                "local c = 're' .. 'boot'\nos.execute(c)",
                &["shell: reboot"],
            ),
            (
                "local f = io.popen('reboot'); f:read('*a')",
                &["shell: reboot"],
            ),
            ("os['execute']('reboot')", &["shell: reboot"]),
            ("os.remove('f')", &["call: rm -- f"]),
            (
                "os.remove(os.getenv('HOME') .. '/x')",
                &["call: rm -- <HOME>/x"],
            ),
            ("io.open('f', 'w')", &["call: tee -- f"]),
            (
                "for _, f in ipairs({'a','b'}) do os.remove(f) end",
                &["call: rm -- <?>"],
            ),
            ("load('return 1')()", &["code: return 1"]),
        ],
    );
    nothing(
        Language::Lua,
        &[
            "-- os.execute('reboot')",
            "--[[\nos.execute('reboot')\n]]\nprint(1)",
            "print('os.execute(1)')",
            "x.execute('reboot')",
            "obj:remove('x'); table.remove(t, 1)",
        ],
    );
}
