// Runs a program where the kernel refuses something: `refuse ptrace|listener|user|mount PROGRAM …`.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(at) {BPF_LD | BPF_W | BPF_ABS, 0, 0, at}
#define SAME(value, no) {BPF_JMP | BPF_JEQ | BPF_K, 0, no, value}
#define HAS(bits, no) {BPF_JMP | BPF_JSET | BPF_K, 0, no, bits}
#define REFUSE {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM}
#define ALLOW {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}
#define NUMBER offsetof(struct seccomp_data, nr)
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n))

static int filter(struct sock_filter *steps, int count) {
    struct sock_fprog program = {count, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
    struct sock_filter ptrace[] = {LOAD(NUMBER), SAME(SYS_ptrace, 1), REFUSE, ALLOW};
    struct sock_filter mount[] = {LOAD(NUMBER), SAME(SYS_mount, 1), REFUSE, ALLOW};
    struct sock_filter listener[] = {LOAD(NUMBER), SAME(SYS_seccomp, 3), LOAD(ARGUMENT(1)),
                                     HAS(SECCOMP_FILTER_FLAG_NEW_LISTENER, 1), REFUSE, ALLOW};
    struct sock_filter user[] = {LOAD(NUMBER), SAME(SYS_clone, 3), LOAD(ARGUMENT(0)), HAS(CLONE_NEWUSER, 1), REFUSE, ALLOW};
    if (argc < 3) return 2;
    char *what = argv[1];
    int bad = !strcmp(what, "ptrace")     ? filter(ptrace, 4)
              : !strcmp(what, "mount")    ? filter(mount, 4)
              : !strcmp(what, "listener") ? filter(listener, 6)
              : !strcmp(what, "user")     ? filter(user, 6)
                                          : 1;
    if (bad) return perror("refuse"), 2;
    execv(argv[2], argv + 2);
    return perror("refuse"), 2;
}
