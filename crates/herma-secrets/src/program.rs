//! Short options that take a password, by the program in front of them.

/// A program that takes credentials in a way of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// None of these.
    Other,
    /// `mysql` and its kin: `-pPASSWORD`.
    Mysql,
    /// `sshpass -p PASSWORD`.
    Sshpass,
    /// `curl -u USER:PASSWORD`.
    Curl,
    /// `docker`, `podman` …
    Container,
    /// … with `login -p PASSWORD`.
    ContainerLogin,
    /// `redis-cli -a PASSWORD`.
    Redis,
    /// `sudo`, whose `-S` takes what is piped in.
    Sudo,
    /// `echo` and `printf`, whose words may be piped into the above.
    Print,
}

/// Where the credential of an option stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    /// The whole value.
    Whole,
    /// What follows the first colon.
    BehindColon,
}

impl Program {
    /// The program with this name, if it is one of these.
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"mysql" | b"mysqldump" | b"mysqladmin" | b"mysqlimport" | b"mariadb"
            | b"mariadb-dump" | b"mariadb-admin" => Some(Self::Mysql),
            b"sshpass" => Some(Self::Sshpass),
            b"curl" | b"xh" | b"http" => Some(Self::Curl),
            b"docker" | b"podman" | b"nerdctl" | b"helm" | b"oras" => Some(Self::Container),
            b"redis-cli" => Some(Self::Redis),
            b"sudo" => Some(Self::Sudo),
            b"echo" | b"printf" => Some(Self::Print),
            _ => None,
        }
    }

    /// The value of the option word that begins at `at` (behind a blank): where it begins and what
    /// of it is secret. `next` is the start of the next word.
    pub(crate) fn option(self, word: &[u8], next: usize, at: usize) -> Option<(usize, Credential)> {
        let attached = |length: usize| {
            if word.len() > length {
                at + length
            } else {
                next
            }
        };
        match self {
            // The words of `find -name mysql -print`.
            Self::Mysql if matches!(word, b"-print" | b"-print0" | b"-prune" | b"-path") => None,
            Self::Mysql if word.starts_with(b"-p") && word.len() > 2 => {
                Some((at + 2, Credential::Whole))
            }
            Self::Sshpass | Self::ContainerLogin if word.starts_with(b"-p") => {
                Some((attached(2), Credential::Whole))
            }
            Self::Redis if word == b"-a" => Some((next, Credential::Whole)),
            Self::Curl if word == b"--user" || word == b"--proxy-user" || word == b"-a" => {
                Some((next, Credential::BehindColon))
            }
            Self::Curl if word.starts_with(b"-u") || word.starts_with(b"-U") => {
                Some((attached(2), Credential::BehindColon))
            }
            _ => None,
        }
    }
}
