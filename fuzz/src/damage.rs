//! Damage to texts: a few random changes of tokens or bytes, in the words of a language.

use fastrand::Rng;

/// What a language is made of.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// Words that are put where they do not belong.
    pub words: &'static [&'static str],
    /// What is repeated very often, and what closes it.
    pub pairs: &'static [(&'static str, &'static str)],
}

/// A text made of `text` by a few random changes; `other` lends pieces.
#[must_use]
pub fn damage(rng: &mut Rng, language: &Vocabulary, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut tokens = tokens(text);
    let lent = self::tokens(other);
    for _ in 0..rng.usize(1..6) {
        let (at, to) = (rng.usize(0..=tokens.len()), rng.usize(0..=tokens.len()));
        let short = at..(at + rng.usize(0..8)).min(tokens.len());
        match rng.u32(0..14) {
            0 | 1 => drop(tokens.drain(short)),
            2 => {
                let copy = tokens[short].to_vec();
                tokens.splice(at..at, copy);
            }
            3 if at < tokens.len() && to < tokens.len() => tokens.swap(at, to),
            4 | 5 => tokens.insert(at, word(rng, language)),
            6 | 7 if at < tokens.len() => tokens[at] = word(rng, language),
            8 if !lent.is_empty() => {
                let from = rng.usize(0..lent.len());
                let piece = lent[from..(from + 30).min(lent.len())].to_vec();
                tokens.splice(short, piece);
            }
            9 => inflate(rng, &mut tokens),
            10 if rng.u32(0..8) == 0 => tokens.truncate(at),
            11 if rng.u32(0..20) == 0 => tokens.insert(at, bomb(rng, language)),
            12 => return noise(rng, tokens.concat()),
            _ if at < tokens.len() && to < tokens.len() => {
                let copy = tokens[to].clone();
                tokens[at] = copy;
            }
            _ => {}
        }
    }
    tokens.concat()
}

fn word(rng: &mut Rng, language: &Vocabulary) -> Vec<u8> {
    format!(" {} ", rng.choice(language.words).copied().unwrap_or_default()).into_bytes()
}

/// Makes a number large.
fn inflate(rng: &mut Rng, tokens: &mut [Vec<u8>]) {
    let is_number = |at: &usize| tokens[*at].first().is_some_and(u8::is_ascii_digit);
    let numbers: Vec<usize> = (0..tokens.len()).filter(is_number).collect();
    if let Some(at) = rng.choice(&numbers) {
        let number = match rng.u32(0..4) {
            0 => "9".repeat(rng.usize(1..60)),
            1 => format!("0x{}", "f".repeat(rng.usize(1..40))),
            2 => (1_u64 << rng.u32(0..64)).to_string(),
            _ => format!("-{}", u64::MAX),
        };
        tokens[*at] = number.into_bytes();
    }
}

/// Something repeated very often, opened and perhaps closed again.
fn bomb(rng: &mut Rng, language: &Vocabulary) -> Vec<u8> {
    let many = 1 << rng.u32(8..18);
    let (open, close) = rng.choice(language.pairs).copied().unwrap_or(("(", ")"));
    let closed = if rng.bool() { many } else { 0 };
    format!("{}{}", open.repeat(many), close.repeat(closed)).into_bytes()
}

/// Changes bytes.
fn noise(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..rng.usize(1..10) {
        if !bytes.is_empty() {
            let at = rng.usize(0..bytes.len());
            bytes[at] = rng.u8(..);
        }
    }
    bytes
}

/// The text in pieces: words, numbers, spaces, and single bytes.
fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => 0,
        byte if byte.is_ascii_whitespace() => 1,
        _ => 2,
    };
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    let mut last = 2;
    for byte in text {
        let now = class(*byte);
        match tokens.last_mut() {
            Some(token) if now == last && now < 2 => token.push(*byte),
            Some(_) | None => tokens.push(vec![*byte]),
        }
        last = now;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_make_up_the_text() {
        let text = b"int x1 = 0x10;\n\tx1+=2;";
        assert_eq!(tokens(text).concat(), text);
        assert_eq!(tokens(text)[..4], [b"int".to_vec(), b" ".to_vec(), b"x1".to_vec(), b" ".to_vec()]);
    }
}
