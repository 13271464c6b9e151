/* Stands in for a program that must not run: logs its name and arguments, and does nothing.
 * One record: a 32-bit length, then the name and each argument, each ended by a NUL.
 * The name is what was executed, whatever argv[0] says. `sudo` and `doas` then run their command. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Where the command of sudo(8) begins; 0 when it runs none. */
static int command_of_sudo(int argc, char **argv) {
    static const struct option names[] = {
        {"askpass", 0, 0, 'A'},          {"background", 0, 0, 'b'},
        {"bell", 0, 0, 'B'},             {"chdir", 1, 0, 'D'},
        {"chroot", 1, 0, 'R'},           {"close-from", 1, 0, 'C'},
        {"command-timeout", 1, 0, 'T'},  {"edit", 0, 0, 'e'},
        {"group", 1, 0, 'g'},            {"help", 0, 0, '!'},
        {"host", 1, 0, 'h'},             {"list", 0, 0, 'l'},
        {"login", 0, 0, 'i'},            {"no-update", 0, 0, 'N'},
        {"non-interactive", 0, 0, 'n'},  {"other-user", 1, 0, 'U'},
        {"preserve-env", 2, 0, 'E'},     {"preserve-groups", 0, 0, 'P'},
        {"prompt", 1, 0, 'p'},           {"remove-timestamp", 0, 0, 'K'},
        {"reset-timestamp", 0, 0, 'k'},  {"role", 1, 0, 'r'},
        {"set-home", 0, 0, 'H'},         {"shell", 0, 0, 's'},
        {"stdin", 0, 0, 'S'},            {"type", 1, 0, 't'},
        {"user", 1, 0, 'u'},             {"validate", 0, 0, 'v'},
        {"version", 0, 0, 'V'},          {0, 0, 0, 0},
    };
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+AbBC:D:eEg:Hh:iKklNnPp:R:r:SsT:t:U:u:Vv", names,
                                 NULL)) != -1)
        if (strchr("?!eKlVv", option)) return 0;
    return optind;
}

static int command_of_doas(int argc, char **argv) {
    int option;
    opterr = 0;
    while ((option = getopt(argc, argv, "+C:Lnsu:")) != -1)
        if (strchr("?CL", option)) return 0;
    return optind;
}

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
    int i = 0;
    if (strcmp(name, "doas") == 0) i = command_of_doas(argc, argv);
    if (strcmp(name, "sudo") == 0) {
        i = command_of_sudo(argc, argv);
        for (; i > 0 && i < argc && argv[i][0] != '=' && strchr(argv[i], '='); i++) putenv(argv[i]);
    }
    if (i > 0 && i < argc) execvp(argv[i], argv + i);
    return 0;
}
