//! What each SMT-LIB function name lowers to: a function symbol of terms with SMT-LIB's way
//! of taking more than two arguments, or a combination of several.

use super::MAX_WIDTH;
use crate::fun::Fun;
use crate::sort::{ArraySort, Sort};
use crate::terms::{Term, Terms};
use smallvec::SmallVec;
use std::sync::Arc;

/// A function as the text names it.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// With exactly the arguments that the function takes.
    Plain(Fun),
    /// With the two arguments exchanged, as `bvugt` for `bvult`.
    Swapped(Fun),
    /// With the result negated, as `bvnand`.
    Negated(Fun, Fun),
    /// Of two or more arguments, from the left.
    Left(Fun),
    /// Of two or more arguments, each with its neighbour.
    Chain(Fun),
    /// As `Chain`, with each two exchanged.
    SwappedChain(Fun),
    /// Of one or more arguments at once: `and`, `or`.
    Junction(Fun),
    /// `-` of one argument negates, of more subtracts.
    Minus,
    /// `/`, whose arguments are reals even when they look like integers.
    Divide,
    Implies,
    Distinct,
    Ite,
    Abs,
    Divisible(u32),
    BvComp,
    Repeat(u32),
    RotateLeft(u32),
    RotateRight(u32),
    ConstArray(Arc<ArraySort>),
}

/// The function of that name without indices.
pub(super) fn named(name: &str) -> Option<Op> {
    Some(match name {
        "not" => Op::Plain(Fun::Not),
        "and" => Op::Junction(Fun::And),
        "or" => Op::Junction(Fun::Or),
        "xor" => Op::Left(Fun::Xor),
        "=>" => Op::Implies,
        "ite" => Op::Ite,
        "=" => Op::Chain(Fun::Eq),
        "distinct" => Op::Distinct,
        "bvnot" => Op::Plain(Fun::BvNot),
        "bvneg" => Op::Plain(Fun::BvNeg),
        "bvand" => Op::Left(Fun::BvAnd),
        "bvor" => Op::Left(Fun::BvOr),
        "bvxor" => Op::Left(Fun::BvXor),
        "bvnand" => Op::Negated(Fun::BvNot, Fun::BvAnd),
        "bvnor" => Op::Negated(Fun::BvNot, Fun::BvOr),
        "bvxnor" => Op::Negated(Fun::BvNot, Fun::BvXor),
        "bvcomp" => Op::BvComp,
        "bvadd" => Op::Left(Fun::BvAdd),
        "bvsub" => Op::Left(Fun::BvSub),
        "bvmul" => Op::Left(Fun::BvMul),
        "bvudiv" => Op::Plain(Fun::BvUdiv),
        "bvurem" => Op::Plain(Fun::BvUrem),
        "bvsdiv" => Op::Plain(Fun::BvSdiv),
        "bvsrem" => Op::Plain(Fun::BvSrem),
        "bvsmod" => Op::Plain(Fun::BvSmod),
        "bvshl" => Op::Plain(Fun::BvShl),
        "bvlshr" => Op::Plain(Fun::BvLshr),
        "bvashr" => Op::Plain(Fun::BvAshr),
        "bvult" => Op::Plain(Fun::BvUlt),
        "bvule" => Op::Plain(Fun::BvUle),
        "bvugt" => Op::Swapped(Fun::BvUlt),
        "bvuge" => Op::Swapped(Fun::BvUle),
        "bvslt" => Op::Plain(Fun::BvSlt),
        "bvsle" => Op::Plain(Fun::BvSle),
        "bvsgt" => Op::Swapped(Fun::BvSlt),
        "bvsge" => Op::Swapped(Fun::BvSle),
        "concat" => Op::Left(Fun::Concat),
        "+" => Op::Left(Fun::Add),
        "-" => Op::Minus,
        "*" => Op::Left(Fun::Mul),
        "/" => Op::Divide,
        "div" => Op::Left(Fun::IntDiv),
        "mod" => Op::Plain(Fun::IntMod),
        "abs" => Op::Abs,
        "<" => Op::Chain(Fun::Lt),
        "<=" => Op::Chain(Fun::Le),
        ">" => Op::SwappedChain(Fun::Lt),
        ">=" => Op::SwappedChain(Fun::Le),
        "to_real" => Op::Plain(Fun::ToReal),
        "to_int" => Op::Plain(Fun::ToInt),
        "is_int" => Op::Plain(Fun::IsInt),
        "ubv_to_int" | "bv2nat" | "bv2int" => Op::Plain(Fun::UbvToInt),
        "sbv_to_int" => Op::Plain(Fun::SbvToInt),
        "select" => Op::Plain(Fun::Select),
        "store" => Op::Plain(Fun::Store),
        _ => return None,
    })
}

/// The function of that name with indices, as in `(_ extract 7 0)`.
pub(super) fn indexed(name: &str, indices: &[u32]) -> Result<Op, String> {
    let op = match (name, indices) {
        ("extract", [high, low]) => Op::Plain(Fun::Extract { high: *high, low: *low }),
        ("zero_extend", [by]) => Op::Plain(Fun::ZeroExtend(*by)),
        ("sign_extend", [by]) => Op::Plain(Fun::SignExtend(*by)),
        ("repeat", [times]) => Op::Repeat(*times),
        ("rotate_left", [by]) => Op::RotateLeft(*by),
        ("rotate_right", [by]) => Op::RotateRight(*by),
        ("int_to_bv" | "int2bv" | "nat2bv", [width]) => Op::Plain(Fun::IntToBv(*width)),
        ("divisible", [by]) if *by > 0 => Op::Divisible(*by),
        _ => return Err(format!("unknown function (_ {name} …) of {} indices", indices.len())),
    };
    Ok(op)
}

/// The application of `op`. `pairs` is how many pairs `distinct` may still compare.
pub(super) fn lower(terms: &mut Terms, op: Op, args: &mut [Term], pairs: &mut usize) -> Result<Term, String> {
    let number_of_args = args.len();
    let arity = move |n: usize| {
        if n == number_of_args { Ok(()) } else { Err(format!("expected {n} arguments, found {number_of_args}")) }
    };
    let at_least_two = move || if number_of_args < 2 { Err("expected at least 2 arguments") } else { Ok(()) };
    match op {
        Op::Plain(fun) => {
            check_width(terms, &fun, args)?;
            unify_cells(terms, &fun, args);
            app(terms, fun, args)
        }
        Op::Swapped(fun) => {
            args.reverse();
            app(terms, fun, args)
        }
        Op::Negated(outer, inner) => {
            let plain = app(terms, inner, args)?;
            app(terms, outer, &[plain])
        }
        Op::Left(fun) => {
            at_least_two()?;
            unify(terms, args);
            left(terms, &fun, args)
        }
        Op::Chain(fun) => {
            at_least_two()?;
            unify(terms, args);
            chain(terms, &fun, args, |pair| [pair[0], pair[1]])
        }
        Op::SwappedChain(fun) => {
            at_least_two()?;
            unify(terms, args);
            chain(terms, &fun, args, |pair| [pair[1], pair[0]])
        }
        Op::Junction(fun) => app(terms, fun, args),
        Op::Minus if args.len() == 1 => app(terms, Fun::Neg, args),
        Op::Minus => {
            unify(terms, args);
            left(terms, &Fun::Sub, args)
        }
        Op::Divide => {
            at_least_two()?;
            make_real(terms, args);
            left(terms, &Fun::RealDiv, args)
        }
        Op::Implies => {
            at_least_two()?;
            let (last, before) = args.split_last().ok_or("expected arguments")?;
            before.iter().rev().try_fold(*last, |conclusion, premise| {
                let not = app(terms, Fun::Not, &[*premise])?;
                app(terms, Fun::Or, &[not, conclusion])
            })
        }
        Op::Distinct => {
            at_least_two()?;
            unify(terms, args);
            distinct(terms, args, pairs)
        }
        Op::Ite => {
            arity(3)?;
            unify(terms, &mut args[1..]);
            app(terms, Fun::Ite, args)
        }
        Op::Abs => {
            arity(1)?;
            absolute(terms, args[0])
        }
        Op::Divisible(by) => {
            arity(1)?;
            let (by, zero) = (terms.int(i64::from(by)), terms.int(0));
            let rest = app(terms, Fun::IntMod, &[args[0], by])?;
            app(terms, Fun::Eq, &[rest, zero])
        }
        Op::BvComp => {
            arity(2)?;
            bits(terms, args[0])?;
            let equal = app(terms, Fun::Eq, args)?;
            let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
            app(terms, Fun::Ite, &[equal, one, zero])
        }
        Op::Repeat(times) => {
            arity(1)?;
            repeat(terms, args[0], times)
        }
        Op::RotateLeft(by) => {
            arity(1)?;
            rotate_left(terms, args[0], u64::from(by))
        }
        Op::RotateRight(by) => {
            arity(1)?;
            let width = bits(terms, args[0])?;
            rotate_left(terms, args[0], u64::from(width - by % width))
        }
        Op::ConstArray(sort) => {
            if sort.element == Sort::Real {
                make_real(terms, args);
            }
            app(terms, Fun::ConstArray(sort), args)
        }
    }
}

fn app(terms: &mut Terms, fun: Fun, args: &[Term]) -> Result<Term, String> {
    terms.try_app(fun, args).map_err(|error| error.message)
}

/// An integer as a real; other terms as they are.
pub(super) fn real(terms: &mut Terms, term: Term) -> Term {
    if *terms.sort(term) == Sort::Int { terms.app(Fun::ToReal, &[term]) } else { term }
}

fn make_real(terms: &mut Terms, args: &mut [Term]) {
    for arg in args {
        *arg = real(terms, *arg);
    }
}

/// Where integers and reals are mixed, makes all of them reals, as SMT-LIB's mixed theory does.
fn unify(terms: &mut Terms, args: &mut [Term]) {
    if args.iter().any(|arg| *terms.sort(*arg) == Sort::Real) {
        make_real(terms, args);
    }
}

/// Makes integers real where an array has real indices or elements.
fn unify_cells(terms: &mut Terms, fun: &Fun, args: &mut [Term]) {
    if !matches!(fun, Fun::Select | Fun::Store) {
        return;
    }
    if let [array, cell @ ..] = args
        && let Sort::Array(sort) = terms.sort(*array).clone()
    {
        for (arg, expected) in cell.iter_mut().zip([&sort.index, &sort.element]) {
            if *expected == Sort::Real {
                *arg = real(terms, *arg);
            }
        }
    }
}

fn left(terms: &mut Terms, fun: &Fun, args: &[Term]) -> Result<Term, String> {
    let (first, rest) = args.split_first().ok_or("expected arguments")?;
    rest.iter().try_fold(*first, |all, arg| {
        check_width(terms, fun, &[all, *arg])?;
        app(terms, fun.clone(), &[all, *arg])
    })
}

fn chain(terms: &mut Terms, fun: &Fun, args: &[Term], pair: fn(&[Term]) -> [Term; 2]) -> Result<Term, String> {
    let links: Result<SmallVec<[Term; 4]>, String> =
        args.windows(2).map(|neighbours| app(terms, fun.clone(), &pair(neighbours))).collect();
    app(terms, Fun::And, &links?)
}

fn distinct(terms: &mut Terms, args: &[Term], pairs: &mut usize) -> Result<Term, String> {
    let count = args.len().saturating_mul(args.len() - 1) / 2;
    *pairs = pairs.checked_sub(count).ok_or("the distinct compares too many pairs of terms")?;
    let mut apart = Vec::with_capacity(count);
    for (i, a) in args.iter().enumerate() {
        for b in &args[i + 1..] {
            let equal = app(terms, Fun::Eq, &[*a, *b])?;
            apart.push(app(terms, Fun::Not, &[equal])?);
        }
    }
    app(terms, Fun::And, &apart)
}

/// The width of a bit-vector, or why it has none.
fn bits(terms: &Terms, term: Term) -> Result<u32, String> {
    match terms.sort(term) {
        Sort::BitVec(width) => Ok(*width),
        sort @ (Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_)) => {
            Err(format!("expected a bit-vector, found a term of sort {sort}"))
        }
    }
}

/// Refuses a function whose result would be wider than any that is read.
fn check_width(terms: &Terms, fun: &Fun, args: &[Term]) -> Result<(), String> {
    let width = |term: &Term| bits(terms, *term).unwrap_or(0);
    let sum = |a: u32, b: u32| a.checked_add(b);
    let wide = match (fun, args) {
        (Fun::Concat, [a, b]) => sum(width(a), width(b)),
        (Fun::ZeroExtend(by) | Fun::SignExtend(by), [a]) => sum(width(a), *by),
        (Fun::IntToBv(width), _) => Some(*width),
        _ => Some(0),
    };
    match wide {
        Some(..=MAX_WIDTH) => Ok(()),
        Some(_) | None => Err(format!("bit-vectors of more than {MAX_WIDTH} bits are not read")),
    }
}

fn absolute(terms: &mut Terms, term: Term) -> Result<Term, String> {
    let negated = app(terms, Fun::Neg, &[term])?;
    let zero = app(terms, Fun::Sub, &[term, term])?;
    let negative = app(terms, Fun::Lt, &[term, zero])?;
    app(terms, Fun::Ite, &[negative, negated, term])
}

/// `times` copies, by doubling.
fn repeat(terms: &mut Terms, term: Term, times: u32) -> Result<Term, String> {
    let width = bits(terms, term)?;
    if times == 0 {
        return Err("a bit-vector is repeated at least once".to_owned());
    }
    if width.checked_mul(times).is_none_or(|width| width > MAX_WIDTH) {
        return Err(format!("bit-vectors of more than {MAX_WIDTH} bits are not read"));
    }
    let mut result = term;
    for bit in (0..times.ilog2()).rev() {
        result = app(terms, Fun::Concat, &[result, result])?;
        if times >> bit & 1 == 1 {
            result = app(terms, Fun::Concat, &[result, term])?;
        }
    }
    Ok(result)
}

fn rotate_left(terms: &mut Terms, term: Term, by: u64) -> Result<Term, String> {
    let width = bits(terms, term)?;
    let by = u32::try_from(by % u64::from(width)).map_err(|_| "the distance is too large")?;
    if by == 0 {
        return Ok(term);
    }
    let high = app(terms, Fun::Extract { high: width - 1 - by, low: 0 }, &[term])?;
    let low = app(terms, Fun::Extract { high: width - 1, low: width - by }, &[term])?;
    app(terms, Fun::Concat, &[high, low])
}
