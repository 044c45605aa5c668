//! Measurements that the command line offers: published experiments, run again. (What
//! measures single parts is in the program of this package.)

pub mod configurable;
pub mod thesis;
