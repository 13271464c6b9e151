//! The password database, as far as homes go.

use std::io::Read;

/// Bytes of the database that are read.
const LIMIT: u64 = 1 << 20;

/// The database as it was read.
pub(crate) struct Users(Vec<u8>);

/// Reads the database; without one nobody is known.
pub(crate) fn users() -> Users {
    let mut users = Vec::with_capacity(8192);
    let read = std::fs::File::open("/etc/passwd")
        .and_then(|file| file.take(LIMIT).read_to_end(&mut users));
    Users(read.map(|_| users).unwrap_or_default())
}

impl Users {
    /// The home of a user by name, or of the user that runs this process.
    pub(crate) fn home(&self, user: Option<&[u8]>) -> Option<Vec<u8>> {
        find(&self.0, user, rustix::process::getuid().as_raw())
    }
}

/// The home of the user that runs this process.
pub(crate) fn account_home() -> Option<Vec<u8>> {
    users().home(None)
}

/// The current user's home: `HOME`, else by the database.
pub(crate) fn own_home() -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    std::env::var_os("HOME")
        .map(OsStringExt::into_vec)
        .filter(|home| home.starts_with(b"/"))
        .or_else(account_home)
}

fn find(users: &[u8], user: Option<&[u8]>, uid: u32) -> Option<Vec<u8>> {
    let uid = uid.to_string();
    for line in users.split(|byte| *byte == b'\n') {
        let mut fields = line.split(|byte| *byte == b':');
        let (name, id, home) = (fields.next(), fields.nth(1), fields.nth(2));
        let wanted = match user {
            Some(user) => name == Some(user),
            None => id == Some(uid.as_bytes()),
        };
        if let (true, Some(home)) = (wanted, home)
            && home.starts_with(b"/")
        {
            return Some(home.to_vec());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find;

    const USERS: &[u8] = b"root:x:0:0:root:/root:/bin/sh\nbroken\nno:x:5:5::\n\
        dev:x:1000:1000:Dev,,,:/home/dev:/bin/bash\n";

    #[test]
    fn a_home_is_found_by_name_and_by_number() {
        assert_eq!(find(USERS, None, 1000), Some(b"/home/dev".to_vec()));
        assert_eq!(find(USERS, Some(b"root"), 1000), Some(b"/root".to_vec()));
        assert_eq!(find(USERS, Some(b"who"), 1000), None);
        assert_eq!(find(USERS, None, 5), None);
        assert_eq!(find(USERS, Some(b"broken"), 1000), None);
        assert_eq!(find(b"", None, 0), None);
    }
}
