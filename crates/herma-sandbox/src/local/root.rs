//! The file system inside: the plan's mounts, carried out.
//!
//! The new root is mounted on top of the old one. Lookups of absolute paths start below it, at the
//! old root, and the new one is reached by its descriptor. So everything of the machine's can be
//! found while the new root is filled, wherever it is.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags,
    OpenTreeFlags, UnmountFlags,
};

use crate::Error;
use crate::plan::{Mount, Plan};
use crate::sys::mount::{Attributes, set_attributes};

/// Where content of files and changes of private directories lie while the root is filled.
const SCRATCH: &str = ".herma";

/// Devices that exist inside.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];

/// Links in `/dev`.
const LINKS: &[(&str, &str)] = &[
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
    ("ptmx", "pts/ptmx"),
];

/// Directories in memory that hold no programs.
const DATA: &[&str] = &["/dev/shm", "/run"];

/// What in `/proc` speaks of the whole machine and could be changed by its root.
const PROC_FIXED: &[&str] = &["acpi", "bus", "fs", "irq", "scsi", "sys", "sysrq-trigger"];

/// What in `/proc` says what nobody inside should know.
const PROC_EMPTY: &[&str] = &[
    "kcore",
    "keys",
    "key-users",
    "kmsg",
    "sched_debug",
    "timer_list",
];

const PLAIN: Attributes = Attributes {
    read_only: false,
    no_devices: true,
    no_programs: false,
};

const FIXED: Attributes = Attributes {
    read_only: true,
    ..PLAIN
};

/// A root that is being filled.
struct Root {
    root: OwnedFd,
    scratch: OwnedFd,
    /// How many things lie in `scratch`.
    made: u32,
    /// What has been mounted, and whether mount points may be made there.
    mounted: Vec<(PathBuf, bool)>,
    /// Directories in memory that can only be read once everything is there.
    sealed: Vec<OwnedFd>,
    tasks: Option<u64>,
}

/// Makes the plan's view of the file system this process's. The mount namespace is its own.
pub(super) fn enter(plan: &Plan) -> Result<(), Error> {
    let at = |step| move |why: Errno| Error::system(step, why);
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change("/", private).map_err(at("keep mounts private"))?;
    let old = open(CWD, Path::new("/")).map_err(at("open the root"))?;
    let root = memory(plan.limits.temporary, 0o755).map_err(at("make a root"))?;
    place(
        root.as_fd(),
        open(CWD, Path::new("/"))
            .map_err(at("open the root"))?
            .as_fd(),
    )
    .map_err(at("mount the root"))?;
    let scratch = memory(plan.limits.temporary, 0o755).map_err(at("make a place for content"))?;
    rustix::fs::mkdirat(&root, SCRATCH, Mode::from(0o755))
        .map_err(at("make a place for content"))?;
    let point = open(root.as_fd(), Path::new(SCRATCH)).map_err(at("make a place for content"))?;
    place(scratch.as_fd(), point.as_fd()).map_err(at("mount a place for content"))?;
    let mut building = Root {
        root,
        scratch,
        made: 0,
        mounted: vec![(PathBuf::from("/"), true)],
        sealed: Vec::new(),
        tasks: plan.limits.tasks,
    };
    for mount in &plan.mounts {
        building.mount(mount)?;
    }
    building.turn(old)
}

impl Root {
    fn mount(&mut self, mount: &Mount) -> Result<(), Error> {
        let to = mount.to();
        let fail = |step: &'static str| move |why: Errno| failed(step, to, why);
        match mount {
            Mount::Bind { from, to, write } => {
                let tree = clone(from)?;
                let attributes = if *write { PLAIN } else { FIXED };
                set_attributes(tree.as_fd(), attributes, true)
                    .map_err(|why| Error::file("fix", to, why))?;
                self.put(&tree, to, false)
            }
            Mount::Private { from, to } => match self.overlay(from) {
                Ok(tree) => self.put(&tree, to, false),
                Err(_) => {
                    let tree = clone(from)?;
                    set_attributes(tree.as_fd(), FIXED, true)
                        .map_err(|why| Error::file("fix", to, why))?;
                    self.put(&tree, to, false)
                }
            },
            Mount::Tmpfs { to, size, mode } => {
                let tree = memory(*size, *mode).map_err(fail("make a directory in memory for"))?;
                if DATA.iter().any(|it| to == Path::new(it)) {
                    let attributes = Attributes {
                        no_programs: true,
                        ..PLAIN
                    };
                    set_attributes(tree.as_fd(), attributes, false)
                        .map_err(|why| Error::file("fix", to, why))?;
                }
                self.put(&tree, to, true)
            }
            Mount::Proc { to } => self.processes(to),
            Mount::Dev { to } => self.devices(to),
            Mount::File { to, content } => {
                let name = self.name();
                self.write(&name, content).map_err(fail("write"))?;
                self.put_scratch(&name, to)
            }
            Mount::MaskFile { to } => {
                let name = self.name();
                self.write(&name, &[]).map_err(fail("write"))?;
                self.put_scratch(&name, to)
            }
            Mount::MaskDirectory { to } => {
                let name = self.name();
                rustix::fs::mkdirat(&self.scratch, &name, Mode::from(0o555))
                    .map_err(fail("make an empty directory for"))?;
                self.put_scratch(&name, to)
            }
            Mount::Link { to, target } => self.link(to, target),
            Mount::Pin { to } => {
                let here = self.find(to)?;
                let tree = clone_of(here.as_fd()).map_err(fail("pin"))?;
                place(tree.as_fd(), here.as_fd()).map_err(fail("pin"))?;
                self.mounted.push((to.clone(), false));
                Ok(())
            }
            Mount::ReadOnly { to } => self.fix(to),
        }
    }

    fn fix(&mut self, to: &Path) -> Result<(), Error> {
        let fail = |why: Errno| failed("protect", to, why);
        let here = self.find(to)?;
        let tree = clone_of(here.as_fd()).map_err(fail)?;
        set_attributes(tree.as_fd(), FIXED, true).map_err(|why| Error::file("protect", to, why))?;
        place(tree.as_fd(), here.as_fd()).map_err(fail)?;
        self.mounted.push((to.to_owned(), false));
        Ok(())
    }

    fn processes(&mut self, to: &Path) -> Result<(), Error> {
        let fail = |step: &'static str| move |why: Errno| failed(step, to, why);
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID
            | MountAttrFlags::MOUNT_ATTR_NODEV
            | MountAttrFlags::MOUNT_ATTR_NOEXEC;
        let tree = filesystem("proc", &[], flags).map_err(fail("mount the processes at"))?;
        if let Some(tasks) = self.tasks {
            self::tasks(tree.as_fd(), tasks);
        }
        self.put(&tree, to, false)?;
        for name in PROC_FIXED {
            let path = to.join(name);
            if self.find(&path).is_ok() {
                self.fix(&path)?;
            }
        }
        for name in PROC_EMPTY {
            let to = to.join(name);
            if self.find(&to).is_ok() {
                self.mount(&Mount::MaskFile { to })?;
            }
        }
        Ok(())
    }

    fn devices(&mut self, to: &Path) -> Result<(), Error> {
        let fail = |step: &'static str| move |why: Errno| failed(step, to, why);
        // Room for names; nothing else is written there.
        let tree = memory(1 << 20, 0o755).map_err(fail("make devices at"))?;
        self.put(&tree, to, true)?;
        let attributes = Attributes {
            read_only: false,
            no_devices: false,
            no_programs: true,
        };
        for name in DEVICES {
            let from = Path::new("/dev").join(name);
            let device = clone(&from)?;
            set_attributes(device.as_fd(), attributes, false)
                .map_err(|why| Error::file("fix", &from, why))?;
            self.put(&device, &to.join(name), false)?;
        }
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC;
        let terminals = filesystem("devpts", &[("mode", "0620"), ("ptmxmode", "0666")], flags)
            .map_err(fail("make terminals in"))?;
        self.put(&terminals, &to.join("pts"), false)?;
        for (name, target) in LINKS {
            rustix::fs::symlinkat(*target, &tree, *name).map_err(fail("make links in"))?;
        }
        self.sealed.push(tree);
        Ok(())
    }

    fn link(&mut self, to: &Path, target: &Path) -> Result<(), Error> {
        let fail = |why: Errno| failed("make a link at", to, why);
        let (parent, name) = split(to)?;
        if let Ok(here) = self.find(to) {
            let link = self.name();
            rustix::fs::symlinkat(target, &self.scratch, &link).map_err(fail)?;
            let tree = open(self.scratch.as_fd(), Path::new(&link)).map_err(fail)?;
            let tree = clone_of(tree.as_fd()).map_err(fail)?;
            place(tree.as_fd(), here.as_fd()).map_err(fail)?;
            self.mounted.push((to.to_owned(), false));
            return Ok(());
        }
        let parent = self.directory(parent)?;
        rustix::fs::symlinkat(target, &parent, name).map_err(fail)
    }

    /// A directory of the machine under changes that stay in memory.
    fn overlay(&mut self, from: &Path) -> Result<OwnedFd, Errno> {
        let name = self.name();
        for part in ["", "/upper", "/work"] {
            let path = format!("{name}{part}");
            rustix::fs::mkdirat(&self.scratch, path, Mode::from(0o755))?;
        }
        let lower = open(CWD, from)?;
        let shown = rustix::fs::fstat(&lower)?;
        if !FileType::from_raw_mode(shown.st_mode).is_dir() {
            return Err(Errno::NOTDIR);
        }
        let within = |fd: BorrowedFd<'_>, rest: &str| {
            use std::os::fd::AsRawFd;
            format!("/proc/self/fd/{}{rest}", fd.as_raw_fd())
        };
        let lower = within(lower.as_fd(), "");
        let upper = within(self.scratch.as_fd(), &format!("/{name}/upper"));
        let work = within(self.scratch.as_fd(), &format!("/{name}/work"));
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        let context = rustix::mount::fsopen("overlay", FsOpenFlags::FSOPEN_CLOEXEC)?;
        rustix::mount::fsconfig_set_string(&context, "lowerdir", &lower)?;
        rustix::mount::fsconfig_set_string(&context, "upperdir", &upper)?;
        rustix::mount::fsconfig_set_string(&context, "workdir", &work)?;
        rustix::mount::fsconfig_set_flag(&context, "userxattr")?;
        rustix::mount::fsconfig_create(&context)?;
        rustix::mount::fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
    }

    /// Mounts a tree; its mount point is made where that is possible.
    fn put(&mut self, tree: &OwnedFd, to: &Path, memory: bool) -> Result<(), Error> {
        let fail = |why: Errno| failed("mount", to, why);
        let point = match self.find(to) {
            Ok(point) => point,
            Err(why) => self.point(tree, to)?.ok_or(why)?,
        };
        place(tree.as_fd(), point.as_fd()).map_err(fail)?;
        self.mounted.push((to.to_owned(), memory));
        Ok(())
    }

    /// Mounts what lies in `scratch`, so that it can only be read.
    fn put_scratch(&mut self, name: &str, to: &Path) -> Result<(), Error> {
        let fail = |why: Errno| failed("mount", to, why);
        let tree = open(self.scratch.as_fd(), Path::new(name)).map_err(fail)?;
        let tree = clone_of(tree.as_fd()).map_err(fail)?;
        set_attributes(tree.as_fd(), FIXED, false).map_err(|why| Error::file("fix", to, why))?;
        self.put(&tree, to, false)
    }

    /// Makes a mount point; `None` where that would change something of the machine's.
    fn point(&mut self, tree: &OwnedFd, to: &Path) -> Result<Option<OwnedFd>, Error> {
        let fail = |why: Errno| failed("make a mount point at", to, why);
        if !self.is_free(to) {
            return Ok(None);
        }
        let (parent, name) = split(to)?;
        let parent = self.directory(parent)?;
        let mode = rustix::fs::fstat(tree).map_err(fail)?.st_mode;
        if FileType::from_raw_mode(mode).is_dir() {
            rustix::fs::mkdirat(&parent, name, Mode::from(0o755)).map_err(fail)?;
        } else {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
            rustix::fs::openat(&parent, name, flags, Mode::from(0o444)).map_err(fail)?;
        }
        self.find(to).map(Some)
    }

    /// A directory inside, made with its parents where that is possible.
    fn directory(&mut self, path: &Path) -> Result<OwnedFd, Error> {
        if let Ok(found) = self.find(path) {
            return Ok(found);
        }
        if !self.is_free(path) {
            return Err(Error::Changed(path.to_owned()));
        }
        let (parent, name) = split(path)?;
        let parent = self.directory(parent)?;
        rustix::fs::mkdirat(&parent, name, Mode::from(0o755))
            .map_err(|why| failed("make a directory at", path, why))?;
        self.find(path)
    }

    /// Whether what is at a path lies in memory, so that names may be made there.
    fn is_free(&self, path: &Path) -> bool {
        let within = self.mounted.iter().filter(|(it, _)| path.starts_with(it));
        within
            .max_by_key(|(it, _)| it.components().count())
            .is_some_and(|(_, memory)| *memory)
    }

    /// What is at a path inside. No part of it is a link.
    fn find(&self, path: &Path) -> Result<OwnedFd, Error> {
        let inside = path.strip_prefix("/").unwrap_or(path);
        let inside = if inside.as_os_str().is_empty() {
            Path::new(".")
        } else {
            inside
        };
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let found = match rustix::fs::openat2(&self.root, inside, flags, Mode::empty(), resolve) {
            // Around this sandbox is another one.
            Err(Errno::NOSYS) => descend(self.root.as_fd(), inside),
            found => found,
        };
        found.map_err(|why| match why {
            Errno::NOENT => Error::Changed(path.to_owned()),
            why => failed("find", path, why),
        })
    }

    fn name(&mut self) -> String {
        self.made += 1;
        self.made.to_string()
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<(), Errno> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.scratch, name, flags, Mode::from(0o444))?;
        let mut rest = content;
        while !rest.is_empty() {
            let written = rustix::io::write(&file, rest)?;
            rest = rest.get(written..).unwrap_or_default();
        }
        Ok(())
    }

    /// Makes this the root, and the old one unreachable.
    fn turn(self, old: OwnedFd) -> Result<(), Error> {
        let at = |step| move |why: Errno| Error::system(step, why);
        rustix::process::fchdir(&self.root).map_err(at("enter the root"))?;
        rustix::process::pivot_root(".", ".").map_err(at("change the root"))?;
        rustix::process::fchdir(&old).map_err(at("leave the old root"))?;
        rustix::mount::unmount(".", UnmountFlags::DETACH).map_err(at("leave the old root"))?;
        rustix::process::chdir("/").map_err(at("enter the root"))?;
        rustix::mount::unmount(SCRATCH, UnmountFlags::DETACH)
            .map_err(at("leave the place for content"))?;
        rustix::fs::unlinkat(CWD, SCRATCH, AtFlags::REMOVEDIR)
            .map_err(at("leave the place for content"))?;
        for mount in self.sealed.iter().chain([&self.root]) {
            set_attributes(mount.as_fd(), FIXED, false)
                .map_err(|why| Error::system("seal the root", why))?;
        }
        Ok(())
    }
}

/// What is at a path below a directory, name by name. No part of it is a link.
fn descend(root: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    let mut at = open(root, Path::new("."))?;
    for name in path.components() {
        match name {
            Component::CurDir => continue,
            Component::Normal(name) => at = open(at.as_fd(), Path::new(name))?,
            _ => return Err(Errno::XDEV),
        }
        if FileType::from_raw_mode(rustix::fs::fstat(&at)?.st_mode).is_symlink() {
            return Err(Errno::LOOP);
        }
    }
    Ok(at)
}

fn failed(step: &'static str, path: &Path, why: Errno) -> Error {
    Error::file(step, path, why)
}

fn split(path: &Path) -> Result<(&Path, &OsStr), Error> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok((parent, name)),
        _ => Err(Error::Changed(path.to_owned())),
    }
}

fn open(at: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(at, path, flags, Mode::empty())
}

/// A copy of the mounts at a path of the machine.
fn clone(from: &Path) -> Result<OwnedFd, Error> {
    open(CWD, from)
        .and_then(|it| clone_of(it.as_fd()))
        .map_err(|why| match why {
            Errno::NOENT => Error::Changed(from.to_owned()),
            why => failed("look at", from, why),
        })
}

fn clone_of(what: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_EMPTY_PATH;
    rustix::mount::open_tree(what, "", flags)
}

fn place(tree: BorrowedFd<'_>, point: BorrowedFd<'_>) -> Result<(), Errno> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    rustix::mount::move_mount(tree, "", point, "", flags)
}

fn memory(size: u64, mode: u32) -> Result<OwnedFd, Errno> {
    let (size, mode) = (size.to_string(), format!("{mode:o}"));
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    filesystem("tmpfs", &[("size", &size), ("mode", &mode)], flags)
}

fn filesystem(
    kind: &str,
    options: &[(&str, &str)],
    flags: MountAttrFlags,
) -> Result<OwnedFd, Errno> {
    let context = rustix::mount::fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        rustix::mount::fsconfig_set_string(&context, *key, *value)?;
    }
    rustix::mount::fsconfig_create(&context)?;
    rustix::mount::fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
}

/// Bounds the numbers of processes, which bounds the processes, for those as well whose number no
/// limit of their own bounds: the machine's root. Kernels before 6.14 cannot.
fn tasks(processes: BorrowedFd<'_>, most: u64) {
    /// Numbers below are never given again.
    const RESERVED: u64 = 300;
    // Before, the number is the machine's.
    if release() < Some((6, 14)) {
        return;
    }
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    let path = "sys/kernel/pid_max";
    if let Ok(file) = rustix::fs::openat(processes, path, flags, Mode::empty()) {
        let text = most.saturating_add(RESERVED).to_string();
        let _ = rustix::io::write(file, text.as_bytes());
    }
}

/// The kernel's version.
fn release() -> Option<(u32, u32)> {
    let name = rustix::system::uname();
    let mut parts = name.release().to_str().ok()?.split(['.', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
