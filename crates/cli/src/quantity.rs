//! Durations and sizes as people type them: `500ms`, `60s`, `5m`, `1h`; `512K`, `50M`, `4G`.

use std::time::Duration;

/// Reads a duration. A plain number counts seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("use ms, s, m or h, as in 500ms, 60s, 5m or 1h".into()),
    };
    let number: f64 = number.parse().map_err(|_| "a number is missing, as in 60s".to_owned())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "this is too long".into())
}

/// Reads a number of bytes. A plain number counts bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = unit.to_ascii_uppercase();
    let unit = unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit);
    let scale: u64 = match unit {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err("use K, M or G, as in 512K, 50M or 4G".into()),
    };
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(scale).ok_or_else(|| "this is too much".into());
    }
    let number: f64 = number.parse().map_err(|_| "a number is missing, as in 4G".to_owned())?;
    let size = number * Duration::from_secs(scale).as_secs_f64();
    // Durations convert between floats and integers with a check, which casts do not.
    Duration::try_from_secs_f64(size).map(|size| size.as_secs()).map_err(|_| "this is too much".into())
}

/// The leading number and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, millis) in [
            ("500ms", 500),
            ("60s", 60_000),
            ("5m", 300_000),
            ("1h", 3_600_000),
            ("7", 7_000),
            ("1.5s", 1_500),
            ("0", 0),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "-1s", "1d", "1e9h", "9999999999999999999999h", "nan", "inf", "1..5s", "५s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, expected) in [("4G", 4 << 30), ("50m", 50 << 20), ("512K", 512 << 10), ("1.5GiB", 3 << 29), ("9", 9)]
        {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "G", "-1G", "4X", "99999999999999999999G", "18446744073709551615K", "1.2.3G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
