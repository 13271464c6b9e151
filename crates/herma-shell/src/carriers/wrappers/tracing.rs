//! Wrappers that watch or measure a program.

use super::{Wrapper, wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    wrapper(
        &["strace"],
        "a:b:e:E:I:o:O:p:P:s:S:u:U:X:cCdDfFhiknNqrtTvVwxyYzZA",
        "attach= argv0= columns= daemonize? decode-fds? decode-pids= env= output= \
         output-append-mode output-separately trace= trace-path= abbrev= \
         const-print-style= follow-forks help instruction-pointer interruptible= \
         inject= fault= quiet? raw= read= write= signal= stack-traces status= \
         string-limit= strings-in-hex? summary summary-only summary-sort-by= \
         summary-columns= summary-wall-clock summary-syscall-overhead= \
         syscall-number syscall-times? timestamps? relative-timestamps? \
         absolute-timestamps? tips? user= verbose= version detach-on= kill-on-exit \
         kvm? seccomp-bpf successful-only failed-only no-abbrev debug",
    )
    .queries(&["h", "help", "V", "version"]),
    wrapper(
        &["ltrace"],
        "a:A:D:e:F:l:n:o:p:s:u:w:x:bcCfhiLrStTV",
        "align= config= debug= demangle help indent= library= output= version \
         where= no-signals",
    ),
    wrapper(
        &["dtruss", "ktrace", "truss"],
        "a:b:f:g:n:p:t:o:s:cdefilLsS",
        "",
    ),
    wrapper(
        &["valgrind"],
        "hqvd",
        "tool= help version quiet verbose trace-children= log-file= log-fd= xml= \
         xml-file= leak-check= suppressions= num-callers=",
    ),
    wrapper(
        &["heaptrack"],
        "o:p:d:ra:h",
        "output= pid= debug raw analyze=",
    ),
    wrapper(
        &["perf"],
        "p:e:o:F:c:g:C:t:I:r:x:D:m:u:a S:T:d:nvsiABG:",
        "pid= event= output= freq= count= call-graph= cpu= tid= interval-print= \
         repeat= field-separator= delay= mmap-pages= uid= all-cpus post= pre= \
         detailed no-inherit filter= switch-events timeout= per-thread cgroup=",
    )
    .verb(&[
        "stat",
        "record",
        "trace",
        "mem",
        "sched",
        "lock",
        "kvm",
        "c2c",
        "timechart",
    ])
    .text(&["pre", "post"]),
    wrapper(&["rr"], "nwu", "").verb(&["record"]),
    wrapper(&["uftrace"], "", "").verb(&["record", "live"]),
    wrapper(
        &["gdbserver"],
        "",
        "once multi attach wrapper= debug remote-debug disable-packet=",
    )
    .skip(1),
    wrapper(&["samply"], "r:o:s:", "rate= output= save-only").verb(&["record"]),
    wrapper(&["poop"], "d:", "duration="),
    wrapper(&["kcov"], "", "").skip(1),
    wrapper(
        &["bear"],
        "",
        "output= append config= force-preload force-wrapper verbose",
    ),
    wrapper(&["scan-build"], "o:hkv", "use-cc= use-c++= status-bugs").single_dash(),
];
