//! Wrappers that change scheduling, limits and what surrounds a program.

use super::{HELP, Wrapper, wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    wrapper(&["nice"], "n:0123456789", "adjustment= help version").queries(&["help", "version"]),
    wrapper(&["nohup"], "", "help version").queries(&["help", "version"]),
    wrapper(&["setsid"], "cfwhV", "ctty fork wait help version").queries(HELP),
    wrapper(
        &["timeout", "gtimeout"],
        "fpk:s:v",
        "foreground preserve-status kill-after= signal= verbose help version",
    )
    .skip(1)
    .queries(&["help", "version"]),
    wrapper(&["timelimit"], "pqt:T:s:S:", ""),
    wrapper(&["stdbuf"], "i:o:e:", "input= output= error= help version")
        .queries(&["help", "version"]),
    wrapper(
        &["ionice"],
        "c:n:p:P:u:thV",
        "class= classdata= pid= pgid= uid= ignore help version",
    )
    .queries(&[
        "p", "pid", "P", "pgid", "u", "uid", "h", "help", "V", "version",
    ]),
    wrapper(
        &["chrt"],
        "abefiodpmrRGvT:P:D:hV",
        "all-tasks batch deadline ext fifo idle other pid max rr reset-on-fork \
         verbose sched-runtime= sched-period= sched-deadline= help version",
    )
    .skip(1)
    .queries(&["p", "pid", "m", "max", "h", "help", "V", "version"]),
    wrapper(&["taskset"], "apchV", "all-tasks pid cpu-list help version")
        .skip(1)
        .queries(&["p", "pid", "h", "help", "V", "version"]),
    wrapper(
        &["time", "gtime"],
        "apqvVf:o:h",
        "append portability quiet verbose format= output= help version",
    )
    .queries(&["help", "version", "V"]),
    wrapper(
        &["cpulimit"],
        "p:e:P:l:c:ivqzbfhm",
        "pid= exe= path= limit= cpu= include-children verbose quiet lazy background \
         foreground help monitor-forks",
    ),
    wrapper(&["cgexec"], "g:bsh", "sticky"),
    wrapper(
        &["numactl"],
        "i:p:P:w:N:C:m:lHsbh",
        "interleave= preferred= preferred-many= weighted-interleave= cpunodebind= \
         physcpubind= membind= localalloc hardware show all cpubind= nodebind=",
    )
    .queries(&["H", "hardware", "s", "show"]),
    wrapper(
        &["prlimit"],
        "p:o:c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::hV",
        "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? \
         memlock? rss? nofile? msgqueue? rtprio? stack? cpu? nproc? as? locks? \
         rttime? help version",
    )
    .queries(&["p", "pid", "h", "help", "V", "version"]),
    // POSIX has it as a program too; the shell's own never comes here.
    wrapper(&["command"], "pvV", "").queries(&["v", "V"]),
    wrapper(&["chpst"], "u:U:b:e:m:d:o:p:f:c:t:r:/:n:l:L:vP012V", ""),
    wrapper(&["softlimit"], "a:c:d:f:l:m:o:p:r:s:t:", ""),
    wrapper(&["setlock"], "nNxX", "").skip(1),
    wrapper(&["envdir"], "", "").skip(1),
    wrapper(
        &[
            "pgrphack",
            "fghack",
            "eatmydata",
            "catchsegv",
            "torify",
            "tsocks",
            "usewithtor",
            "stdoutisatty",
            "primusrun",
            "prime-run",
            "gamemoderun",
            "with-contenv",
            "nocache",
            "catatonit",
            "gsudo",
            "errno-run",
        ],
        "",
        "",
    ),
    wrapper(
        &["torsocks"],
        "u:p:a:P:idq",
        "user= pass= port= address= isolate debug quiet shell help version",
    ),
    wrapper(&["unbuffer"], "p", ""),
    wrapper(&["chronic"], "ve", ""),
    wrapper(&["ifne"], "n", ""),
    wrapper(&["caffeinate"], "dimsut:w:", ""),
    wrapper(&["choom"], "n:p:hV", "adjust= pid= help version").queries(&["p", "pid"]),
    wrapper(&["tini"], "p:e:svgwhl", "version"),
    wrapper(
        &["dumb-init"],
        "r:cvhV",
        "rewrite= single-child verbose help version",
    ),
    wrapper(&["mangohud"], "", "dlsym version"),
    wrapper(
        &["optirun"],
        "b:c:d:l:t:vqhV",
        "bridge= vgl-compress= display= no-xorg help version verbose quiet debug",
    ),
    wrapper(
        &["rlwrap"],
        "a::Ab:C:D:e:f:g:H:l:m::M:o:O:p::P:q:s:S:t:w:z:cdEFhiInNrRUvX",
        "always-readline? ansi-colour-aware break-chars= command-name= \
         history-format= history-filename= no-children help multi-line? \
         prompt-colour? pre-given= quote-characters= remember histsize= \
         substitute-prompt= set-term-name= wait-before-prompt= filter= \
         case-insensitive",
    ),
    wrapper(&["daemonize"], "ac:e:o:p:l:u:E:v", ""),
    wrapper(
        &["daemon"],
        "n:X:u:l:e:o:D:L:A:M:B:rfa:",
        "name= command= user= chroot= chdir= umask= env= inherit config= foreground \
         output= stdout= stderr= respawn pidfile= pidfiles= running stop restart",
    )
    .text(&["X", "command"])
    .queries(&["running", "stop", "restart"]),
    wrapper(&["trickle"], "hVvsd:u:w:t:l:n:", ""),
    wrapper(&["proxychains", "proxychains4"], "qf:", ""),
    wrapper(
        &["faketime"],
        "mfp:",
        "help version pid= disable-monotonic exclude-monotonic date-prog=",
    )
    .skip(1),
    wrapper(&["datefudge"], "s", "").skip(1),
    wrapper(&["logsave"], "asv", "").skip(1),
    wrapper(
        &["xvfb-run"],
        "ae:f:hln:p:s:w:",
        "auto-servernum error-file= auth-file= help listen-tcp server-num= \
         xauth-protocol= server-args= wait=",
    ),
    wrapper(
        &["dbus-run-session"],
        "",
        "config-file= dbus-daemon= help version",
    ),
    wrapper(
        &["dbus-launch"],
        "",
        "auto-syntax binary-syntax close-stderr exit-with-session sh-syntax \
         csh-syntax autolaunch= config-file=",
    ),
    wrapper(&["ssh-agent"], "a:E:O:P:t:cdDks", "").queries(&["k"]),
    wrapper(
        &["systemd-inhibit"],
        "h",
        "what= who= why= mode= list no-pager no-legend no-ask-password help version",
    )
    .queries(&["list"]),
    wrapper(
        &["systemd-cat"],
        "t:p:h",
        "identifier= priority= stderr-priority= level-prefix= namespace= help \
         version",
    ),
    wrapper(&["coreutils"], "", "coreutils-prog= help version"),
];
