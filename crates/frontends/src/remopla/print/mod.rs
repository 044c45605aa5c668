//! From programs to text.
