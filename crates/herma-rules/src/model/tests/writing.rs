use super::{does, of};
use crate::effect::Verb::*;
use crate::place::Place::*;

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
        "7z x a.7z -o%",
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
