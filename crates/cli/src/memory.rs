//! How much memory the process has used.
//!
//! Decision diagrams reserve address space that they may never touch, so what was allocated
//! says little: the system knows what was resident.

/// The most memory that was resident at any time, in bytes; where the system does not tell,
/// the most that was allocated.
pub fn peak() -> u64 {
    told("VmHWM:").unwrap_or_else(crate::most_allocated)
}

/// The memory that is resident now, in bytes; where the system does not tell, what is allocated.
pub fn resident() -> u64 {
    told("VmRSS:").unwrap_or_else(crate::allocated)
}

/// What the system tells about this process.
fn told(field: &str) -> Option<u64> {
    find(&std::fs::read_to_string("/proc/self/status").ok()?, field)
}

/// A field of a status file of Linux, in bytes.
fn find(status: &str, field: &str) -> Option<u64> {
    let rest = status.lines().find_map(|line| line.strip_prefix(field))?;
    let number = rest.trim().strip_suffix("kB")?.trim();
    number.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(find("VmPeak:\t  900 kB\nVmHWM:\t    40 kB\nVmRSS:\t 8 kB\n", "VmHWM:"), Some(40 * 1024));
        for other in ["", "VmHWM:", "VmHWM: x kB", "VmHWM: 5 MB", "VmHWM: 99999999999999999999 kB"] {
            assert_eq!(find(other, "VmHWM:"), None, "{other}");
        }
        assert!(resident() > 0 && peak() > 0);
    }
}
