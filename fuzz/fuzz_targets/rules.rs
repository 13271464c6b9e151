//! Whatever stands in a file of rules is read or refused with a place, and what is read judges.
#![no_main]

use std::path::Path;

use herma_config::Config;
use herma_rules::{Action, Guard, Policy, Request, UserRule};
use herma_shell::EmptyWorld;
use libfuzzer_sys::fuzz_target;

const COMMAND: &[u8] = b"git -C x push --force origin \"$(cat y)\"; sudo make deploy-prod > log";

fuzz_target!(|text: &str| {
    let config = match Config::of_text(Path::new("rules.toml"), text) {
        Ok(config) => config,
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in faults {
                assert!(!fault.to_string().contains('\n'));
            }
            return;
        }
    };
    let mut policy = Policy::manual();
    for rule in config.rules {
        for example in &rule.examples {
            assert!(text.get(example.span.clone()).is_some());
            let _ = rule.fault(text, example, String::new());
        }
        policy.rules.push(UserRule {
            id: rule.id,
            action: match rule.action {
                herma_config::Action::Allow => Action::Allow,
                herma_config::Action::Ask => Action::Ask,
                herma_config::Action::Deny => Action::Deny,
            },
            argv: rule.argv,
            tool: rule.tool,
            path: rule.path,
            cwd: rule.cwd,
            regex: rule.regex,
            why: rule.why,
        });
    }
    let _ = Guard::new(policy).check(&Request::new(COMMAND, b"/w"), &EmptyWorld);
});
