// Starts `rm`, a witness in this directory, in every way there is: `spawn floor` with words that are a
// floor, made at run time, `spawn fine` with others. One line for each way: what came of it.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEW_SIGHAND_CLEAR 0x100000000ull

static char *words[] = {"rm", "-rf", 0, 0};

static int start(void *unused) {
    (void)unused;
    execv("./rm", words);
    _exit(9);
}

static void report(const char *way, int pid) {
    int status = 0;
    if (pid < 0) { printf("%s: %s\n", way, strerror(errno)); return; }
    if (waitpid(pid, &status, __WALL) != pid) { printf("%s: lost\n", way); return; }
    if (WIFSIGNALED(status)) printf("%s: signal %d\n", way, WTERMSIG(status));
    else printf("%s: exit %d\n", way, WEXITSTATUS(status));
}

static void by_clone(const char *way, int flags) {
    static char stack[1 << 16] __attribute__((aligned(16)));
    report(way, clone(start, stack + sizeof stack, flags, 0));
}

// The kernel's newer call, for which the C library has no function. A child with a stack of its own
// goes on without coming back from here.
static long newer(unsigned long long flags, int signal, int shared) {
    unsigned long long args[11] = {flags, 0, 0, 0, signal};
    static char stack[1 << 16] __attribute__((aligned(16)));
    if (shared) args[5] = (unsigned long long)stack, args[6] = sizeof stack;
#if defined __x86_64__
    long pid;
    register const char *path __asm__("r12") = "./rm";
    register char **list __asm__("r13") = words;
    register char **none __asm__("r14") = environ;
    __asm__ volatile("syscall\n test %%rax, %%rax\n jnz 1f\n"
                     "mov %[path], %%rdi\n mov %[list], %%rsi\n mov %[none], %%rdx\n mov $59, %%eax\n syscall\n"
                     "mov $9, %%edi\n mov $231, %%eax\n syscall\n 1:"
                     : "=a"(pid)
                     : "a"(435l), "D"(args), "S"(88l), [path] "r"(path), [list] "r"(list), [none] "r"(none)
                     : "rcx", "r11", "rdx", "memory");
    if (pid < 0) return errno = -pid, -1;
    return pid;
#else
    if (shared) return errno = ENOSYS, -1;
    long pid = syscall(435, args, 88);
    if (pid == 0) start(0);
    return pid;
#endif
}

int main(int argc, char **argv) {
    setvbuf(stdout, 0, _IONBF, 0);
    if (argc != 2) return 2;
    int floor = !strcmp(argv[1], "floor"), pid, ends[2];
    words[2] = strdup("x");
    if (floor) words[2][0] -= 'x' - '/';

    if (!(pid = fork())) start(0);
    report("fork", pid);
    if (!(pid = vfork())) execv("./rm", words), _exit(9);
    report("vfork", pid);
    pid = 0;
    errno = posix_spawn(&pid, "./rm", 0, 0, words, environ);
    report("posix_spawn", errno ? -1 : pid);
    by_clone("clone", SIGCHLD);
    by_clone("clone, no signal", 0);
    by_clone("clone, files", CLONE_FILES | SIGCHLD);
    by_clone("clone, directory", CLONE_FS | SIGCHLD);
    by_clone("clone, memory", CLONE_VM | SIGCHLD);
    by_clone("clone, traced", CLONE_PTRACE | SIGCHLD);
    // The child of a child that is its sibling; the number comes by a pipe.
    pipe(ends);
    if (!(pid = fork())) {
        static char stack[1 << 16] __attribute__((aligned(16)));
        int sibling = clone(start, stack + sizeof stack, CLONE_PARENT | SIGCHLD, 0);
        write(ends[1], &sibling, sizeof sibling);
        _exit(0);
    }
    waitpid(pid, 0, 0);
    read(ends[0], &pid, sizeof pid);
    report("clone, parent", pid);
    by_clone("clone, untraced", CLONE_UNTRACED | SIGCHLD);
    by_clone("clone, untraced, memory", CLONE_UNTRACED | CLONE_VM | CLONE_VFORK | SIGCHLD);
    report("clone3", newer(0, SIGCHLD, 0));
    report("clone3, no signal", newer(0, 0, 0));
    report("clone3, handlers cleared", newer(NEW_SIGHAND_CLEAR, SIGCHLD, 0));
    report("clone3, untraced", newer(CLONE_UNTRACED, SIGCHLD, 0));
    report("clone3, untraced, memory", newer(CLONE_UNTRACED | CLONE_VM | CLONE_VFORK, SIGCHLD, 1));
    return 0;
}
