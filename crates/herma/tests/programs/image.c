// Starts images that are not ordinary files or not called in an ordinary way: `image CASE fine|floor …`. `rm` in
// this directory is a witness, `other` a copy of the system's rm.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *words[] = {"rm", "-rf", 0, 0};

static void copy(const char *from, int to) {
    static char bytes[1 << 21];
    int fd = open(from, O_RDONLY);
    long size = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    if (size < 0 || write(to, bytes, size) != size) perror(from), _exit(8);
    close(fd);
}

static char *joined(const char *format, long number) {
    static char text[64];
    snprintf(text, sizeof text, format, number);
    return text;
}

// The kernel's old entry, for 32 bits, from a program of 64.
static long old_entry(long number, const char *path, char **list) {
#if defined __x86_64__
    char *low = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    unsigned *vector = (unsigned *)low;
    char *text = low + 4096;
    for (int i = 0; list[i]; i++) {
        strcpy(text, list[i]);
        vector[i] = (unsigned)(long)text;
        text += strlen(text) + 1;
    }
    strcpy(text, path);
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(text), "c"(vector), "d"(0) : "r8", "r9", "r10", "r11", "memory");
    return result;
#else
    return -ENOSYS;
#endif
}

int main(int argc, char **argv) {
    setvbuf(stdout, 0, _IONBF, 0);
    if (argc < 2) return 2;
    char *what = argv[1];
    char *word = strdup("x");
    if (argc < 3 || strcmp(argv[2], "fine")) *word -= 'x' - '/';
    words[2] = word;
    int fd;
    if (!strcmp(what, "memory")) {
        if (argc > 3) words[0] = "true";
        copy(argc > 3 ? argv[3] : "rm", fd = memfd_create("true", MFD_CLOEXEC));
        syscall(SYS_execveat, fd, "", words, environ, AT_EMPTY_PATH);
    } else if (!strcmp(what, "descriptor")) {
        fd = open(argc > 3 ? argv[3] : "rm", O_RDONLY);
        execv(joined("/proc/self/fd/%ld", fd), words);
    } else if (!strcmp(what, "deleted")) {
        // A copy that nobody finds any more.
        fd = open("copy", O_CREAT | O_RDWR, 0755);
        copy("other", fd);
        close(fd);
        fd = open("copy", O_RDONLY);
        unlink("copy");
        words[0] = "true";
        execv(joined("/proc/self/fd/%ld", fd), words);
    } else if (!strcmp(what, "renamed")) {
        rename("other", "else");
        words[0] = "else";
        execv("./else", words);
    } else if (!strcmp(what, "no-words")) {
        char *none[] = {0};
        execve("./rm", none, none);
    } else if (!strcmp(what, "empty-words")) {
        char *empty[] = {"rm", "", "", "-rf", "", word, "", 0};
        execv("./rm", empty);
    } else if (!strcmp(what, "hidden")) {
        prctl(PR_SET_DUMPABLE, 0);
        execv("./rm", words);
    } else if (!strcmp(what, "mode")) {
        chmod("rm", 0111);
        execv("./rm", words);
    } else if (!strcmp(what, "path")) {
        execv(argv[3], words);
    } else if (!strcmp(what, "old")) {
        long result = old_entry(11, "./rm", words);
        errno = -result;
    } else if (!strcmp(what, "x32")) {
        syscall(0x40000000 | 520, "./rm", words, environ);
    } else if (!strcmp(what, "x32-plain")) {
        syscall(0x40000000 | SYS_execve, "./rm", words, environ);
    } else if (!strcmp(what, "bytes")) {
        char *odd[] = {"rm", "\xff\xfe\x80", "-rf", word, 0};
        execv("./rm", odd);
    } else if (!strcmp(what, "many")) {
        // So many words in front of the last one.
        long count = atol(argv[3]);
        char **list = calloc(count + 4, sizeof *list);
        list[0] = "rm", list[1] = "-rf", list[count + 2] = word;
        for (long i = 0; i < count; i++) list[i + 2] = "y";
        execv("./rm", list);
    } else if (!strcmp(what, "long")) {
        // As many words of 128 KiB.
        long count = atol(argv[3]);
        char **list = calloc(count + 4, sizeof *list), *big = malloc(131072);
        memset(big, 'y', 131071);
        big[131071] = 0;
        list[0] = "rm", list[1] = "-rf", list[count + 2] = word;
        for (long i = 0; i < count; i++) list[i + 2] = big;
        execv("./rm", list);
    }
    printf("%s\n", strerror(errno));
    return 9;
}
