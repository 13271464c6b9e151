// What a parent is told of its children, one line each; the same outside and under the guard.
// `waits pid-1` tries to reach process 1 instead.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *sleeper[] = {"sleep", "30", 0};

static void say(const char *what, int options, int pid) {
    siginfo_t info = {0};
    int done = waitid(P_PID, pid, &info, options);
    printf("%s: %d code %d status %d\n", what, done, info.si_code, done ? 0 : info.si_status);
}

static int begin(const char *path, char **words) {
    int pid = fork();
    if (pid) return pid;
    execv(path, words);
    _exit(99);
}

static void line(const char *what, int pid, const char *key) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file))
        // Of signals the first 31; the others belong to C libraries.
        if (!strncmp(text, "Sig", 3) && !strncmp(text, key, strlen(key)))
            printf("%s %s %llx\n", what, key, strtoull(text + 8, 0, 16) & 0x7fffffff);
        else if (!strncmp(text, key, strlen(key))) printf("%s %s", what, text);
    if (file) fclose(file);
}

static void at_end(int signal) {
    (void)signal;
    write(1, "told\n", 5);
}

static int process_1(void) {
    char byte = 0;
    printf("kill: %d\n", kill(1, SIGKILL) ? errno : 0);
    printf("stop: %d\n", kill(1, SIGSTOP) ? errno : 0);
    printf("seize: %s\n", ptrace(PTRACE_SEIZE, 1, 0, 0) ? strerror(errno) : "done");
    for (const char **it = (const char *[]){"mem", "environ", "maps", "exe", "cwd", "fd/3", "root", 0}; *it; it++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/1/%s", *it);
        int fd = open(path, O_RDONLY);
        printf("%s: %s\n", *it, fd < 0 || (read(fd, &byte, 1) < 0 && errno != EISDIR) ? "refused" : "open");
    }
    int fd = syscall(SYS_pidfd_open, 1, 0);
    printf("descriptor: %s\n", syscall(SYS_pidfd_getfd, fd, 3, 0) < 0 ? "refused" : "open");
    struct rlimit none = {0, 0};
    printf("limits: %s\n", prlimit(1, RLIMIT_NOFILE, &none, 0) ? "refused" : "set");
    printf("priority: %s\n", setpriority(PRIO_PROCESS, 1, 19) ? "refused" : "set");
    // It still works.
    int status, pid = begin("/bin/true", (char *[]){"true", 0});
    waitpid(pid, &status, 0);
    return printf("alive: %d\n", status), 0;
}

int main(int argc, char **argv) {
    setvbuf(stdout, 0, _IONBF, 0);
    if (argc > 1) return process_1();
    int pid = begin("/bin/sleep", sleeper);
    usleep(200000);
    line("running", pid, "State");
    line("running", pid, "TracerPid");
    kill(pid, SIGSTOP);
    say("stopped, left", WSTOPPED | WNOWAIT, pid);
    say("stopped", WSTOPPED, pid);
    say("once", WSTOPPED | WNOHANG, pid);
    line("stopped", pid, "State");
    kill(pid, SIGCONT);
    say("continued", WCONTINUED, pid);
    kill(pid, SIGTERM);
    say("ended, left", WEXITED | WNOWAIT, pid);
    line("ended", pid, "State");
    say("ended", WEXITED, pid);
    say("gone", WEXITED, pid);
    pid = begin("/bin/sh", (char *[]){"sh", "-c", "exit 43", 0});
    say("code", WEXITED, pid);
    pid = begin("/bin/sh", (char *[]){"sh", "-c", "kill -SEGV $$", 0});
    say("fault", WEXITED, pid);
    pid = begin("/no/such", sleeper);
    say("none", WEXITED, pid);
    pid = begin("/etc/passwd", sleeper);
    say("no program", WEXITED, pid);
    // Stopped before it becomes a program, and after.
    if (!(pid = fork())) {
        raise(SIGSTOP);
        execv("/bin/sleep", sleeper);
        _exit(99);
    }
    say("stops itself", WSTOPPED, pid);
    kill(pid, SIGCONT);
    usleep(200000);
    line("goes on", pid, "State");
    kill(pid, SIGKILL);
    say("killed", WEXITED, pid);
    // Signals that are blocked or ignored stay so, and those that wait come after.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (!(pid = fork())) {
        sigprocmask(SIG_BLOCK, &set, 0);
        signal(SIGHUP, SIG_IGN);
        raise(SIGUSR1);
        execv("/bin/sleep", sleeper);
    }
    usleep(200000);
    line("signals", pid, "SigPnd");
    line("signals", pid, "ShdPnd");
    line("signals", pid, "SigBlk");
    line("signals", pid, "SigIgn");
    kill(pid, SIGKILL);
    say("killed", WEXITED, pid);
    // The parent's end is told to whoever asked.
    signal(SIGCHLD, at_end);
    pid = begin("/bin/true", (char *[]){"true", 0});
    while (waitpid(pid, 0, 0) < 0) {}
    signal(SIGCHLD, SIG_IGN);
    pid = begin("/bin/true", (char *[]){"true", 0});
    say("nobody waits", WEXITED, pid);
    return 0;
}
