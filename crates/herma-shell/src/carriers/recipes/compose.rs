//! Compose files: every service as the `docker run` that starts it.

use super::super::words::{computed, split_quoted};
use super::yaml::{Scalar, scalars};
use crate::source::Span;

/// More services are not taken.
const MOST: usize = 32;

/// The words of a `docker run` for each service.
pub(super) fn runs(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let all = scalars(text);
    let mut names: Vec<&[u8]> = Vec::new();
    for scalar in &all {
        if let [section, name, ..] = scalar.keys.as_slice()
            && section == b"services"
            && !names.contains(&name.as_slice())
            && names.len() < MOST
        {
            names.push(name);
        }
    }
    names.iter().map(|name| run(&all, name)).collect()
}

fn run(all: &[Scalar], service: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = vec![b"docker".to_vec(), b"run".to_vec()];
    let mut image = b"image".to_vec();
    let mut command: Vec<Vec<u8>> = Vec::new();
    let mut entry: Vec<Vec<u8>> = Vec::new();
    let mut mount: Option<Vec<u8>> = None;
    for scalar in all {
        let [section, name, key, rest @ ..] = scalar.keys.as_slice() else {
            continue;
        };
        if section != b"services" || name != service || scalar.value.is_empty() {
            continue;
        }
        let value = &scalar.value;
        let option = |name: &str| [name.as_bytes(), b"=", value].concat();
        match (key.as_slice(), rest) {
            (b"image", []) => image.clone_from(value),
            (b"privileged", []) if value == b"true" => words.push(b"--privileged".to_vec()),
            (b"pid", []) => words.push(option("--pid")),
            (b"ipc", []) => words.push(option("--ipc")),
            (b"network_mode", []) => words.push(option("--network")),
            (b"cap_add", []) => words.push(option("--cap-add")),
            (b"security_opt", []) => words.push(option("--security-opt")),
            (b"devices", []) => words.push(option("--device")),
            (b"volumes", []) => words.extend([b"-v".to_vec(), value.clone()]),
            (b"volumes", [part]) if part == b"source" => mount = Some(value.clone()),
            (b"volumes", [part]) if part == b"target" => {
                if let Some(source) = mount.take() {
                    let bind =
                        [b"type=bind,source=".as_slice(), &source, b",target=", value].concat();
                    words.extend([b"--mount".to_vec(), bind]);
                }
            }
            (b"command", []) => command.extend(parts(value, scalar)),
            (b"entrypoint", []) => entry.extend(parts(value, scalar)),
            _ => {}
        }
    }
    if let Some((first, rest)) = entry.split_first() {
        words.extend([b"--entrypoint".to_vec(), first.clone()]);
        command = [rest, command.as_slice()].concat();
    }
    words.push(image);
    words.extend(command);
    words
}

/// A command as one string is split as a shell would, an item of a list is one word.
fn parts(value: &[u8], scalar: &Scalar) -> Vec<Vec<u8>> {
    if scalar.listed {
        return vec![value.to_vec()];
    }
    split_quoted(&computed(value, Span::default()))
        .iter()
        .filter_map(|arg| Some(arg.value.bytes()?.into_owned()))
        .collect()
}
