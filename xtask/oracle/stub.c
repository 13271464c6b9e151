/* Stands in for a program that must not run: logs its name and arguments, and does nothing.
 * One record: a 32-bit length, then the name and each argument, each ended by a NUL.
 * The name is what was executed, whatever argv[0] says. `sudo` and `doas` then run their command. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *path = (const char *)getauxval(AT_EXECFN);
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path ? path : "?";
    size_t size = strlen(name) + 1;
    for (int i = 1; i < argc; i++) size += strlen(argv[i]) + 1;
    char *record = malloc(size + sizeof(uint32_t)), *at = record;
    if (!record) return 70;
    uint32_t length = (uint32_t)size;
    memcpy(at, &length, sizeof length);
    at = stpcpy(at + sizeof length, name) + 1;
    for (int i = 1; i < argc; i++) at = stpcpy(at, argv[i]) + 1;
    int fd = open("/.log/argv", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0 && write(fd, record, size + sizeof length) < 0) return 70;
    if (strcmp(name, "sudo") == 0 || strcmp(name, "doas") == 0) {
        int i = 1;
        for (; i < argc && argv[i][0] == '-'; i++) {
            if (strcmp(argv[i], "--") == 0) {
                i++;
                break;
            }
            if (strchr("ughpCDRT", argv[i][1]) && argv[i][2] == 0) i++;
        }
        for (; i < argc && argv[i][0] != '=' && strchr(argv[i], '='); i++) putenv(argv[i]);
        if (i < argc) execvp(argv[i], argv + i);
    }
    return 0;
}
