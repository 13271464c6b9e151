// Starts a program whose path and words are written in a way that no rule reads: `carry PATH WORD …`,
// each as hexadecimal digits, `-` for an empty one. With `@PATH` in front it goes there first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *plain(const char *digits) {
    size_t length = *digits == '-' ? 0 : strlen(digits) / 2;
    char *text = calloc(1, length + 1);
    for (size_t i = 0; i < length; i++) sscanf(digits + 2 * i, "%2hhx", text + i);
    return text;
}

int main(int argc, char **argv) {
    char **words = calloc(argc + 1, sizeof *words), *path = 0;
    for (int i = 1, n = 0; i < argc; i++) {
        if (*argv[i] == '@') {
            if (chdir(plain(argv[i] + 1))) return 8;
        } else if (!path) {
            path = plain(argv[i]);
        } else {
            words[n++] = plain(argv[i]);
        }
    }
    execv(path, words);
    perror("carry");
    return 9;
}
