// Programs that work against the guard while it looks: `race CASE …`. `rm` in this directory is a
// witness that writes its third word and ends with 7.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char *words[] = {"rm", "-rf", "x", 0};
static volatile int on = 1;

// Turns a word into a floor and back, for ever.
static void *flip(void *word) {
    volatile char *it = word;
    while (on) { *it = '/'; *it = 'x'; }
    return 0;
}

// `flip N`: so many starts whose words another thread changes. Says how many were stopped, how many ran
// with harmless words, and how many with a floor.
static int flipped(int rounds) {
    int killed = 0, harmless = 0, floors = 0, ends[2];
    char *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    strcpy(word, "x");
    words[2] = word;
    pthread_t id;
    pthread_create(&id, 0, flip, word);
    for (int i = 0; i < rounds; i++) {
        char line[16] = "";
        int status;
        pipe(ends);
        int pid = fork();
        if (!pid) {
            dup2(ends[1], 1);
            dup2(open("/dev/null", O_WRONLY), 2);
            execv("./rm", words);
            _exit(9);
        }
        close(ends[1]);
        int got = read(ends[0], line, sizeof line - 1);
        close(ends[0]);
        waitpid(pid, &status, 0);
        if (WIFSIGNALED(status) && WTERMSIG(status) == 9 && got == 0) killed++;
        else if (got > 0 && *line == 'x') harmless++;
        else if (got > 0 && *line == '/') floors++;
        else printf("odd: %x %s\n", status, line);
    }
    return printf("%d stopped, %d harmless, %d floors\n", killed, harmless, floors), 0;
}

// `threads`: eight threads start the witness at once, and one wins.
static pthread_barrier_t all;
static void *racer(void *unused) {
    (void)unused;
    pthread_barrier_wait(&all);
    execv("./rm", words);
    pause();
    return 0;
}

static int threads(int count, int leader) {
    pthread_t id;
    pthread_barrier_init(&all, 0, count + leader);
    for (int i = 0; i < count; i++) pthread_create(&id, 0, racer, 0);
    if (leader) racer(0);
    for (;;) pause();
}

// `mix`: six threads, of which some fail, generation after generation.
static char left[16], *generation[] = {0, 0};
static void *mixer(void *arg) {
    long n = (long)arg;
    for (int i = 0; i < 20; i++) execv(i % 2 ? "/no/such/program" : "/", words);
    if (n % 2) usleep(n * 50);
    if (*left == '-') _exit(0);
    char *self[] = {"race", "mix", left, 0};
    execv("/proc/self/exe", self);
    pause();
    return 0;
}

static int mix(int rounds) {
    pthread_t id;
    snprintf(left, sizeof left, "%d", rounds - 1);
    for (long i = 0; i < 6; i++) pthread_create(&id, 0, mixer, (void *)i);
    for (;;) pause();
}

// `storm N M`: N processes, each of which starts the witness M times.
static int storm(int wide, int deep) {
    int good = 0, status;
    for (int i = 0; i < wide; i++)
        if (!fork()) {
            int own = 0;
            for (int k = 0; k < deep; k++) {
                int pid = fork();
                if (!pid) {
                    dup2(open("/dev/null", O_WRONLY), 1);
                    execv("./rm", words);
                    _exit(9);
                }
                if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7) own++;
            }
            _exit(own != deep);
        }
    while (wait(&status) > 0) good += status == 0;
    return printf("%d\n", good), 0;
}

// `hail N`: so many starts while SIGCHLD and others rain on whoever starts them.
static void nothing(int unused) { (void)unused; }
static int hail(int rounds) {
    int status, ok = 0, parent = getpid(), hailers[2];
    signal(SIGCHLD, nothing);
    signal(SIGUSR1, nothing);
    for (int i = 0; i < 2; i++)
        if (!(hailers[i] = fork())) for (;;) { kill(parent, i ? SIGUSR1 : SIGCHLD); if (getppid() != parent) _exit(0); }
    for (int i = 0; i < rounds; i++) {
        int pid = vfork();
        if (!pid) execv("./rm", words), _exit(9);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        ok += WIFEXITED(status) && WEXITSTATUS(status) == 7;
    }
    for (int i = 0; i < 2; i++) kill(hailers[i], SIGKILL);
    while (wait(0) > 0 || errno == EINTR) {}
    return fprintf(stderr, "%d\n", ok), 0;
}

// `traced`: a child that asks to be followed, and then starts the witness.
static int traced(void) {
    int status, pid = fork();
    if (!pid) {
        printf("ask: %s\n", ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 ? strerror(errno) : "followed");
        execv("./rm", words);
        printf("start: %s\n", strerror(errno));
        _exit(9);
    }
    for (;;) {
        if (waitpid(pid, &status, 0) != pid) return 1;
        if (!WIFSTOPPED(status)) break;
        if (ptrace(PTRACE_CONT, pid, 0, 0) < 0) kill(pid, SIGKILL);
    }
    return printf("%s %d\n", WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)), 0;
}

// `write`: changes a word of a child's memory, by each way there is.
static char target[] = "good";
static int writes(void) {
    int go[2];
    pipe(go);
    int pid = fork();
    if (!pid) {
        char byte;
        close(go[1]);
        read(go[0], &byte, 1);
        return printf("%s\n", target), 0;
    }
    close(go[0]);
    struct iovec from = {"EVIL", 4}, to = {target, 4};
    printf("call: %s\n", process_vm_writev(pid, &from, 1, &to, 1, 0) < 0 ? strerror(errno) : "written");
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    int fd = open(path, O_RDWR);
    printf("file: %s\n", fd < 0 || pwrite(fd, "EVIL", 4, (long)target) < 0 ? strerror(errno) : "written");
    printf("trace: %s\n", ptrace(PTRACE_SEIZE, pid, 0, 0) < 0 ? strerror(errno) : "followed");
    close(go[1]);
    waitpid(pid, 0, 0);
    return 0;
}

// `swap N`: so many starts of a script while a thread replaces it; both start the witness.
static void *swapper(void *unused) {
    (void)unused;
    for (int i = 0; on; i++) {
        unlink("next");
        link(i % 2 ? "floor" : "fine", "next");
        rename("next", "script");
    }
    return 0;
}

static int swap(int rounds) {
    pthread_t id;
    char *script[] = {"./script", 0};
    link("fine", "script");
    pthread_create(&id, 0, swapper, 0);
    for (int i = 0; i < rounds; i++) {
        int pid = fork();
        if (!pid) {
            execv("./script", script);
            _exit(9);
        }
        waitpid(pid, 0, 0);
    }
    return 0;
}

int main(int argc, char **argv) {
    char *what = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0, m = argc > 3 ? atoi(argv[3]) : 0;
    setvbuf(stdout, 0, _IONBF, 0);
    if (!strcmp(what, "flip")) return flipped(n);
    if (!strcmp(what, "threads")) return threads(n, m);
    if (!strcmp(what, "mix")) return mix(n);
    if (!strcmp(what, "storm")) return storm(n, m);
    if (!strcmp(what, "hail")) return hail(n);
    if (!strcmp(what, "swap")) return swap(n);
    if (!strcmp(what, "traced")) return traced();
    if (!strcmp(what, "write")) return writes();
    return 2;
}
