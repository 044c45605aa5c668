//! Measurements that the command line offers: published experiments, run again, and how times
//! grow. (What measures single parts is in the program of this package.)
//!
//! A suite is a folder: [`thesis`], [`configurable`], [`minimise`], [`programs`], [`learning`]. They share [`mod@measure`]
//! (one run), [`growth`] (one program in several sizes) and [`fit`] (lines through points).

pub mod configurable;
pub mod fit;
pub mod growth;
pub mod learning;
pub mod measure;
pub mod minimise;
pub mod programs;
pub mod thesis;
