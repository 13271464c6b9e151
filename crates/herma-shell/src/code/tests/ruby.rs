use super::*;

const RUBY: Language = Language::Ruby;

#[test]
fn shell_text_is_found_in_every_form() {
    for code in [
        "system('reboot')",
        "system \"reboot\"",
        "exec 'reboot'",
        "`reboot`",
        "puts `reboot`",
        "%x(reboot)",
        "%x{reboot}",
        "spawn 'reboot'",
        "IO.popen('reboot')",
        "require 'open3'; Open3.capture2('reboot')",
        "c = 'boot'; system(\"re#{c}\")",
        "c = 'boot'\nsystem('re' + c)",
        "system(%q(reboot))",
        "Kernel.system('reboot')",
        "open('|reboot')",
        "system(['re', 'boot'].join)",
        "puts \"#{`reboot`}\"",
        "require 'base64'; system(Base64.decode64('cmVib290'))",
        "[1].each { |x| system 'reboot' }",
    ] {
        assert_eq!(does(RUBY, code), ["shell: reboot"], "{code}");
    }
}

#[test]
fn programs_and_calls_are_found() {
    all(
        RUBY,
        &[
            (
                "Dir['*.db'].each { |f| File.delete(f) }",
                &["call: rm -- {*.db}"],
            ),
            (
                "%w[a b].each { |d| FileUtils.rm_rf(d) }",
                &["call: rm -rf -- a b"],
            ),
            (
                "eval Net::HTTP.get(URI('http://h'))",
                &["code: <fetched>", "call: curl -- http://h"],
            ),
            ("system('rm', '-rf', '/')", &["run: rm -rf /"]),
            ("exec 'rm', '-rf', '/'", &["run: rm -rf /"]),
            ("system(*%w[rm -rf /])", &["run: rm -rf /"]),
            (
                "require 'fileutils'; FileUtils.rm_rf('/')",
                &["call: rm -rf -- /"],
            ),
            ("FileUtils.rm_rf \"storage\"", &["call: rm -rf -- storage"]),
            ("FileUtils.rm_rf %w[a b]", &["call: rm -rf -- a b"]),
            ("FileUtils.rm_rf(Dir.home)", &["call: rm -rf -- <HOME>"]),
            ("FileUtils.rm_rf(ENV['HOME'])", &["call: rm -rf -- <HOME>"]),
            (
                "FileUtils.rm_rf(File.join(ENV.fetch('HOME'), 'x'))",
                &["call: rm -rf -- <HOME>/x"],
            ),
            (
                "FileUtils.rm_rf(Dir.glob('data/*'))",
                &["call: rm -rf -- {data/*}"],
            ),
            ("include FileUtils; rm_rf '/'", &["call: rm -rf -- /"]),
            (
                "Dir.glob('*.db').each { |f| File.delete(f) }",
                &["call: rm -- {*.db}"],
            ),
            (
                "Dir.glob('*.db') do |f|\n  File.delete f\nend",
                &["call: rm -- {*.db}"],
            ),
            ("File.delete('a', 'b')", &["call: rm -- a b"]),
            (
                "require 'pathname'; Pathname.new('/').rmtree",
                &["call: rm -rf -- /"],
            ),
            ("Pathname('x').join('y').rmtree", &["call: rm -rf -- x/y"]),
            (
                "File.write('/etc/hosts', 'x')",
                &["call: tee -- /etc/hosts"],
            ),
            ("File.open('f', 'w') { |f| f.puts 1 }", &["call: tee -- f"]),
            ("puts File.read('f')", &["call: cat -- f"]),
            ("Process.kill('KILL', -1)", &["call: kill -KILL -- -1"]),
            ("Process.kill(:KILL, 12)", &["call: kill -KILL -- 12"]),
            ("FileUtils.mv 'a', 'b'", &["call: mv -- a b"]),
            ("eval 'puts 1'", &["code: puts 1"]),
            (
                "require 'open-uri'; eval(URI.open('http://h').read)",
                &["code: <fetched>", "call: curl -- http://h"],
            ),
        ],
    );
}

#[test]
fn words_that_are_no_calls_do_nothing() {
    nothing(
        RUBY,
        &[
            "puts 1+1",
            "# system('reboot')",
            "puts \"system('reboot')\"",
            "puts 'a `reboot` b'",
            "=begin\nsystem('reboot')\n=end\nputs 1",
            "obj.system('reboot')",
            "h = {system: 'x', exec: 'y'}",
            "x = a % b",
            "list.delete('x')",
            "puts <<~E\n  system('reboot')\nE\n",
            "puts(<<-'E')\n`reboot`\nE\n",
            "text =~ /`reboot`/",
            "array.rm_rf('x')",
            "a ? b : c",
        ],
    );
}
