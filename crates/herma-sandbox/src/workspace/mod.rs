//! Files of the working directory that later run outside.
