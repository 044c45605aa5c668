use oxidd::bcdd::{BCDDFunction, new_manager};
use oxidd::{BooleanFunction, Function, HasLevel, Manager, ManagerRef, Node};
use oxidd_core::DiagramRules;
use oxidd_core::function::EdgeOfFunc;
use oxidd_core::util::{AllocResult, EdgeDropGuard, Own, Ref};
use rustc_hash::FxHashMap;
use std::time::Instant;
type St<'id> = <BCDDFunction as Function>::Manager<'id>;
type E<'id> = EdgeOfFunc<'id, BCDDFunction>;
fn comp(e: Ref<'_, E<'_>>) -> bool {
    e.tag() != Default::default()
}
struct Memo<'id> {
    map: FxHashMap<(E<'id>, E<'id>, E<'id>), BCDDFunction>,
    calls: usize,
}
fn ite<'a, 'id>(
    m: &'a St<'id>,
    memo: &mut Memo<'id>,
    f: Ref<'_, E<'id>>,
    g: Ref<'_, E<'id>>,
    h: Ref<'_, E<'id>>,
) -> AllocResult<Own<E<'id>>> {
    memo.calls += 1;
    let fnode = match m.get_node(f) {
        Node::Inner(n) => n,
        Node::Terminal(_) => return Ok(m.clone_edge(if comp(f) { h } else { g })),
    };
    if g == h {
        return Ok(m.clone_edge(g));
    }
    let (gn, hn) = (m.get_node(g), m.get_node(h));
    if let (Node::Terminal(_), Node::Terminal(_)) = (&gn, &hn) {
        // g != h
        let r = m.clone_edge(f);
        return if comp(g) { BCDDFunction::not_edge_owned(m, r) } else { Ok(r) };
    }
    let key = (f.raw(), g.raw(), h.raw());
    if let Some(r) = memo.map.get(&key) {
        return Ok(m.clone_edge(r.as_edge(m)));
    }
    let fl = fnode.level();
    let gl = match gn {
        Node::Inner(n) => n.level(),
        Node::Terminal(_) => u32::MAX,
    };
    let hl = match hn {
        Node::Inner(n) => n.level(),
        Node::Terminal(_) => u32::MAX,
    };
    let l = fl.min(gl).min(hl);
    let cof = |e, lv| if lv == l { BCDDFunction::cofactors_edge(m, e).unwrap() } else { (e, e) };
    let (ft, fe) = cof(f, fl);
    let (gt, ge) = cof(g, gl);
    let (ht, he) = cof(h, hl);
    let t = EdgeDropGuard::new(m, ite(m, memo, ft, gt, ht)?);
    let e = ite(m, memo, fe, ge, he)?;
    let r =
        <<St<'id> as Manager>::Rules as DiagramRules<_, _, _>>::reduce(m, l, [t.into_edge(), e]).then_insert(m, l)?;
    memo.map.insert(key, BCDDFunction::from_edge(m, m.clone_edge(r.borrowed())));
    Ok(r)
}
fn main() {
    let mref = new_manager(1 << 26, 1 << 20, 1);
    mref.with_manager_exclusive(|m| {
        m.add_vars(60);
    });
    let bits: Vec<BCDDFunction> =
        mref.with_manager_shared(|m| (0..60).map(|v| BCDDFunction::var(m, v).unwrap()).collect());
    let mut random = fastrand::Rng::with_seed(5);
    let mut made = mref.with_manager_shared(|m| BCDDFunction::t(m));
    for step in 0..26 {
        let mut pick = || bits[random.usize(..bits.len())].clone();
        // same sequence as before: any([p, !q, r])
        let (p, q, r) = (pick(), pick(), pick());
        let sum = p.or(&q.not().unwrap()).unwrap().or(&r).unwrap();
        let c = pick();
        let s = Instant::now();
        let x = made.xor(&sum).unwrap();
        let t1 = s.elapsed();
        let own = std::env::args().nth(1).is_some();
        let s = Instant::now();
        let mut info = (0, 0);
        let next = if own {
            mref.with_manager_shared(|m| {
                let mut memo = Memo { map: FxHashMap::default(), calls: 0 };
                let e = ite(m, &mut memo, c.as_edge(m), x.as_edge(m), made.as_edge(m)).unwrap();
                info = (memo.calls, memo.map.len());
                BCDDFunction::from_edge(m, e)
            })
        } else {
            c.ite(&x, &made).unwrap()
        };
        println!("{step}: xor {t1:?} ite {:?} -> {} {info:?}", s.elapsed(), next.node_count());
        made = next;
    }
}
