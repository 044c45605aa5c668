//! Binary decision diagrams (Bryant, IEEE TC 1986), with complemented edges, a node budget and
//! a stop signal; and terms of finite sorts as diagrams.
//!
//! Files in order of reading: `budget` (how many nodes), `manager` (where they live), `apply`
//! (the recursive algorithms), `operations` and `rename` (what callers see of them), `inspect`
//! (what a diagram looks like), `products` (few of them), `order` (of the bits), `encode` (terms to diagrams), `stack`.
//!
//! ```
//! use tamis_bdd::{Config, Manager};
//! use tamis_term::StopSignal;
//!
//! let m = Manager::new(&Config::default(), StopSignal::never());
//! let [x, y] = m.add_bits(2)[..] else { unreachable!() };
//! let both = m.and(&m.bit(x), &m.bit(y))?;
//! let over = m.cube(&[y])?;
//! assert_eq!(m.exists(&both, &over)?, m.bit(x));
//! # Ok::<(), tamis_bdd::Full>(())
//! ```
//!
//! **Invariants**
//! - Diagrams are canonical: within one manager, two handles are equal if and only if the
//!   functions are.
//! - Running out of nodes and being told to stop are [`Full`], never a wrong diagram, and the
//!   manager stays usable.
//! - Handles survive collections and changes of the order; they may even outlive the manager.
//! - Operations recurse once per level on the caller's stack: whoever has more than a few
//!   thousand bits works [`on_large_stack`].

mod apply;
mod budget;
mod encode;
mod inspect;
mod manager;
mod operations;
mod order;
mod products;
mod rename;
mod stack;

pub use budget::{Config, Full, Result};
pub use encode::{EncodeError, Encoder};
pub use manager::{Bdd, Bit, Manager};
pub use operations::Cube;
pub use products::Product;
pub use rename::Renaming;
pub use stack::on_large_stack;
