//! tree-sitter-bash's view.

use anyhow::Result;

use super::{Seen, is_marker};

pub(crate) struct Trees {
    parser: tree_sitter::Parser,
}

impl Trees {
    pub(crate) fn new() -> Result<Self> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into())?;
        Ok(Self { parser })
    }

    pub(crate) fn commands(&mut self, text: &str) -> Seen {
        let tree = self.parser.parse(text, None)?;
        if tree.root_node().has_error() {
            return None;
        }
        let mut found = std::collections::BTreeSet::new();
        let mut open = vec![tree.root_node()];
        while let Some(node) = open.pop() {
            if node.kind() == "command"
                && let Some(name) = node.child_by_field_name("name")
            {
                if is_marker(text, name.start_byte()) {
                    found.insert(name.start_byte());
                }
            }
            for index in 0..node.child_count() {
                open.extend(node.child(index as _));
            }
        }
        Some(found)
    }
}
