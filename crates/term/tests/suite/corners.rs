//! Concrete facts of SMT-LIB that are easy to get wrong, read and evaluated as text.

use tamis_term::{Sort, Terms, Value};

/// The constant `text` has the value `expected`, both when folded and when evaluated.
fn check(text: &str, expected: &str) {
    let mut terms = Terms::new();
    let term = terms.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let sort = terms.sort(term).clone();
    let expected = Value::read(expected, &sort).unwrap_or_else(|error| panic!("{expected}: {error}"));
    assert_eq!(terms.value(term), Some(&expected), "{text} is {}", terms.smtlib(term));
}

#[test]
fn unsigned_division_by_zero_is_all_ones() {
    check("(bvudiv #b101 #b000)", "#b111");
    check("(bvudiv #b000 #b000)", "#b111");
    check("(bvudiv (_ bv5 100) (_ bv0 100))", "(_ bv1267650600228229401496703205375 100)");
    check("(bvurem #b101 #b000)", "#b101");
}

#[test]
fn signed_division_by_zero_depends_on_the_sign() {
    check("(bvsdiv #x05 #x00)", "#xff");
    check("(bvsdiv #xfb #x00)", "#x01");
    check("(bvsdiv #x00 #x00)", "#xff");
    check("(bvsrem #xfb #x00)", "#xfb");
    check("(bvsmod #xfb #x00)", "#xfb");
    check("(bvsmod #x05 #x00)", "#x05");
}

#[test]
fn the_least_number_divided_by_minus_one_is_itself() {
    check("(bvsdiv #x80 #xff)", "#x80");
    check("(bvsrem #x80 #xff)", "#x00");
    check("(bvsmod #x80 #xff)", "#x00");
    check("(bvneg #x80)", "#x80");
    check("(bvsdiv #b1 #b1)", "#b1");
}

#[test]
fn the_signed_remainder_follows_the_dividend() {
    check("(bvsrem #x07 #x03)", "#x01");
    check("(bvsrem #xf9 #x03)", "#xff");
    check("(bvsrem #x07 #xfd)", "#x01");
    check("(bvsrem #xf9 #xfd)", "#xff");
}

#[test]
fn the_signed_modulus_follows_the_divisor() {
    check("(bvsmod #x07 #x03)", "#x01");
    check("(bvsmod #xf9 #x03)", "#x02");
    check("(bvsmod #x07 #xfd)", "#xfe");
    check("(bvsmod #xf9 #xfd)", "#xff");
    check("(bvsmod #x06 #xfd)", "#x00");
}

#[test]
fn signed_division_rounds_towards_zero() {
    check("(bvsdiv #xf9 #x02)", "#xfd");
    check("(bvsdiv #x07 #xfe)", "#xfd");
    check("(bvsdiv #xf9 #xfe)", "#x03");
}

#[test]
fn shifts_past_the_width_shift_everything_out() {
    check("(bvshl #x81 #x08)", "#x00");
    check("(bvshl #x81 #xff)", "#x00");
    check("(bvshl #x81 #x07)", "#x80");
    check("(bvlshr #x81 #x08)", "#x00");
    check("(bvlshr #x81 #x07)", "#x01");
    check("(bvashr #x81 #x08)", "#xff");
    check("(bvashr #x81 #xff)", "#xff");
    check("(bvashr #x71 #xff)", "#x00");
    check("(bvashr #x81 #x01)", "#xc0");
    check("(bvshl (_ bv1 64) (_ bv64 64))", "(_ bv0 64)");
    check("(bvshl (_ bv1 65) (_ bv64 65))", "(_ bv18446744073709551616 65)");
    check("(bvshl (_ bv1 65) (_ bv18446744073709551616 65))", "(_ bv0 65)");
}

#[test]
fn integer_division_is_euclidean() {
    check("(div 7 2)", "3");
    check("(div (- 7) 2)", "(- 4)");
    check("(div 7 (- 2))", "(- 3)");
    check("(div (- 7) (- 2))", "4");
    check("(mod 7 2)", "1");
    check("(mod (- 7) 2)", "1");
    check("(mod 7 (- 2))", "1");
    check("(mod (- 7) (- 2))", "1");
    check("(div 7 0)", "0");
    check("(mod (- 7) 0)", "(- 7)");
    check("(/ 1.0 0.0)", "0.0");
}

#[test]
fn reals_round_down() {
    check("(to_int (- 1.5))", "(- 2)");
    check("(to_int 1.5)", "1");
    check("(is_int (/ 4 2))", "true");
    check("(is_int 0.5)", "false");
    check("(to_real (- 3))", "(- 3.0)");
}

#[test]
fn integers_and_vectors_convert_in_twos_complement() {
    check("(ubv_to_int #xff)", "255");
    check("(bv2nat #xff)", "255");
    check("(sbv_to_int #xff)", "(- 1)");
    check("(sbv_to_int #x7f)", "127");
    check("((_ int_to_bv 8) (- 1))", "#xff");
    check("((_ int2bv 8) 256)", "#x00");
    check("((_ int2bv 65) (- 1))", "(_ bv36893488147419103231 65)");
}

#[test]
fn bits_are_cut_joined_and_turned() {
    check("(concat #b10 #b01)", "#b1001");
    check("(concat #b1 #b0 #b1)", "#b101");
    check("((_ extract 2 1) #b1010)", "#b01");
    check("((_ zero_extend 2) #b10)", "#b0010");
    check("((_ sign_extend 2) #b10)", "#b1110");
    check("((_ repeat 3) #b10)", "#b101010");
    check("((_ repeat 1) #b10)", "#b10");
    check("((_ rotate_left 1) #b1000)", "#b0001");
    check("((_ rotate_left 5) #b1000)", "#b0001");
    check("((_ rotate_right 1) #b0001)", "#b1000");
    check("((_ rotate_right 4) #b0001)", "#b0001");
    check("((_ rotate_right 4294967295) #b0001)", "#b0010");
    check("(bvcomp #x0f #x0f)", "#b1");
    check("(bvnand #b0011 #b0101)", "#b1110");
    check("(bvnor #b0011 #b0101)", "#b1000");
    check("(bvxnor #b0011 #b0101)", "#b1001");
}

#[test]
fn comparisons_have_all_directions() {
    check("(bvugt #xff #x00)", "true");
    check("(bvsgt #xff #x00)", "false");
    check("(bvuge #xff #xff)", "true");
    check("(bvsge #x80 #x7f)", "false");
    check("(bvslt #x80 #x7f)", "true");
    check("(bvsle #x80 #x80)", "true");
    check("(> 2 1)", "true");
    check("(>= 1 2)", "false");
    check("(< 1 2 3)", "true");
    check("(< 1 3 2)", "false");
    check("(> 3 2 2)", "false");
    check("(>= 3 2 2)", "true");
}

#[test]
fn functions_take_many_arguments_as_smtlib_says() {
    check("(=> true true false)", "false");
    check("(=> false true false)", "true");
    check("(=> true false true)", "true");
    check("(xor true true true)", "true");
    check("(= 1 1 2)", "false");
    check("(= 1 1 1)", "true");
    check("(distinct 1 2 1)", "false");
    check("(distinct 1 2 3)", "true");
    check("(- 10 1 2)", "7");
    check("(+ 1 2 3 4)", "10");
    check("(* 2 3 4)", "24");
    check("(/ 12 2 3)", "2.0");
    check("(div 100 3 4)", "8");
    check("(bvadd #x01 #x02 #x03)", "#x06");
    check("(bvsub #x01 #x02 #x03)", "#xfc");
    check("(and true)", "true");
    check("(abs (- 5))", "5");
    check("(abs 5)", "5");
    check("((_ divisible 3) 9)", "true");
    check("((_ divisible 3) (- 8))", "false");
}

#[test]
fn integers_are_taken_for_reals_where_reals_are_needed() {
    check("(+ 1 0.5)", "(/ 3 2)");
    check("(< 1 1.5)", "true");
    check("(= 2 2.0)", "true");
    check("(ite true 1 2.5)", "1.0");
    check("(/ 1 3)", "(/ 1.0 3.0)");
    check("(/ (- 1) 3)", "(/ (- 1.0) 3.0)");
    check("(- (/ 1 3))", "(/ (- 1.0) 3.0)");
    check("(select ((as const (Array Int Real)) 3) 7)", "3.0");
    check("(select (store ((as const (Array Int Real)) 3) 7 8) 7)", "8.0");
}

#[test]
fn arrays_are_equal_when_they_agree() {
    let a = "(store (store ((as const (Array Bool Bool)) false) true true) false true)";
    check(&format!("(= {a} ((as const (Array Bool Bool)) true))"), "true");
    check("(select (store ((as const (Array Int Int)) 0) 5 9) 5)", "9");
    check("(select (store ((as const (Array Int Int)) 0) 5 9) 6)", "0");
    check("(= (store ((as const (Array Int Int)) 0) 5 0) ((as const (Array Int Int)) 0))", "true");
}

#[test]
fn decimals_are_exact() {
    check("0.1", "(/ 1 10)");
    check("1.50", "(/ 3 2)");
    check("0.0", "0.0");
    check("100.0", "100.0");
}

#[test]
fn lets_bind_in_parallel_and_shadow() {
    check("(let ((x 1)) (let ((x 2) (y x)) (+ (* 10 x) y)))", "21");
    check("(let ((x 1)) (+ (let ((x 5)) x) x))", "6");
    check("(let ((|x| 1)) x)", "1");
    check("(let () 5)", "5");
    check("(let ((true false)) true)", "false");
    check("(! (+ 1 (! 2 :named two)) :pattern ((f (g x)) \"a )\") :weight 5 :flag)", "3");
}

#[test]
fn values_are_read_with_the_sort_that_is_asked_for() {
    let read = |text: &str, sort: &Sort| Value::read(text, sort).map_err(|error| error.to_string());
    assert_eq!(read("5", &Sort::Real), read("5.0", &Sort::Real));
    assert_eq!(read("(- 5)", &Sort::Int), Ok(Value::int(-5)));
    assert!(read("5.0", &Sort::Int).is_err());
    assert!(read("#b1", &Sort::BitVec(2)).is_err());
    assert!(read("x", &Sort::Int).is_err());
    assert!(read("5 6", &Sort::Int).is_err());
    let nested = Sort::array(Sort::Int, Sort::array(Sort::Int, Sort::Real));
    let text = "(store ((as const (Array Int (Array Int Real))) ((as const (Array Int Real)) 0.0)) 3 \
                (store ((as const (Array Int Real)) 1) 2 (- 7)))";
    let value = read(text, &nested).unwrap();
    assert_eq!(read(&value.to_string(), &nested), Ok(value));
}
