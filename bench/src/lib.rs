//! Measurements that the command line offers: the experiments of a thesis, run again. (What
//! measures single parts is in the program of this package.)

pub mod thesis;
