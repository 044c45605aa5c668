//! What an interpolant must satisfy, by trying all values of small sorts.

use tamis_solver::interpolation::Parts;
use tamis_term::value::values;
use tamis_term::{Code, Term, Terms, Value, Var};

/// More valuations than this are not tried.
const MOST: u64 = 1 << 16;

/// Whether the formulas are interpolants of the parts, if that can be found out by trying.
pub fn valid(terms: &mut Terms, parts: &Parts, interpolants: &[Term]) -> Option<bool> {
    let shared = parts.shared(terms);
    let speaks_out =
        |(node, term): (usize, &Term)| terms.free_vars(&[*term]).iter().any(|var| !shared[node].contains(var));
    if interpolants.len() != parts.parents.len() || interpolants.iter().enumerate().any(speaks_out) {
        return Some(false);
    }
    let mut all = true;
    for (node, children) in parts.children().into_iter().enumerate() {
        let goal = interpolants.get(node).copied().unwrap_or_else(|| terms.bool(false));
        let not = terms.not(goal);
        let known = children.into_iter().map(|child| interpolants[child]);
        let facts: Vec<Term> = known.chain([parts.formulas[node], not]).collect();
        let question = terms.and(&facts);
        all &= !satisfiable(terms, question)?;
    }
    Some(all)
}

/// Whether some valuation makes the formula true.
pub fn satisfiable(terms: &Terms, formula: Term) -> Option<bool> {
    let vars: Vec<Var> = terms.free_vars(&[formula]).into_iter().collect();
    let counts: Option<Vec<u64>> = vars.iter().map(|var| terms.var_sort(*var).cardinality()).collect();
    counts?.into_iter().try_fold(1_u64, u64::checked_mul).filter(|count| *count <= MOST)?;
    let domains: Vec<Vec<Value>> = vars.iter().map(|var| values(terms.var_sort(*var)).collect()).collect();
    let code = Code::new(terms, &[formula], |var| vars.iter().position(|other| *other == var).expect("listed"));
    let mut chosen = vec![0; vars.len()];
    let mut scratch = Vec::new();
    loop {
        let row: Vec<Value> = chosen.iter().zip(&domains).map(|(at, domain)| domain[*at].clone()).collect();
        code.run(&row, &mut scratch);
        if code.result(0, &scratch).as_bool() {
            return Some(true);
        }
        let Some(next) = (0..chosen.len()).find(|at| chosen[*at] + 1 < domains[*at].len()) else { return Some(false) };
        chosen[next] += 1;
        chosen[..next].fill(0);
    }
}
