//! Interpolants by weakest preconditions (*Lazy Annotation for Program Testing and Verification*, CAV
//! 2010): what must hold before an arc so that afterwards the interpolant holds,
//! with as few alternatives as the state itself implies.

use super::ask::Asker;
use super::state::Sequence;
use tamis_cegar::{Context, Outcome};
use tamis_term::{Fun, Node, Substitution, Term, Terms};

/// A formula of more terms than this is no generalisation.
const LARGE: usize = 400;

/// How many questions may be asked about one node.
const QUESTIONS: usize = 120;

/// What is learned from what arcs require.
pub(super) struct Learned {
    /// What the state implies, and what implies all that is required.
    pub(super) formula: Term,
    /// Whether alternatives were left out.
    pub(super) chosen: bool,
}

/// A formula that the state implies, and that implies all of `required`, which the state implies too.
/// It may still mention what is chosen on arcs.
pub(super) fn generalise(
    ctx: &mut Context,
    asker: &mut Asker,
    sequence: &Sequence,
    after: &Substitution,
    required: &[Term],
) -> Outcome<Option<Learned>> {
    let end = sequence.len();
    let mut questions = 0;
    let mut holds = |ctx: &mut Context, asker: &mut Asker, parts: &[Term]| -> Outcome<bool> {
        questions += 1;
        if questions > QUESTIONS {
            return Ok(false);
        }
        let any = ctx.terms.or(parts);
        let here = ctx.terms.substitute(any, after);
        let goal = ctx.terms.not(here);
        if ctx.terms.is_true(goal) {
            return Ok(false);
        }
        let related = sequence.related(&ctx.terms, &[goal], |position| position < end);
        let formulas: Vec<Term> = related.iter().map(|position| sequence.at(*position).term).collect();
        asker.implies(ctx, &formulas, here)
    };
    let mut open: Vec<Term> = required.to_vec();
    open.reverse();
    let (mut found, mut chosen): (Vec<Term>, bool) = (Vec::new(), false);
    while let Some(formula) = open.pop() {
        if found.contains(&formula) || ctx.terms.is_true(formula) {
            continue;
        }
        let (conjuncts, alternatives) = shape(&mut ctx.terms, formula);
        if let Some(mut parts) = conjuncts {
            parts.reverse();
            open.extend(parts);
            continue;
        }
        if alternatives.len() < 2 {
            found.push(formula);
            continue;
        }
        // One alternative that always holds here says more about other states than all of them.
        let mut single = None;
        for part in &alternatives {
            if holds(ctx, asker, &[*part])? {
                single = Some(*part);
                break;
            }
        }
        if let Some(part) = single {
            chosen = true;
            open.push(part);
            continue;
        }
        let (mut kept, mut at) = (alternatives, 0);
        let all = kept.len();
        while at < kept.len() && kept.len() > 2 {
            let part = kept.remove(at);
            if !holds(ctx, asker, &kept)? {
                kept.insert(at, part);
                at += 1;
            }
        }
        chosen |= kept.len() < all;
        found.push(ctx.terms.or(&kept));
    }
    if required.len() > 1 {
        thin(ctx, asker, &mut found)?;
    }
    let formula = ctx.terms.and(&found);
    Ok((ctx.terms.dag_size(formula) <= LARGE).then_some(Learned { formula, chosen }))
}

/// Leaves out what the others imply.
fn thin(ctx: &mut Context, asker: &mut Asker, parts: &mut Vec<Term>) -> Outcome<()> {
    const MANY: usize = 16;
    if parts.len() > MANY {
        return Ok(());
    }
    let mut at = 0;
    while at < parts.len() && parts.len() > 1 {
        let part = parts.remove(at);
        if !asker.implies(ctx, parts, part)? {
            parts.insert(at, part);
            at += 1;
        }
    }
    Ok(())
}

/// What a formula is the conjunction of, or else its alternatives: those that are smaller first.
fn shape(terms: &mut Terms, formula: Term) -> (Option<Vec<Term>>, Vec<Term>) {
    let app = |terms: &Terms, term: Term| match terms.node(term) {
        Node::App(fun, args) => Some((fun.clone(), args.to_vec())),
        Node::Const(_) | Node::Var(_) => None,
    };
    let negated = |terms: &mut Terms, args: &[Term]| args.iter().map(|arg| terms.not(*arg)).collect::<Vec<Term>>();
    let mut alternatives = match app(terms, formula) {
        Some((Fun::And, args)) => return (Some(args), Vec::new()),
        Some((Fun::Or, args)) => args,
        Some((Fun::Ite, args)) => {
            let (yes, no) = (terms.implies(args[0], args[1]), terms.or(&[args[0], args[2]]));
            return (Some(vec![yes, no]), Vec::new());
        }
        Some((Fun::Not, args)) => match app(terms, args[0]) {
            Some((Fun::Or, args)) => return (Some(negated(terms, &args)), Vec::new()),
            Some((Fun::And, args)) => negated(terms, &args),
            Some((Fun::Ite, args)) => {
                let (then, otherwise) = (terms.not(args[1]), terms.not(args[2]));
                let (yes, no) = (terms.implies(args[0], then), terms.or(&[args[0], otherwise]));
                return (Some(vec![yes, no]), Vec::new());
            }
            Some(_) | None => Vec::new(),
        },
        Some(_) | None => Vec::new(),
    };
    alternatives.sort_by_key(|part| terms.dag_size(*part));
    (None, alternatives)
}
