//! Interpolation: every source on random problems of every theory, validated by a solver and
//! by brute force.

mod brute;
mod corrupted;
mod external;
mod linear;
mod order;
mod problems;
mod sources;
