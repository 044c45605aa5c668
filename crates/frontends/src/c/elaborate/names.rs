//! Types as people write them, for messages.

use super::super::types::{FloatKind, Ty, Type};
use super::Elaborator;

impl Elaborator<'_> {
    /// A type in backquotes.
    pub(super) fn describe(&self, ty: Ty) -> String {
        format!("`{}`", self.spell(ty, "", 0))
    }

    /// A type around what it is the type of.
    fn spell(&self, ty: Ty, inner: &str, depth: u32) -> String {
        if depth > 20 {
            return "...".to_owned();
        }
        let word = |name: &str| if inner.is_empty() { name.to_owned() } else { format!("{name} {inner}") };
        match self.unit.types.get(ty) {
            Type::Void => word("void"),
            Type::Bool => word("_Bool"),
            Type::Int(kind) => word(kind.name()),
            Type::Bits(bits, true) => word(&format!("long long:{bits}")),
            Type::Bits(bits, false) => word(&format!("unsigned long long:{bits}")),
            Type::Float(FloatKind::Float) => word("float"),
            Type::Float(FloatKind::Double) => word("double"),
            Type::Float(FloatKind::LongDouble) => word("long double"),
            Type::Pointer(to) => {
                let wraps = matches!(self.unit.types.get(*to), Type::Array(..) | Type::Vla(_) | Type::Function(_));
                let inner = if wraps { format!("(*{inner})") } else { format!("*{inner}") };
                self.spell(*to, &inner, depth + 1)
            }
            Type::Array(element, None) => self.spell(*element, &format!("{inner}[]"), depth + 1),
            Type::Array(element, Some(len)) => self.spell(*element, &format!("{inner}[{len}]"), depth + 1),
            Type::Vla(element) => self.spell(*element, &format!("{inner}[*]"), depth + 1),
            Type::Function(signature) => {
                let mut params: Vec<String> =
                    signature.params.iter().map(|param| self.spell(*param, "", depth + 1)).collect();
                match (params.is_empty(), signature.variadic) {
                    (true, false) => params.push("void".to_owned()),
                    (false, true) => params.push("...".to_owned()),
                    (true, true) | (false, false) => {}
                }
                self.spell(signature.result, &format!("{inner}({})", params.join(", ")), depth + 1)
            }
            Type::Record(record) => {
                let record = self.unit.types.record(*record);
                let kind = if record.union { "union" } else { "struct" };
                let name = if record.name.is_empty() { "{...}" } else { record.name.as_str() };
                word(&format!("{kind} {name}"))
            }
        }
    }
}
