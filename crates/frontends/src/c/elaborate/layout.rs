//! Where the members of a record lie, as GCC places them on x86 (System V ABIs of i386 and x86-64).
//!
//! A bit-field lies where the last one ended, unless it would then touch more units of its type's
//! alignment than its type has: it moves to the next boundary. Packed bit-fields never move, and may
//! lie in one byte more than their type has.

use super::super::types::{BitField, Body, Field, Ty, Types};

/// A member before it has a place.
#[derive(Debug)]
pub(super) struct Member {
    /// Empty for anonymous records and unnamed bit-fields.
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) width: Option<u32>,
    /// What attributes ask for, in bytes.
    pub(super) align: Option<u64>,
    pub(super) packed: bool,
    pub(super) volatile: bool,
    pub(super) constant: bool,
}

/// Why members cannot be laid out, and at which member.
#[derive(Debug)]
pub(super) struct Misplaced {
    pub(super) member: usize,
    pub(super) why: &'static str,
}

/// Lays out a record. Sizes of the members are known, but for a flexible array at the end.
pub(super) fn layout(types: &Types, members: Vec<Member>, union: bool, align: Option<u64>) -> Result<Body, Misplaced> {
    let mut fields = Vec::with_capacity(members.len());
    let mut record_align = align.unwrap_or(1);
    // In bits: where the next member may start, and how far the furthest one reaches.
    let (mut next, mut reach) = (0_u64, 0_u64);
    for (at, member) in members.into_iter().enumerate() {
        let misplaced = |why| Misplaced { member: at, why };
        let huge = || misplaced("the record is too large");
        let natural = types.align_of(member.ty).unwrap_or(1);
        let own = match (member.packed, member.align) {
            (true, asked) => asked.unwrap_or(1),
            (false, asked) => natural.max(asked.unwrap_or(1)),
        };
        let size = types.size_of(member.ty).unwrap_or(0);
        if union {
            next = 0;
        }
        let Some(width) = member.width else {
            next = next.checked_next_multiple_of(own * 8).ok_or_else(huge)?;
            let Member { name, ty, volatile, constant, .. } = member;
            fields.push(Field { name, ty, offset: next / 8, bits: None, align: own, volatile, constant });
            next = size.checked_mul(8).and_then(|bits| next.checked_add(bits)).ok_or_else(huge)?;
            reach = reach.max(next);
            record_align = record_align.max(own);
            continue;
        };
        let unit = if member.packed { 8 } else { natural * 8 };
        if width == 0 {
            next = next.next_multiple_of(natural.max(member.align.unwrap_or(1)) * 8);
            reach = reach.max(next);
            continue;
        }
        if let Some(asked) = member.align {
            next = next.next_multiple_of(asked * 8);
        }
        if !member.packed && (next % unit + u64::from(width)).div_ceil(unit) > size * 8 / unit {
            next = next.next_multiple_of(unit);
        }
        let start = next - next % unit;
        let shift = u32::try_from(next - start).expect("less than a unit");
        next += u64::from(width);
        reach = reach.max(next);
        // Bit-fields without a name only make room.
        if !member.name.is_empty() {
            record_align = record_align.max(own);
            let bytes = if member.packed { needed(shift, width) } else { size };
            fields.push(Field {
                name: member.name,
                ty: member.ty,
                offset: start / 8,
                bits: Some(BitField { shift, width, bytes }),
                align: own,
                volatile: member.volatile,
                constant: member.constant,
            });
        }
    }
    let size = reach.div_ceil(8).next_multiple_of(record_align);
    for field in &mut fields {
        // On IA-32, a record may end before the unit of a `long long` does.
        if let Some(bits) = field.bits.as_mut().filter(|bits| field.offset + bits.bytes > size) {
            bits.bytes = needed(bits.shift, bits.width);
        }
    }
    Ok(Body { fields, size, align: record_align })
}

/// How many bytes a bit-field lies in.
fn needed(shift: u32, width: u32) -> u64 {
    u64::from(shift + width).div_ceil(8)
}
