//! Names of files that are nobody's secret but mean something to a build or a database.

/// Directories that a build makes again.
pub(super) const REGENERABLE: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".gradle",
    "coverage",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".venv",
    "venv",
    ".tox",
];

/// Lock files that a package manager makes again.
pub(super) const LOCK_FILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "Cargo.lock",
    "poetry.lock",
    "Pipfile.lock",
    "pdm.lock",
    "uv.lock",
    "composer.lock",
    "Gemfile.lock",
    "mix.lock",
    "pubspec.lock",
];

/// Object, class and byte-code files.
pub(super) const OBJECT_SUFFIXES: &[&str] = &[".o", ".obj", ".lo", ".class", ".pyc", ".pyo"];

/// Database files.
pub(super) const DATABASE_SUFFIXES: &[&str] = &[".db", ".sqlite", ".sqlite3", ".mdb"];
