use super::*;

mod properties;

/// Redacts and shows the outcome.
fn shown(text: &str) -> String {
    String::from_utf8(redact(text.as_bytes()).into_owned()).unwrap()
}

/// Each text becomes what stands beside it.
fn becomes(cases: &[(&str, &str)]) {
    for (text, clean) in cases {
        assert_eq!(shown(text), *clean, "for {text}");
    }
}

/// Nothing is found in any of these.
fn stay(texts: &[&str]) {
    for text in texts {
        assert_eq!(shown(text), *text);
    }
}

/// Letters and digits that no key was ever made of.
const A36: &str = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const HEX32: &str = "0123456789abcdef0123456789abcdef";
const AWS: &str = "wJalrXUtnFEMIzK7MDENGobPxRfiCYabcdef1234";

#[test]
fn published_shapes_are_found_and_keep_their_prefix() {
    let tokens = [
        ("sk-", format!("{A36}{A36}"), "openai-key"),
        ("sk-proj-", format!("{A36}-_{A36}"), "openai-key"),
        ("sk-ant-", format!("api03-{A36}"), "anthropic-key"),
        ("ghp_", A36.into(), "github-token"),
        ("gho_", A36.into(), "github-token"),
        ("ghu_", A36.into(), "github-token"),
        ("ghs_", A36.into(), "github-token"),
        ("ghr_", A36.into(), "github-token"),
        ("github_pat_", format!("11ABC_{A36}"), "github-token"),
        ("glpat-", "a1B2c3D4e5F6g7H8i9J0".into(), "gitlab-token"),
        ("xoxb-", format!("1234567890-{A36}"), "slack-token"),
        ("xoxp-", format!("1234567890-{A36}"), "slack-token"),
        ("xoxa-", format!("2-{A36}"), "slack-token"),
        ("xoxr-", format!("2-{A36}"), "slack-token"),
        ("xoxs-", format!("2-{A36}"), "slack-token"),
        ("xapp-", format!("1-A0-{A36}"), "slack-token"),
        ("AKIA", "QWERTYUIOPASDFGH".into(), "aws-key-id"),
        ("ASIA", "QWERTYUIOPASDFG2".into(), "aws-key-id"),
        (
            "AIza",
            "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q".into(),
            "google-key",
        ),
        ("ya29.", format!("a0{A36}"), "google-key"),
        ("sk_live_", "a1B2c3D4e5F6g7H8i9J0k1L2".into(), "stripe-key"),
        ("rk_live_", "a1B2c3D4e5F6g7H8i9J0k1L2".into(), "stripe-key"),
        ("whsec_", "a1B2c3D4e5F6g7H8i9J0k1L2".into(), "stripe-key"),
        ("npm_", A36.into(), "npm-token"),
        ("pypi-", format!("AgEIcHlwaS5vcmc{A36}"), "pypi-token"),
        ("hf_", A36.into(), "huggingface-token"),
        ("dop_v1_", format!("{HEX32}{HEX32}"), "digitalocean-token"),
        (
            "SG.",
            format!("a1B2c3D4e5F6g7H8i9J0k1.{A36}"),
            "sendgrid-key",
        ),
        ("SK", HEX32.into(), "twilio-key"),
        (
            "AGE-SECRET-KEY-1",
            "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE".into(),
            "age-key",
        ),
        ("gsk_", A36.into(), "service-token"),
    ];
    for (prefix, body, name) in &tokens {
        let clean = format!("{prefix}[REDACTED:{name}]");
        for (before, after) in [
            ("", ""),
            ("echo '", "' | x"),
            ("f(\"", "\")"),
            ("a=", "&b=c"),
            ("see ", ". Then"),
        ] {
            let text = format!("{before}{prefix}{body}{after}");
            assert_eq!(shown(&text), format!("{before}{clean}{after}"));
        }
    }
}

#[test]
fn a_token_behind_an_escape_is_found_and_one_inside_a_word_is_not() {
    becomes(&[
        (&format!("x\\nghp_{A36}"), "x\\nghp_[REDACTED:github-token]"),
        (&format!("q%3Dghp_{A36}"), "q%3Dghp_[REDACTED:github-token]"),
    ]);
    stay(&[&format!("xghp_{A36}")]);
}

#[test]
fn web_tokens_are_found_with_and_without_signature() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.";
    becomes(&[
        (&format!("{token}dozjgNryP4J3jVmNHl0w"), "eyJ[REDACTED:jwt]"),
        (token, "eyJ[REDACTED:jwt]"),
    ]);
    stay(&["eyJhbGciOiJIUzI1NiJ9", "eyJ.eyJ.x"]);
}

#[test]
fn private_keys_lose_their_material_and_keep_header_and_footer() {
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "EC PRIVATE KEY",
    ] {
        becomes(&[(
            &format!("-----BEGIN {label}-----\n{key}\n{key}==\n-----END {label}-----\nrest"),
            &format!("-----BEGIN {label}-----[REDACTED:private-key]-----END {label}-----\nrest"),
        )]);
    }
    becomes(&[(
        &format!("echo \"-----BEGIN PRIVATE KEY-----\\n{key}"),
        "echo \"-----BEGIN PRIVATE KEY-----[REDACTED:private-key]",
    )]);
    stay(&[
        "grep -r -- '-----BEGIN RSA PRIVATE KEY-----' .",
        "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END CERTIFICATE-----",
    ]);
}

#[test]
fn an_aws_secret_is_found_by_its_name_and_next_to_its_id() {
    becomes(&[
        (
            &format!("AWS_SECRET_ACCESS_KEY={AWS} aws s3 ls"),
            "AWS_SECRET_ACCESS_KEY=[REDACTED:secret] aws s3 ls",
        ),
        (
            &format!("AKIAQWERTYUIOPASDFGH {AWS}"),
            "AKIA[REDACTED:aws-key-id] [REDACTED:aws-secret-key]",
        ),
        (
            &format!("AKIAQWERTYUIOPASDFGH,/{}", &AWS[1..]),
            "AKIA[REDACTED:aws-key-id],[REDACTED:aws-secret-key]",
        ),
    ]);
    // A commit of the same length.
    stay(&[
        "git show 83baae61804e65cc73a7201a7252750c76066a30",
        &format!("echo {AWS}"),
    ]);
}

#[test]
fn headers_keep_their_scheme() {
    becomes(&[
        (
            "curl -H 'Authorization: Bearer abc.def-123' https://x",
            "curl -H 'Authorization: Bearer [REDACTED:authorization]' https://x",
        ),
        (
            "curl -H \"authorization: Basic dXNlcjpwYXNz\" x",
            "curl -H \"authorization: Basic [REDACTED:authorization]\" x",
        ),
        (
            "{\"Authorization\": \"token abcdef\"}",
            "{\"Authorization\": \"token [REDACTED:authorization]\"}",
        ),
        (
            "{\\\"Authorization\\\": \\\"Bearer abcdef\\\"}",
            "{\\\"Authorization\\\": \\\"Bearer [REDACTED:authorization]\\\"}",
        ),
        (
            &format!("-H 'Authorization: Bearer ghp_{A36}'"),
            "-H 'Authorization: Bearer ghp_[REDACTED:github-token]'",
        ),
        (
            "-H 'X-Api-Key: abcdefgh'",
            "-H 'X-Api-Key: [REDACTED:secret]'",
        ),
        (
            "-H 'Cookie: sid=1; theme=dark' x",
            "-H 'Cookie: [REDACTED:cookie]' x",
        ),
        (
            "Set-Cookie: id=abc; Path=/\r\nX: y",
            "Set-Cookie: [REDACTED:cookie]\r\nX: y",
        ),
    ]);
    stay(&[
        "curl -H \"Authorization: Bearer $TOKEN\" x",
        "curl -H \"Authorization: Bearer ${TOKEN}\" x",
        "curl -H \"Authorization: Bearer $(cat t)\" x",
        "-H 'Authorization: Bearer <token>'",
        "-H \"Cookie: $COOKIE\"",
        "# authorization: who may do what",
        "the bearer of this letter",
    ]);
}

#[test]
fn passwords_in_urls_are_found_and_the_user_stays() {
    becomes(&[
        (
            "psql postgres://app:hunter2@db:5432/x",
            "psql postgres://app:[REDACTED:url-password]@db:5432/x",
        ),
        (
            "https://u:p@ss@host/",
            "https://u:[REDACTED:url-password]@host/",
        ),
        (
            "git clone https://0123456789abcdef0123@git.example/x",
            "git clone https://[REDACTED:url-password]@git.example/x",
        ),
        (
            &format!("https://ghp_{A36}:x-oauth-basic@github.com"),
            "https://ghp_[REDACTED:github-token]:[REDACTED:url-password]@github.com",
        ),
        (
            &format!("https://oauth2:ghp_{A36}@github.com"),
            "https://oauth2:ghp_[REDACTED:github-token]@github.com",
        ),
    ]);
    stay(&[
        "git clone https://git@github.com/a/b",
        "ssh://git@host:22/x",
        "postgres://app:$PGPASS@db",
        "postgres://app:${PGPASS}@db",
        "https://user:<password>@host",
        "http://[::1]:8080/a@b:c",
        "https://host/path?mail=a:b@c",
    ]);
}

#[test]
fn values_of_telling_names_are_found() {
    becomes(&[
        ("PASSWORD=hunter2 ./x", "PASSWORD=[REDACTED:password] ./x"),
        ("export DB_PASS=x1", "export DB_PASS=[REDACTED:password]"),
        (
            "PGPASSWORD='a b' psql",
            "PGPASSWORD='[REDACTED:password]' psql",
        ),
        ("API_KEY=abcd1234", "API_KEY=[REDACTED:secret]"),
        ("TOKEN=abcd", "TOKEN=[REDACTED:secret]"),
        (
            "CLIENT_SECRET=\"abcd\"",
            "CLIENT_SECRET=\"[REDACTED:secret]\"",
        ),
        (
            "x --password=hunter2 y",
            "x --password=[REDACTED:password] y",
        ),
        (
            "x --password hunter2 y",
            "x --password [REDACTED:password] y",
        ),
        ("x --api-key 'abcd' y", "x --api-key '[REDACTED:secret]' y"),
        ("['--token', 'abcdef']", "['--token', '[REDACTED:secret]']"),
        (
            "{\"password\": \"x\"}",
            "{\"password\": \"[REDACTED:password]\"}",
        ),
        (
            "{\\\"apiKey\\\":\\\"abcd\\\"}",
            "{\\\"apiKey\\\":\\\"[REDACTED:secret]\\\"}",
        ),
        ("password: hunter2\n", "password: [REDACTED:password]\n"),
        (
            "  - dbPassword: correcthorse",
            "  - dbPassword: [REDACTED:password]",
        ),
        (
            "?access_token=abcd&x=1",
            "?access_token=[REDACTED:secret]&x=1",
        ),
        ("password%3Dhunter2", "password%3D[REDACTED:secret]"),
        (
            "//packages.example/:_authToken=abcd",
            "//packages.example/:_authToken=[REDACTED:secret]",
        ),
        (
            "AccountKey=abc123==;Endpoint=x",
            "AccountKey=[REDACTED:secret];Endpoint=x",
        ),
        ("user[password]=abc", "user[password]=[REDACTED:password]"),
        ("PASSWORD='$ecret'", "PASSWORD='[REDACTED:password]'"),
        ("PASSWORD=${X:-hunter2}", "PASSWORD=[REDACTED:password]"),
        ("?sig=a1b2c3d4e5f6g7h8i9j0", "?sig=[REDACTED:secret]"),
    ]);
}

#[test]
fn programs_with_options_of_their_own_are_known() {
    becomes(&[
        (
            "mysql -uroot -phunter2 db",
            "mysql -uroot -p[REDACTED:password] db",
        ),
        (
            "sshpass -p hunter2 ssh h",
            "sshpass -p [REDACTED:password] ssh h",
        ),
        ("curl -u bob:hunter2 x", "curl -u bob:[REDACTED:password] x"),
        (
            "curl --user 'bob:hunter 2' x",
            "curl --user 'bob:[REDACTED:password]' x",
        ),
        (
            "docker login -u bob -p hunter2",
            "docker login -u bob -p [REDACTED:password]",
        ),
        (
            "redis-cli -a hunter2 ping",
            "redis-cli -a [REDACTED:password] ping",
        ),
        (
            "echo hunter2 | sudo -S ls",
            "echo [REDACTED:password] | sudo -S ls",
        ),
        (
            "printf '%s' a1 | sudo -k -S ls",
            "printf [REDACTED:password] | sudo -k -S ls",
        ),
        (
            "sudo -S ls <<< hunter2",
            "sudo -S ls <<< [REDACTED:password]",
        ),
    ]);
    stay(&[
        "mysql -u root -p db",
        "mkdir -p a/b && docker run -p 8080:80 x",
        "curl -u bob x",
        "curl -u \"bob:$PW\" x",
        "echo hello | sudo tee x",
        "echo \"$PW\" | sudo -S ls",
        "cp -phunter2",
    ]);
}

#[test]
fn references_paths_and_stand_ins_are_left() {
    stay(&[
        "TOKEN=$TOKEN",
        "TOKEN=\"$TOKEN\"",
        "TOKEN=${TOKEN}",
        "TOKEN='$TOKEN'",
        "TOKEN=$(gh auth token)",
        "TOKEN=`cat t`",
        "TOKEN=<token>",
        "TOKEN=\"<your token>\"",
        "TOKEN=%TOKEN%",
        "password: {{ pw }}",
        "token: ${{ secrets.TOKEN }}",
        "PASSWORD=changeme",
        "PASSWORD=xxxxxxxx",
        "PASSWORD=****",
        "API_KEY=your-api-key",
        "API_KEY=...",
        "PASSWORD=",
        "PASSWORD=\"\"",
        "--password-stdin",
        "--password-file /run/x",
        "SECRET=/run/secrets/db",
        "TOKEN_FILE=abcdefgh",
        "password = getpass()",
        "token: str",
        "password: string",
        "--token process.env.TOKEN",
        "PWD=/home/x",
        "cd $OLDPWD",
        "max_tokens=4096",
        "git commit -m 'token: add parser'",
        "pass: 3, fail: 0",
        "docker build --secret id=npm,src=x .",
        "kubectl get secret db",
        "GIT_ASKPASS=x",
        "bypass=all",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-learn-pipeline-with-a-long-name",
        "sk-ant-xxxxxxxxxxxxxxxxxxxx",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "hf_hub_download_with_a_long_function_name",
        "npm_config_registry_and_other_things_here",
        "PASSWORD= make test",
        "read -s -p \"Enter your password: \" PW",
        "find / -name mysql -print",
        "openvpn --secret path/to/key",
    ]);
}

#[test]
fn redacting_twice_changes_nothing_more() {
    let texts = [
        format!("PASSWORD=ghp_{A36} x=ghp_{A36}ghp_{A36}"),
        format!("https://ghp_{A36}:{A36}@h {AWS} AKIAQWERTYUIOPASDFGH {AWS}"),
        "password=a = b = c = d = e = f = g".into(),
        "Cookie: a=b".into(),
        "echo a1 | sudo -S x".into(),
    ];
    for text in &texts {
        let once = redact(text.as_bytes()).into_owned();
        assert_eq!(
            shown(std::str::from_utf8(&once).unwrap()).as_bytes(),
            once,
            "{text}"
        );
        assert!(find(&once).is_empty());
    }
}

#[test]
fn a_forged_replacement_hides_nothing() {
    becomes(&[
        (
            "PASSWORD=[REDACTED:password]x1",
            "PASSWORD=[REDACTED:password]",
        ),
        (
            "PASSWORD=abc[REDACTED:password]",
            "PASSWORD=[REDACTED:password]",
        ),
        (
            "PASSWORD=[REDACTED:hunter2]",
            "PASSWORD=[REDACTED:password]",
        ),
    ]);
}

/// A small generator of numbers, so that a failure can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
