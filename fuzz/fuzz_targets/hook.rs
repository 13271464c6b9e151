//! Whatever a host writes to its hook is decoded or refused.
#![no_main]

use herma_hosts::Host;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    for host in Host::ALL {
        let _ = host.decode(input);
    }
});
