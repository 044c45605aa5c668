//! Calls: arguments in the types of parameters, functions that nobody declared, and the few
//! built-in functions that are more than functions.

use super::super::tree::{Callee, Expr, ExprKind, Function, FunctionId, Weak};
use super::super::types::{FloatKind, IntKind, Signature, Ty, Type};
use super::expr::Operand;
use super::overflow;
use super::scope::Symbol;
use super::{Elaborator, Linked, R};
use lang_c::ast::{BinaryOperator, CallExpression, Constant, Expression, UnaryOperator};
use lang_c::span::Node;
use tamis_ir::{Diagnostic, Span};

/// Library functions that compilers know (with and without `__builtin_` before the name), so that
/// a call without a declaration does not cut a pointer to an `int`. The first letter is the
/// result, the others are the parameters; see [`Elaborator::letter`].
const KNOWN: &[(&str, &str)] = &[
    ("abort", "v"),
    ("exit", "vi"),
    ("_Exit", "vi"),
    ("trap", "v"),
    ("unreachable", "v"),
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("alloca", "pz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("memset", "ppiz"),
    ("memcmp", "ippz"),
    ("memchr", "ppiz"),
    ("strlen", "zs"),
    ("strcpy", "sss"),
    ("strncpy", "sssz"),
    ("strcat", "sss"),
    ("strncat", "sssz"),
    ("strcmp", "iss"),
    ("strncmp", "issz"),
    ("strchr", "ssi"),
    ("strrchr", "ssi"),
    ("strdup", "ss"),
    ("strndup", "ssz"),
    ("strstr", "sss"),
    ("strpbrk", "sss"),
    ("strspn", "zss"),
    ("strcspn", "zss"),
    ("strcasecmp", "iss"),
    ("strncasecmp", "issz"),
    ("index", "ssi"),
    ("rindex", "ssi"),
    ("stpcpy", "sss"),
    ("stpncpy", "sssz"),
    ("mempcpy", "pppz"),
    ("bcmp", "ippz"),
    ("bcopy", "vppz"),
    ("bzero", "vpz"),
    ("printf", "is."),
    ("sprintf", "iss."),
    ("snprintf", "iszs."),
    ("puts", "is"),
    ("putchar", "ii"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "qq"),
    ("fabs", "dd"),
    ("fabsf", "ff"),
    ("fabsl", "DD"),
    ("sqrt", "dd"),
    ("floor", "dd"),
    ("ceil", "dd"),
    ("huge_val", "d"),
    ("huge_valf", "f"),
    ("inf", "d"),
    ("inff", "f"),
    ("nan", "ds"),
    ("nanf", "fs"),
    ("isnan", "id"),
    ("isinf", "id"),
    ("isinf_sign", "id"),
    ("object_size", "zpi"),
    ("bswap16", "tt"),
    ("bswap32", "uu"),
    ("bswap64", "QQ"),
    ("clz", "iu"),
    ("clzl", "iL"),
    ("clzll", "iQ"),
    ("ctz", "iu"),
    ("ctzl", "iL"),
    ("ctzll", "iQ"),
    ("popcount", "iu"),
    ("popcountl", "iL"),
    ("popcountll", "iQ"),
    ("parity", "iu"),
    ("parityl", "iL"),
    ("parityll", "iQ"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iq"),
    ("clrsb", "ii"),
    ("clrsbl", "il"),
    ("clrsbll", "iq"),
    ("imaxabs", "qq"),
    ("strnlen", "zsz"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isascii", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("__memcpy_chk", "pppzz"),
    ("__memmove_chk", "pppzz"),
    ("__mempcpy_chk", "pppzz"),
    ("__memset_chk", "ppizz"),
    ("__strcpy_chk", "sssz"),
    ("__stpcpy_chk", "sssz"),
    ("__strncpy_chk", "ssszz"),
    ("__strcat_chk", "sssz"),
    ("__strncat_chk", "ssszz"),
    ("return_address", "pu"),
    ("frame_address", "pu"),
    ("prefetch", "vp."),
    ("va_start", "v."),
    ("va_end", "v."),
    ("va_copy", "v."),
    ("setjmp", "ip"),
    ("longjmp", "vpi"),
    ("assume", "v."),
];

impl Elaborator<'_> {
    pub(super) fn called(&mut self, node: &CallExpression, span: Span) -> R<Operand> {
        self.choose(node).unwrap_or_else(|| self.call(node, span).map(Operand::Value))
    }

    fn call(&mut self, node: &CallExpression, span: Span) -> R<Expr> {
        if let Expression::Identifier(name) = &node.callee.node {
            let text = name.node.name.as_str();
            if let Some(result) = self.builtin(text, node, span) {
                return result;
            }
            if self.lookup(text).is_none() {
                let at = self.at(name.span);
                self.implicit_function(text, at)?;
            }
        }
        let operand = self.operand(&node.callee)?;
        let (callee, ty) = match operand {
            Operand::Function(function, _) => (Callee::Function(function), self.unit.functions[function.index()].ty),
            Operand::Place(_) | Operand::Value(_) => {
                let pointer = self.value(operand)?;
                let to = self.unit.types.pointee(pointer.ty);
                let Some(to) = to.filter(|to| matches!(self.unit.types.get(*to), Type::Function(_))) else {
                    let name = self.describe(pointer.ty);
                    return Err(self.error(pointer.span, format!("{name} is not a function")));
                };
                if let ExprKind::Function(function) = pointer.kind {
                    (Callee::Function(function), to)
                } else {
                    (Callee::Pointer(Box::new(pointer)), to)
                }
            }
        };
        let Type::Function(signature) = self.unit.types.get(ty).clone() else {
            return Err(self.error(span, "this is not a function"));
        };
        let arguments = self.arguments(&signature, &node.arguments, span)?;
        Ok(Expr { kind: ExprKind::Call(callee, arguments), ty: signature.result, span })
    }

    fn arguments(&mut self, signature: &Signature, nodes: &[Node<Expression>], span: Span) -> R<Vec<Expr>> {
        let (wanted, given) = (signature.params.len(), nodes.len());
        if given < wanted || (given > wanted && !signature.variadic) {
            let least = if signature.variadic { "at least " } else { "" };
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("this call needs {least}{wanted} argument{plural}, but has {given}");
            return Err(self.error(span, message));
        }
        let mut arguments = Vec::with_capacity(given);
        for (at, node) in nodes.iter().enumerate() {
            let value = self.expr(node)?;
            let place = value.span;
            arguments.push(match signature.params.get(at) {
                Some(param) => self.assigned(value, *param, place)?,
                None if matches!(self.unit.types.get(value.ty), Type::Void) => {
                    return Err(self.error(place, "an argument cannot be void"));
                }
                None => self.promote_argument(value),
            });
        }
        Ok(arguments)
    }

    /// Built-in functions that need more than a signature.
    fn builtin(&mut self, name: &str, node: &CallExpression, span: Span) -> Option<R<Expr>> {
        let rest = name.strip_prefix("__builtin_").or_else(|| name.starts_with("__sync_").then_some(name));
        let rest = rest.or_else(|| name.starts_with("__atomic_").then_some(name))?;
        if self.lookup(name).is_some() {
            return None;
        }
        match (rest, node.arguments.as_slice()) {
            ("expect", [value, expected]) => Some(self.expect(value, expected)),
            ("expect_with_probability", [value, expected, _]) => Some(self.expect(value, expected)),
            ("assume_aligned", [pointer, alignment @ ..]) => Some(self.assume_aligned(pointer, alignment)),
            ("object_size", [pointer, _]) => Some(self.object_size(pointer, span)),
            ("constant_p", [value]) => Some(self.is_constant(value, span)),
            // What the list holds does not matter, as `va_arg` may give anything.
            ("va_start" | "va_end" | "va_copy" | "c23_va_start", [list, ..]) => Some(self.expr(list).map(|list| {
                let void = self.unit.types.void();
                self.convert(list, void)
            })),
            _ if let Some(result) = self.atomic(name, &node.arguments, span) => Some(result),
            (_, [left, right, result]) if let Some(overflow) = overflow::named(rest) => {
                Some(self.overflow(&overflow, [left, right, result], span))
            }
            _ if rest.starts_with("__") && !KNOWN.iter().any(|(known, _)| *known == rest) => {
                let error = Diagnostic::error(span, format!("`{name}` is not supported"));
                Some(Err(self.report(error.hint("write out what it does"))))
            }
            _ => None,
        }
    }

    fn expect(&mut self, value: &Node<Expression>, expected: &Node<Expression>) -> R<Expr> {
        let expected = self.expr(expected)?;
        let value = self.expr(value)?;
        let value = self.scalar(value)?;
        let long = self.unit.types.int(IntKind::Long);
        let value = self.convert(value, long);
        // As GCC does: what is expected comes first, but not where the value is known.
        Ok(if self.fold(&value).is_some() { value } else { self.after(expected, value) })
    }

    /// The pointer itself.
    fn assume_aligned(&mut self, pointer: &Node<Expression>, alignment: &[Node<Expression>]) -> R<Expr> {
        let pointer = self.expr(pointer)?;
        let mut result = self.assigned_to_pointer(pointer)?;
        for node in alignment.iter().rev() {
            let number = self.expr(node)?;
            result = self.after(number, result);
        }
        Ok(result)
    }

    fn assigned_to_pointer(&mut self, value: Expr) -> R<Expr> {
        let (void, span) = (self.unit.types.void(), value.span);
        let pointer = self.unit.types.pointer(void);
        self.assigned(value, pointer, span)
    }

    /// How much a compiler knows about an object depends on the compiler. Its operand is not evaluated.
    fn object_size(&mut self, pointer: &Node<Expression>, span: Span) -> R<Expr> {
        let pointer = self.expr(pointer)?;
        self.assigned_to_pointer(pointer)?;
        let what = "__builtin_object_size".to_owned();
        let ty = self.unit.types.size_type();
        Ok(Expr { kind: ExprKind::Unsupported { what, operands: Vec::new() }, ty, span })
    }

    fn is_constant(&mut self, node: &Node<Expression>, span: Span) -> R<Expr> {
        let value = self.expr(node)?;
        let int = self.int();
        let constant = self.fold(&value).is_some() || is_string(&node.node);
        Ok(Self::number(i128::from(constant), int, span))
    }

    /// `__builtin_choose_expr`: the chosen expression itself, which may be a place.
    fn choose(&mut self, node: &CallExpression) -> Option<R<Operand>> {
        let is_chosen =
            matches!(&node.callee.node, Expression::Identifier(name) if name.node.name == "__builtin_choose_expr");
        let ([condition, yes, no], true) = (node.arguments.as_slice(), is_chosen) else { return None };
        let value = self.constant(condition);
        Some(value.and_then(|(value, _)| self.operand(if value != 0 { yes } else { no })))
    }

    /// A function that is called without a declaration.
    fn implicit_function(&mut self, name: &str, span: Span) -> R<()> {
        let bare = name.strip_prefix("__builtin_");
        let known = KNOWN.iter().find(|(known, _)| *known == bare.unwrap_or(name)).map(|(_, letters)| *letters);
        if bare.is_none() {
            let warning = Diagnostic::warning(span, format!("`{name}` is called without a declaration"));
            let near = self.undeclared(name, span).hint;
            self.report(match near {
                Some(hint) => warning.hint(hint),
                None => warning,
            });
        }
        if let (Some(_), None) = (bare, known) {
            let error = Diagnostic::error(span, format!("`{name}` is not supported"));
            return Err(self.report(error.hint("write out what it does")));
        }
        let signature = match known {
            Some(letters) => {
                let variadic = letters.ends_with('.');
                let mut types =
                    letters.trim_end_matches('.').chars().map(|letter| self.letter(letter)).collect::<Vec<_>>();
                let result = types.remove(0);
                Signature { result, params: types, variadic }
            }
            None => Signature { result: self.int(), params: Vec::new(), variadic: true },
        };
        let ty = self.unit.types.make(Type::Function(signature));
        let function = match self.linked.get(name) {
            Some(Linked::Function(function)) => *function,
            Some(Linked::Object(_)) => {
                return Err(self.error(span, format!("`{name}` is not a function in another file")));
            }
            None => {
                let function = self.add_function(name, ty, span);
                self.unit.functions[function.index()].implicit = true;
                self.linked.insert(name.to_owned(), Linked::Function(function));
                function
            }
        };
        self.scopes[0].names.insert(name.to_owned(), (Symbol::Function(function), span));
        Ok(())
    }

    fn letter(&mut self, letter: char) -> Ty {
        let types = &mut self.unit.types;
        match letter {
            'v' => types.void(),
            'p' => {
                let void = types.void();
                types.pointer(void)
            }
            's' => {
                let char = types.int(IntKind::Char);
                types.pointer(char)
            }
            'z' => types.size_type(),
            't' => types.int(IntKind::UShort),
            'u' => types.int(IntKind::UInt),
            'l' => types.int(IntKind::Long),
            'L' => types.int(IntKind::ULong),
            'q' => types.int(IntKind::LongLong),
            'Q' => types.int(IntKind::ULongLong),
            'f' => types.make(Type::Float(FloatKind::Float)),
            'd' => types.make(Type::Float(FloatKind::Double)),
            'D' => types.make(Type::Float(FloatKind::LongDouble)),
            _ => types.int(IntKind::Int),
        }
    }

    pub(super) fn add_function(&mut self, name: &str, ty: Ty, span: Span) -> FunctionId {
        let id = FunctionId(u32::try_from(self.unit.functions.len()).expect("fewer than 2^32 functions"));
        self.unit.functions.push(Function {
            name: name.to_owned(),
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            labels: Vec::new(),
            blocks: Vec::new(),
            body: None,
            span,
            implicit: false,
            noreturn: false,
            align: None,
            alias: None,
            weak: Weak::No,
        });
        id
    }
}

/// Whether an expression is a string literal, or the address of its first character.
fn is_string(expression: &Expression) -> bool {
    if let Expression::Cast(cast) = expression {
        return is_string(&cast.node.expression.node);
    }
    if let Expression::UnaryOperator(unary) = expression
        && unary.node.operator.node == UnaryOperator::Address
        && let Expression::BinaryOperator(element) = &unary.node.operand.node
    {
        let first = element.node.operator.node == BinaryOperator::Index && is_zero(&element.node.rhs.node);
        return first && is_string(&element.node.lhs.node);
    }
    matches!(expression, Expression::StringLiteral(_))
}

fn is_zero(expression: &Expression) -> bool {
    matches!(expression, Expression::Constant(constant)
        if matches!(&constant.node, Constant::Integer(integer) if integer.number.trim_matches('0').is_empty()))
}
