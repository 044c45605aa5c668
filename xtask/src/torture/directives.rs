//! What a test of GCC's suite asks of the compiler: in comments like
//! `{ dg-options "-fwrapv" { target x86_64-*-* } }`, or in a file `.x` beside it.
//!
//! Which machines a test needs is not read: one that does not compile and run here shows it.

/// The directives that give options.
const GIVE_OPTIONS: [&str; 2] = ["dg-options", "dg-additional-options"];

/// The compiler's options that a test's text asks for on this machine.
pub fn options(text: &str) -> Vec<String> {
    text.lines().filter_map(directive).flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// The options of a line, if they are meant for this machine.
fn directive(line: &str) -> Option<&str> {
    let (_, rest) = GIVE_OPTIONS.iter().find_map(|name| line.split_once(name))?;
    let mut quoted = rest.split('"').skip(1);
    let (options, selector) = (quoted.next()?, quoted.next().unwrap_or_default());
    is_here(selector).then_some(options)
}

/// Whether a selector like `{ target { x86_64-*-* && ia32 } }` selects a 64-bit x86.
fn is_here(selector: &str) -> bool {
    let is_other = selector.contains("ia32") || selector.contains('!');
    !selector.contains("target") || selector.contains("x86_64-") && !is_other
}

/// The options that a file `.x` gives unconditionally. What is indented is about some machine.
pub fn extra_options(script: &str) -> Vec<String> {
    let given = |line: &str| {
        let words: Vec<String> = line.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect();
        let is_given = matches!(words.first().map(String::as_str), Some("set" | "lappend"));
        (is_given && words.get(1).is_some_and(|word| word == "additional_flags")).then(|| words[2..].to_vec())
    };
    script.lines().filter(|line| !line.starts_with(char::is_whitespace)).filter_map(given).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_from_comments() {
        for (line, expected) in [
            ("/* { dg-options \"-std=gnu89 -fwrapv\" } */", "-std=gnu89 -fwrapv"),
            ("/* { dg-options { \"-fwrapv\" } } */", "-fwrapv"),
            ("   { dg-additional-options \"-Og -foptimize-strlen\" } */", "-Og -foptimize-strlen"),
            ("/* { dg-skip-if \"requires io\" { freestanding } }  */", ""),
            ("int main (void) { return 0; }", ""),
        ] {
            assert_eq!(options(line).join(" "), expected, "{line}");
        }
    }

    #[test]
    fn options_for_other_machines_are_left_out() {
        for (selector, here) in [
            ("{ target { x86_64-*-* i?86-*-* } }", true),
            ("{ target { { i?86-*-* x86_64-*-* } && ia32 } }", false),
            ("{ target hppa*-*-hpux* }", false),
            ("{ target { ! signal } }", false),
        ] {
            let line = format!("/* {{ dg-options \"-mno-mmx\" {selector} }} */");
            assert_eq!(!options(&line).is_empty(), here, "{line}");
        }
    }

    #[test]
    fn scripts_give_options() {
        let script = "if [istarget \"avr-*-*\"] {\n    lappend additional_flags \"-mx\"\n}\nlappend additional_flags \"-fno-ivopts\" \"-fno-gcse\"\nset additional_flags -fno-builtin-abs\nreturn 0\n";
        assert_eq!(extra_options(script), ["-fno-ivopts", "-fno-gcse", "-fno-builtin-abs"]);
    }
}
