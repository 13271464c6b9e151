/* Runs shell scripts in throw-away namespaces. A tool of the tests, never shipped.
 *
 * runner ROOT MILLISECONDS SHELL
 *
 * Standard input: frames of a 32-bit little-endian length and a script. For each, standard output
 * gets a 32-bit state (0 ended by itself, 1 stopped at the limit, 2 could not be set up), a 32-bit
 * length, and the argv log that the stubs wrote.
 *
 * Started by root it first becomes an ordinary user. It then makes user, mount, pid, net, ipc and
 * uts namespaces, enters ROOT read-only, and gives each script a pid namespace, a mount namespace
 * with fresh /dev /tmp /home /proc, an unprivileged user 1000, and limits.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ORDINARY_UID 61000
#define SCRIPT_UID "1000"

static const char *shell;

static void die(const char *what) {
    fprintf(stderr, "oracle runner: %s: %s\n", what, strerror(errno));
    _exit(70);
}

static void must(int result, const char *what) {
    if (result < 0) die(what);
}

static int put_file(int dir, const char *path, const char *text) {
    int fd = openat(dir, path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t n = write(fd, text, strlen(text));
    close(fd);
    return n < 0 ? -1 : 0;
}

static int read_full(int fd, void *buffer, size_t size) {
    char *at = buffer;
    while (size > 0) {
        ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

static void write_full(int fd, const void *buffer, size_t size) {
    const char *at = buffer;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(0);
        at += n;
        size -= (size_t)n;
    }
}

static void limit(int resource, rlim_t value) {
    struct rlimit both = {value, value};
    must(setrlimit(resource, &both), "setrlimit");
}

/* The namespaces and the root that all scripts share. */
static void enter_house(const char *root) {
    /* The working directory moves along into the new mount namespace; a descriptor would not. */
    must(chdir(root), root);
    if (geteuid() == 0) {
        must(setgroups(0, NULL), "setgroups");
        uid_t uid = ORDINARY_UID + (uid_t)(getpid() % 1000);
        must(setresgid(uid, uid, uid), "setresgid");
        must(setresuid(uid, uid, uid), "setresuid");
        must(prctl(PR_SET_DUMPABLE, 1), "dumpable");
    }
    char uid_map[64], gid_map[64];
    snprintf(uid_map, sizeof uid_map, "0 %u 1", geteuid());
    snprintf(gid_map, sizeof gid_map, "0 %u 1", getegid());
    must(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS), "unshare");
    must(put_file(AT_FDCWD, "/proc/self/setgroups", "deny"), "setgroups");
    must(put_file(AT_FDCWD, "/proc/self/uid_map", uid_map), "uid_map");
    must(put_file(AT_FDCWD, "/proc/self/gid_map", gid_map), "gid_map");
    pid_t first = fork();
    must(first, "fork");
    if (first > 0) {
        int status = 0;
        while (waitpid(first, &status, 0) < 0 && errno == EINTR) {}
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 70);
    }
    must(prctl(PR_SET_PDEATHSIG, SIGKILL), "pdeathsig");
    must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private");
    must(mount("oracle", "/tmp", "tmpfs", 0, "mode=755"), "stage");
    must(mkdir("/tmp/root", 0755), "stage root");
    must(mount(".", "/tmp/root", NULL, MS_BIND, NULL), "bind root");
    struct statvfs have;
    must(statvfs("/tmp/root", &have), "statvfs");
    unsigned long keep = have.f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME | MS_RELATIME);
    static const char *nodes[] = {"null", "zero", "full", "random", "urandom", NULL};
    for (int i = 0; nodes[i]; i++) {
        char from[64], to[64];
        snprintf(from, sizeof from, "/dev/%s", nodes[i]);
        snprintf(to, sizeof to, "/tmp/root/.dev/%s", nodes[i]);
        must(mount(from, to, NULL, MS_BIND, NULL), to);
    }
    must(mount(NULL, "/tmp/root", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | keep, NULL), "read-only root");
    must(mount("oracle", "/tmp/root/.log", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=8m"), "log");
    must(mount("proc", "/tmp/root/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "proc");
    must(chdir("/tmp/root"), "chdir");
    must((int)syscall(SYS_pivot_root, ".", "."), "pivot_root");
    must(umount2(".", MNT_DETACH), "leave the old root");
    must(chdir("/"), "chdir /");
    must(sethostname("oracle", 6), "hostname");
}

static void copy_file(const char *from, const char *to) {
    char buffer[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    if (in < 0 || out < 0) die(to);
    ssize_t n = read(in, buffer, sizeof buffer);
    if (n > 0) write_full(out, buffer, (size_t)n);
    close(in);
    close(out);
}

/* Fresh writable places for one script. */
static void furnish(void) {
    must(mount("dev", "/dev", "tmpfs", MS_NOSUID, "mode=755,size=1m"), "/dev");
    static const char *nodes[] = {"null", "zero", "full", "random", "urandom", NULL};
    for (int i = 0; nodes[i]; i++) {
        char from[64], to[64];
        snprintf(from, sizeof from, "/.dev/%s", nodes[i]);
        snprintf(to, sizeof to, "/dev/%s", nodes[i]);
        int fd = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        must(fd, to);
        close(fd);
        must(mount(from, to, NULL, MS_BIND, NULL), to);
    }
    must(symlink("/proc/self/fd", "/dev/fd"), "/dev/fd");
    must(symlink("/proc/self/fd/0", "/dev/stdin"), "/dev/stdin");
    must(symlink("/proc/self/fd/1", "/dev/stdout"), "/dev/stdout");
    must(symlink("/proc/self/fd/2", "/dev/stderr"), "/dev/stderr");
    must(mount("tmp", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=8m"), "/tmp");
    must(mount("home", "/home", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=8m"), "/home");
    must(mkdir("/home/dev", 0755), "home");
    must(mkdir("/home/dev/proj", 0755), "project");
    DIR *files = opendir("/.skeleton");
    if (files) {
        struct dirent *entry;
        while ((entry = readdir(files))) {
            if (entry->d_name[0] == '.') continue;
            char from[512], to[512];
            snprintf(from, sizeof from, "/.skeleton/%s", entry->d_name);
            snprintf(to, sizeof to, "/home/dev/proj/%s", entry->d_name);
            copy_file(from, to);
        }
        closedir(files);
    }
    must(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "/proc");
    /* The log outlives the script, which may write to it and do nothing else to it. */
    must(mount("/.log/argv", "/.log/argv", NULL, MS_BIND, NULL), "log file");
    must(mount(NULL, "/.log", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL), "log folder");
}

/* The first process of a script's pid namespace: sets up, starts the shell, waits for all. */
static void first_process(char *script) {
    must(prctl(PR_SET_PDEATHSIG, SIGKILL), "pdeathsig");
    must(put_file(AT_FDCWD, "/proc/self/setgroups", "deny"), "setgroups");
    must(put_file(AT_FDCWD, "/proc/self/uid_map", SCRIPT_UID " 0 1"), "uid_map");
    must(put_file(AT_FDCWD, "/proc/self/gid_map", SCRIPT_UID " 0 1"), "gid_map");
    furnish();
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
    must(chdir("/home/dev/proj"), "project");
    int null = open("/dev/null", O_RDWR);
    must(null, "/dev/null");
    dup2(null, 0);
    dup2(null, 1);
    if (!getenv("ORACLE_SHOW")) dup2(null, 2);
    pid_t child = fork();
    must(child, "fork");
    if (child == 0) {
        setsid();
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_CPU, 1);
        limit(RLIMIT_FSIZE, 4 << 20);
        limit(RLIMIT_DATA, 256 << 20);
        limit(RLIMIT_NOFILE, 256);
        limit(RLIMIT_NPROC, 200);
        close_range(3, ~0U, 0);
        char *argv[] = {(char *)shell, "-c", script, NULL};
        char *envp[] = {"HOME=/home/dev", "USER=dev", "PATH=/usr/bin:/bin", "SHELL=/bin/bash",
                        "PWD=/home/dev/proj", "LC_ALL=C.UTF-8", NULL};
        execve(shell, argv, envp);
        die(shell);
    }
    while (waitpid(-1, NULL, 0) >= 0 || errno == EINTR) {}
    _exit(0);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: runner ROOT MILLISECONDS SHELL\n");
        return 64;
    }
    int wall = atoi(argv[2]);
    shell = argv[3];
    signal(SIGPIPE, SIG_DFL);
    umask(022);
    enter_house(argv[1]);
    int log = open("/.log/argv", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    must(log, "log");
    must(fchmod(log, 0666), "log");
    for (;;) {
        uint32_t length;
        if (read_full(0, &length, sizeof length) < 0) return 0;
        char *script = malloc((size_t)length + 1);
        if (!script || read_full(0, script, length) < 0) return 70;
        script[length] = 0;
        int pidfd = -1, status = 0;
        struct clone_args args = {
            .flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_PIDFD,
            .pidfd = (uint64_t)(uintptr_t)&pidfd,
            .exit_signal = SIGCHLD,
        };
        pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
        must(pid, "clone3");
        if (pid == 0) first_process(script);
        free(script);
        struct pollfd wait = {.fd = pidfd, .events = POLLIN};
        uint32_t state = 0;
        if (poll(&wait, 1, wall) == 0) {
            kill(pid, SIGKILL);
            state = 1;
        }
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        close(pidfd);
        if (state == 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
            /* Killing everything (`kill -9 -1`) ends the shell, not this process. */
            state = WIFEXITED(status) && WEXITSTATUS(status) == 70 ? 2 : 0;
        }
        struct stat size;
        must(fstat(log, &size), "log");
        uint32_t bytes = (uint32_t)size.st_size;
        char *content = malloc(bytes ? bytes : 1);
        if (!content || pread(log, content, bytes, 0) != (ssize_t)bytes) die("log");
        must(ftruncate(log, 0), "log");
        must(fchmod(log, 0666), "log");
        write_full(1, &state, sizeof state);
        write_full(1, &bytes, sizeof bytes);
        write_full(1, content, bytes);
        free(content);
    }
}
