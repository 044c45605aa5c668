//! The programs of the thesis as Remopla, by size. All are safe unless they say otherwise,
//! and the error is the label `error`.

use std::fmt::Write as _;

/// Writes lines into a program; strings take any text.
macro_rules! line {
    ($text:expr, $($arg:tt)*) => { writeln!($text, $($arg)*).expect("strings take any text") };
}

/// The bits that hold the numbers up to `most`.
fn width(most: u32) -> u32 {
    (u32::BITS - most.leading_zeros()).max(1)
}

/// Figure 6.1: bubble sort sorts. Its `for` is a loop that tests in front of its body.
#[must_use]
pub fn bubble_sort(elements: u32, bits: u32) -> String {
    sort(
        elements,
        bits,
        "     do
     :: j <= N - i ->
        if
        :: a[j] > a[j+1] -> a[j] = a[j+1], a[j+1] = a[j];
        :: else -> skip;
        fi
        j = j + 1;
     :: else -> break;
     od
",
    )
}

/// The same with an inner loop that tests behind its body, as `for` may, too, where the body is always
/// run at least once.
#[must_use]
pub fn bubble_sort_tested_below(elements: u32, bits: u32) -> String {
    sort(
        elements,
        bits,
        "     do
     :: true ->
        if
        :: a[j] > a[j+1] -> a[j] = a[j+1], a[j+1] = a[j];
        :: else -> skip;
        fi
        j = j + 1;
        if
        :: j > N - i -> break;
        :: else -> skip;
        fi
     od
",
    )
}

fn sort(elements: u32, bits: u32, inner: &str) -> String {
    let index = width(elements);
    format!(
        "\
define N {elements}
define DEFAULT_INT_BITS {bits}
int a[1,N];
init main;
module void main() {{
  int i({index}), j({index});
  i = 1;
  do
  :: i < N ->
     j = 1;
{inner}     i = i + 1;
  :: else -> break;
  od
  if
  :: E k (1,N-1) a[k] > a[k+1] -> goto error;
  :: else -> skip;
  fi
  return;
  error: skip;
}}
"
    )
}

/// Figure 6.3: the sum of two counters is an invariant of a loop.
#[must_use]
pub fn loop_invariant(bits: u32) -> String {
    format!(
        "\
define DEFAULT_INT_BITS {bits}
int g, i, j;
init main;
module void main() {{
  i = 0, j = g;
  do
  :: i <= g ->
     if
     :: i + j != g -> goto error;
     :: else -> i = i + 1; j = j - 1;
     fi
  :: else -> break;
  od
  if
  :: j != 0 -> goto error;
  :: else -> skip;
  fi
  return;
  error: skip;
}}
"
    )
}

/// Figure 6.5: a procedure keeps two variables equal while it plays with an array.
#[must_use]
pub fn conciliated(bits: u32, cells: u32) -> String {
    equal_variables(bits, cells, " Z = undef;")
}

/// The same without the assignment to the variable that does not matter.
#[must_use]
pub fn conciliated_without_z(bits: u32, cells: u32) -> String {
    equal_variables(bits, cells, "")
}

fn equal_variables(bits: u32, cells: u32, irrelevant: &str) -> String {
    format!(
        "\
define DEFAULT_INT_BITS {bits}
int X, Y, Z;
module void foo();
init main;
module void foo() {{
  int P;
  int Q[{cells}];
  do
  :: true ->
     if
     :: true -> P = undef; Q[P] = Q[P] + 1;
     :: true -> skip;
     fi
     if
     :: true -> X = X + P; Y = Y + P;{irrelevant}
     :: true -> skip;
     fi
  :: true -> break;
  od
}}
module void main() {{
  X = 0;
  Y = 0;
  foo();
  if
  :: X != Y ->
     if
     :: Z == 1 -> goto error;
     :: else -> skip;
     fi
  :: else -> skip;
  fi
  return;
  error: skip;
}}
"
    )
}

/// Figure 6.7: a procedure that does something complicated, and does not matter.
#[must_use]
pub fn irrelevant_procedure(bits: u32) -> String {
    format!(
        "\
define DEFAULT_INT_BITS {bits}
int g, h;
module void foo();
init main;
module void foo() {{
  int t;
  t = g * h;
  do
  :: t > 0 -> g = h, h = g; t = t - 1;
  :: else -> break;
  od
  if
  :: true -> foo();
  :: true -> skip;
  fi
  g = undef;
}}
module void main() {{
  int B;
  B = 0;
  foo();
  if
  :: B != 0 -> goto error;
  :: else -> skip;
  fi
  return;
  error: skip;
}}
"
    )
}

/// Figure 6.9: quicksort before and after a procedure that matters. Indices are shifted by
/// one, so that none is below zero.
#[must_use]
pub fn quicksort(elements: u32, bits: u32) -> String {
    let index = width(elements);
    format!(
        "\
define DEFAULT_INT_BITS {bits}
int G;
int X[{elements}], Y[{elements}];
module void quicksort(bool w, int lo({index}), int hi({index}));
module void one();
init main;
module void one() {{
  G = 1;
}}
module void quicksort(bool w, int lo({index}), int hi({index})) {{
  int i({index}), j({index});
  int p;
  if
  :: lo < hi ->
     if
     :: w -> p = X[hi-1];
     :: !w -> p = Y[hi-1];
     fi
     i = lo, j = lo;
     do
     :: j < hi ->
        if
        :: w && X[j-1] <= p -> X[i-1] = X[j-1], X[j-1] = X[i-1]; i = i + 1;
        :: !w && Y[j-1] <= p -> Y[i-1] = Y[j-1], Y[j-1] = Y[i-1]; i = i + 1;
        :: else -> skip;
        fi
        j = j + 1;
     :: else -> break;
     od
     if
     :: w -> X[i-1] = X[hi-1], X[hi-1] = X[i-1];
     :: !w -> Y[i-1] = Y[hi-1], Y[hi-1] = Y[i-1];
     fi
     quicksort(w, lo, i - 1);
     quicksort(w, i + 1, hi);
  :: else -> skip;
  fi
}}
module void main() {{
  int B;
  quicksort(true, 1, {elements});
  one();
  B = G;
  quicksort(false, 1, {elements});
  if
  :: B != 1 -> goto error;
  :: else -> skip;
  fi
  return;
  error: skip;
}}
"
    )
}

/// Figure 6.11: a randomised test of primality never divides by zero; `last` is the largest
/// number that is tested.
#[must_use]
pub fn primality(bits: u32, trials: u32, last: u32) -> String {
    let counter = width(trials);
    format!(
        "\
define DEFAULT_INT_BITS {bits}
define TRIALS {trials}
module int witness(int a, int i, int n);
module bool isPrime(int n);
init main;
module int witness(int a, int i, int n) {{
  int x, y;
  if
  :: n == 0 -> goto error;
  :: else -> skip;
  fi
  if
  :: i == 0 -> return 1;
  :: else -> skip;
  fi
  x = witness(a, i/2, n);
  if
  :: x == 0 -> return 0;
  :: else -> skip;
  fi
  y = x*x - ((x*x)/n)*n;
  if
  :: y == 1 && x != 1 && x != n - 1 -> return 0;
  :: else -> skip;
  fi
  if
  :: i - (i/2)*2 != 0 -> y = a*y - ((a*y)/n)*n;
  :: else -> skip;
  fi
  return y;
  error: skip;
  return 0;
}}
module bool isPrime(int n) {{
  int c({counter}), r, w;
  c = 0;
  do
  :: c < TRIALS ->
     r = undef;
     w = witness(r, n - 1, n);
     if
     :: w != 1 -> return false;
     :: else -> skip;
     fi
     c = c + 1;
  :: else -> break;
  od
  return true;
}}
module void main() {{
  int i;
  bool b;
  i = 3;
  do
  :: i <= {last} -> b = isPrime(i); i = i + 1;
  :: else -> break;
  od
}}
"
    )
}

/// Procedures in a row, each calling the next one twice, and the last one flips a bit. It is
/// flipped 2^(k-1) times, so for `k > 1` it keeps its value.
#[must_use]
pub fn chain(procedures: u32) -> String {
    let mut text = String::from("bool g;\n");
    for number in 0..procedures {
        line!(text, "module void p{number}();");
    }
    text.push_str("init main;\n");
    for number in 0..procedures {
        let next = number + 1;
        if next < procedures {
            line!(text, "module void p{number}() {{ p{next}(); p{next}(); }}");
        } else {
            line!(text, "module void p{number}() {{ g = !g; }}");
        }
    }
    text.push_str(
        "\
module void main() {
  g = false;
  p0();
  if
  :: g -> goto error;
  :: else -> skip;
  fi
  return;
  error: skip;
}
",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_hold_their_numbers() {
        assert_eq!([0, 1, 2, 3, 4, 7, 8].map(width), [1, 1, 2, 2, 3, 3, 4]);
    }
}
