// Programs that try to start another past the guard: `guard CASE …`.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char *words[] = {"rm", "-rf", "/", 0};
static char *fine[] = {"true", 0};

// The forbidden words, made at run time.
static char *forbidden(void) {
    static char path[] = "/cjo/sn";
    for (char *it = path; *it; it++) if (*it != '/') --*it;
    return path;
}

static int again(int (*start)(void *), int flags) {
    static char stack[1 << 16];
    int pid = clone(start, stack + sizeof stack, flags, 0), status = 0;
    if (pid < 0) return printf("refused %s\n", strerror(errno)), 0;
    if (waitpid(pid, &status, __WALL) != pid) return 1;
    printf("%s %d\n", WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 0;
}

static int start(void *unused) {
    (void)unused;
    execv(forbidden(), words);
    _exit(9);
}

static char operand[] = "/absent-file";
static volatile int on = 1;
static void *flip(void *unused) {
    (void)unused;
    while (on) { operand[1] = 0; operand[1] = 'a'; }
    return 0;
}

static void *thread(void *arg) {
    long n = (long)arg;
    for (int i = 0; i < 20; i++) execv("/no/such/program", fine);
    if (n % 2) usleep(n * 50);
    char left[16];
    int generation = atoi(getenv("LEFT"));
    snprintf(left, sizeof left, "%d", generation - 1);
    if (generation == 0) _exit(0);
    char *env[] = {strcat(strcpy(malloc(32), "LEFT="), left), 0};
    char *self[] = {"guard", "mix", 0};
    execve("/proc/self/exe", self, env);
    return 0;
}

int main(int argc, char **argv) {
    setvbuf(stdout, 0, _IONBF, 0);
    char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "exec")) return start(0);
    if (!strcmp(what, "fork")) return again(start, SIGCHLD);
    if (!strcmp(what, "vfork")) return again(start, CLONE_VM | CLONE_VFORK | SIGCHLD);
    if (!strcmp(what, "untraced")) return again(start, CLONE_UNTRACED | SIGCHLD);
    if (!strcmp(what, "shared-directory")) return again(start, CLONE_FS | SIGCHLD);
    if (!strcmp(what, "shared-memory")) return again(start, CLONE_VM | CLONE_FILES | SIGCHLD);
    if (!strcmp(what, "silent")) return again(start, 0);
    if (!strcmp(what, "clone3")) {
        unsigned long args[11] = {0};
        return printf("%s\n", syscall(435, args, 88) < 0 ? strerror(errno) : "made"), 0;
    }
    if (!strcmp(what, "memory")) {
        char path[64];
        static char bytes[1 << 20];
        FILE *from = fopen(forbidden(), "r");
        size_t size = fread(bytes, 1, sizeof bytes, from);
        int fd = memfd_create("true", 0);
        if (write(fd, bytes, size) != (ssize_t)size) return 1;
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        syscall(SYS_execveat, fd, "", words, environ, 0x1000);
        return 9;
    }
    if (!strcmp(what, "thread")) {
        pthread_t id;
        pthread_create(&id, 0, (void *(*)(void *))start, 0);
        pthread_join(id, 0);
        return 9;
    }
    if (!strcmp(what, "flip")) {
        pthread_t id;
        pthread_create(&id, 0, flip, 0);
        char *flipped[] = {"rm", "-rf", operand, 0};
        execv("/bin/rm", flipped);
        return 9;
    }
    if (!strcmp(what, "mix")) {
        pthread_t ids[6];
        if (!getenv("LEFT")) setenv("LEFT", argv[2], 1);
        for (long i = 0; i < 6; i++) pthread_create(&ids[i], 0, thread, (void *)i);
        for (int i = 0; i < 6; i++) pthread_join(ids[i], 0);
        return 9;
    }
    if (!strcmp(what, "chain")) {
        int left = atoi(argv[2]);
        if (left == 0) return 0;
        char next[16];
        snprintf(next, sizeof next, "%d", left - 1);
        execl("/proc/self/exe", "guard", "chain", next, (char *)0);
        return 9;
    }
    if (!strcmp(what, "listener")) {
        struct sock_filter allow[] = {{0x06, 0, 0, SECCOMP_RET_ALLOW}};
        struct sock_fprog program = {1, allow};
        long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
        return printf("%s\n", fd < 0 ? strerror(errno) : "told"), 0;
    }
    if (!strcmp(what, "trace")) {
        printf("%s\n", ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 ? strerror(errno) : "traced");
        struct iovec here = {operand, 1};
        printf("%s\n", process_vm_writev(getppid(), &here, 1, &here, 1, 0) < 0 ? strerror(errno) : "written");
        return 0;
    }
    if (!strcmp(what, "hidden")) return prctl(PR_SET_DUMPABLE, 0), start(0);
    if (!strcmp(what, "stops")) {
        // 20 that start programs again and again while they are stopped, continued and killed.
        int pids[20], killed = 0;
        for (int i = 0; i < 20; i++)
            if (!(pids[i] = fork())) for (;;) execl("/proc/self/exe", "guard", "chain", "200", (char *)0);
        for (int i = 0; i < 1000; i++) kill(pids[rand() % 20], i % 2 ? SIGSTOP : SIGCONT);
        for (int i = 0; i < 20; i++) { kill(pids[i], SIGCONT); if (i % 4 == 0) kill(pids[i], SIGKILL), killed++; }
        int ends = 0, status;
        while (wait(&status) > 0) ends++;
        return printf("%d\n", ends), 0;
    }
    return 2;
}
