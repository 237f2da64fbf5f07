//! Files in Fortran's order: what is numbered is numbered in C's.

mod support;

use serde_json::{Value, json};
use support::*;

/// Elements of 2 rows of 3, in C's order: in Fortran's they go column by column.
fn fortran<const N: usize>(descr: &str, elements: [[u8; N]; 6]) -> Vec<u8> {
    let [a, b, c, d, e, f] = elements;
    let mut npy = header(1, &format!("'{descr}'"), "True", "(2, 3)");
    npy.extend([a, d, b, e, c, f].concat());
    npy
}

fn floats(elements: [f32; 6]) -> Vec<u8> {
    fortran("<f4", elements.map(f32::to_le_bytes))
}

fn value(files: &[&str], options: &[&str]) -> Value {
    let call = [&["reduce"], files, &["--adapter", "cpu", "--json"], options].concat();
    json(&gridfold(&call))["value"].clone()
}

#[test]
fn places_of_expressions() {
    let files = Files::new();
    let file = files.add("a.npy", &floats([1.0, 5.0, 2.0, 3.0, 0.0, 4.0]));
    let of = |options: &[&str]| value(&[&file], options);
    for map in [&[][..], &["--map", "x * 1.0"], &["--where", "x > 1.0"]] {
        assert_eq!(of(&[&["--op", "arg-max"], map].concat()), "1", "{map:?}");
    }
    assert_eq!(of(&["--op", "arg-min-max", "--map", "-x"]), json!(["1", "4"]));
    let bytes = files.add("b.npy", &fortran("|u1", [1u8, 5, 2, 3, 0, 4].map(|x| [x])));
    assert_eq!(value(&[&bytes], &["--op", "arg-max", "--map", "x + 1u"]), "1");
    let nothing = files.add("c.npy", &header(1, "'<f4'", "True", "(3, 0, 2)"));
    assert_eq!(value(&[&nothing], &["--op", "arg-max", "--map", "x"]), json!(null));
}

#[test]
fn the_index_in_expressions() {
    let files = Files::new();
    let file = files.add("a.npy", &floats([1.0, 5.0, 2.0, 3.0, 0.0, 4.0]));
    let of = |options: &[&str]| value(&[&file], &[&["--op", "sum"], options].concat());
    assert_eq!(of(&["--map", "x * f32(i)"]), "38");
    assert_eq!(of(&["--map", "x", "--where", "i == 1u || i == 3u"]), "8");
    assert_eq!(of(&["--where", "i < 2u"]), "6");
}

/// Means of integers are made of several passes over a file, each of which has it in C's order.
#[test]
fn the_index_in_means_of_integers() {
    let files = Files::new();
    let bytes = files.add("a.npy", &fortran("|u1", [1u8, 5, 2, 3, 0, 4].map(|x| [x])));
    let wide = [1i64, 5, 2, 3, 0, 4].map(i64::to_le_bytes);
    let wide = files.add("b.npy", &fortran("<i8", wide));
    for file in [&bytes, &wide] {
        let mean = ["--op", "mean"];
        assert_eq!(value(&[file], &mean), "2.5");
        assert_eq!(value(&[file], &[&mean[..], &["--where", "i < 2u"]].concat()), "3");
    }
    let map = ["--op", "mean", "--map", "x * i64(i)"];
    assert_eq!(value(&[&wide], &map), json!((38.0f64 / 6.0).to_string()));
}

#[test]
fn pairs_of_two_files() {
    let files = Files::new();
    let left = files.add("a.npy", &floats([1.0, 5.0, 2.0, 3.0, 0.0, 4.0]));
    let right = files.add("b.npy", &floats([0.0, 3.0, 0.0, 0.0, 0.0, 2.0]));
    let of = |options: &[&str]| value(&[&left, &right], options);
    assert_eq!(of(&["--op", "arg-max", "--map", "x * y"]), "1");
    assert_eq!(of(&["--op", "sum", "--map", "x * y * f32(i)"]), "55");
    assert_eq!(of(&["--op", "sum", "--map", "x * y"]), "23");
}

/// What is not numbered is added in the file's order, with an expression as without.
#[test]
fn sums_are_in_the_files_order() {
    let files = Files::new();
    let elements = [1e30f32, -1e30, 1.0, 1.0].map(f32::to_le_bytes);
    let file = files.add("a.npy", &npy(header(1, "'<f4'", "True", "(2, 2)"), elements));
    assert_eq!(value(&[&file], &["--op", "sum"]), "2");
    assert_eq!(value(&[&file], &["--op", "sum", "--map", "x * 1.0"]), "2");
    assert_eq!(value(&[&file], &["--op", "sum", "--map", "x", "--where", "i < 9u"]), "0");
}

/// Elements, positions and the index alike.
#[test]
fn selections_are_in_the_files_order() {
    let files = Files::new();
    let file = files.add("a.npy", &floats([1.0, 5.0, 2.0, 3.0, 0.0, 4.0]));
    let out = files.path("out.npy");
    let out = out.to_str().expect("temporary paths are text");
    let select = |options: &[&str]| {
        let call = ["select", &file, "--out", out, "--adapter", "cpu", "--where"];
        let output = gridfold(&[&call, options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        std::fs::read(out).expect("it was written")
    };
    let two = [1f32.to_le_bytes(), 3f32.to_le_bytes()].concat();
    assert!(select(&["i < 2u"]).ends_with(&two));
    let places = [2u64.to_le_bytes(), 5u64.to_le_bytes()].concat();
    assert!(select(&["x > 3.0", "--positions"]).ends_with(&places));
}
