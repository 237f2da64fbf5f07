//! Rules for NaNs along axes and of segments, against plain loops.

mod support;
#[path = "support/written.rs"]
mod written;

use support::{Files, gridfold, header, i4, stderr, stdout};
use written::{bytes_of, header_text, npy, run};

/// What loops make of a segment, by an operator and a rule; and numbers, of which every sum is exact.
macro_rules! loops {
    ($float:ident as $bits:ident: $canonical:literal) => {
        pub const CANONICAL: $float = $float::from_bits($canonical);

        pub fn elements() -> Vec<$float> {
            let mut state = 12345u32;
            let mut next = |below: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) % below
            };
            let of = |i: usize| {
                // The third row of the first plane, and what is from offset 17 to 20, are NaNs alone.
                let (kind, number) = (next(4), next(19));
                let nan = $float::from_bits($canonical + $bits::from(number));
                match kind {
                    _ if (10..15).contains(&i) || (17..20).contains(&i) => nan,
                    0 => nan,
                    1 => -nan,
                    _ if number == 9 => -0.0,
                    _ => number as $float - 9.0,
                }
            };
            (0..60).map(of).collect()
        }

        /// The first and the last place of an extremum, and its element. `None` of nothing.
        fn extremum(rule: &str, of: &[$float], is_least: bool) -> Option<(usize, usize, $float)> {
            if of.is_empty() {
                return None;
            }
            let mut best: Option<(usize, usize, $float)> = None;
            for (place, &element) in of.iter().enumerate() {
                if rule == "ignore" && element.is_nan() {
                    continue;
                }
                let Some((first, _, other)) = best else {
                    best = Some((place, place, element));
                    continue;
                };
                let order = element.total_cmp(&other);
                let order = if is_least { order } else { order.reverse() };
                best = match order {
                    std::cmp::Ordering::Less => Some((place, place, element)),
                    std::cmp::Ordering::Equal => Some((first, place, element)),
                    std::cmp::Ordering::Greater => best,
                };
            }
            Some(best.unwrap_or((0, of.len() - 1, CANONICAL)))
        }

        /// The bytes of a result.
        pub fn wanted(op: &str, rule: &str, of: &[$float]) -> Vec<u8> {
            // Of whole numbers, and so small that each is exact.
            let (mut count, mut sum, mut squares): ($float, $float, $float) = (0.0, 0.0, 0.0);
            for &element in of {
                if !element.is_nan() {
                    count += 1.0;
                    sum += element;
                    squares += element * element;
                }
            }
            let quotient = |dividend: $float, divisor: $float| match divisor > 0.0 {
                true => (dividend / divisor).to_le_bytes().to_vec(),
                false => CANONICAL.to_le_bytes().to_vec(),
            };
            let distances = count * squares - sum * sum;
            let is_least = |op: &str| op.contains("min");
            let value = |is_least: bool| {
                // The order's ends stand for nothing.
                let nothing = match (rule, is_least) {
                    ("ignore", _) => CANONICAL,
                    (_, true) => $float::from_bits(!0 >> 1),
                    (_, false) => $float::from_bits(!0),
                };
                let found = extremum(rule, of, is_least);
                found.map_or(nothing, |(.., element)| element).to_le_bytes().to_vec()
            };
            let place = |is_least: bool| {
                let found = extremum(rule, of, is_least);
                let place = found.map(|(first, last, _)| match op.ends_with("-last") {
                    true => last,
                    false => first,
                });
                place.map_or(-1, |place| i64::try_from(place).expect("few")).to_le_bytes().to_vec()
            };
            match op {
                "sum" => sum.to_le_bytes().to_vec(),
                "mean" => quotient(sum, count),
                "variance" => quotient(distances, count * count),
                "sample-variance" => quotient(distances, count * (count - 1.0)),
                "min-max" => [value(true), value(false)].concat(),
                "min" | "max" => value(is_least(op)),
                "arg-min-max" | "arg-min-max-last" => [place(true), place(false)].concat(),
                _ => place(is_least(op)),
            }
        }
    };
}

mod f32s {
    loops!(f32 as u32: 0x7fc0_0000);
}

mod f64s {
    loops!(f64 as u64: 0x7ff8_0000_0000_0000);
}

const EXTREMA: [&str; 9] = [
    "min",
    "max",
    "min-max",
    "arg-min",
    "arg-max",
    "arg-min-max",
    "arg-min-last",
    "arg-max-last",
    "arg-min-max-last",
];
const SUMS: [&str; 4] = ["sum", "mean", "variance", "sample-variance"];

/// The elements' numbers in each segment, of an array of 3 x 4 x 5.
type Numbers = Vec<Vec<usize>>;

/// Every way in which segments are told, and which elements they have.
fn places(files: &Files) -> Vec<(Vec<String>, Numbers)> {
    let words = |words: Vec<String>, numbers: Numbers| (words, numbers);
    let option = |name: &str, value: &str| vec![format!("--{name}"), value.to_owned()];
    let number = |i: usize, j: usize, k: usize| (4 * i + j) * 5 + k;
    let along_1 = (0..3).flat_map(|i| (0..5).map(move |k| (i, k)));
    let along_1 = along_1.map(|(i, k)| (0..4).map(|j| number(i, j, k)).collect()).collect();
    let along_2 = (0..12).map(|row| (5 * row..5 * row + 5).collect()).collect();
    let apart = |j| (0..3).flat_map(|i| (0..5).map(move |k| number(i, j, k))).collect();
    let of_ends = |ends: &[usize]| -> Numbers {
        ends.windows(2).map(|ends| (ends[0]..ends[1]).collect()).collect()
    };
    let file = |name: &str, numbers: &[u8]| files.add(name, &npy("|u1", numbers.len(), numbers));
    let keys: Vec<u8> =
        (0..60).map(|i: u8| [3, 1, 4, 1, 5, 9, 2, 6][usize::from(i / 3 % 8)]).collect();
    let of_key = |key: u8| (0..60).filter(|&i| keys[i] == key).collect();
    let flags: Vec<u8> = (0..60).map(|i| u8::from([4, 5, 17, 20, 41].contains(&i))).collect();
    // What is paired with the numbers has their shape.
    let paired = |name: &str, descr: &str, bytes: &[u8]| {
        let header = header(1, &format!("'{descr}'"), "False", "(3, 4, 5)");
        files.add(name, &[&header[..], bytes].concat())
    };
    let flags_file = paired("flags.npy", "|b1", &flags);
    let mut runs = vec![0];
    runs.extend((1..60).filter(|&i| keys[i] != keys[i - 1]).chain([60]));
    let keys_file = paired("keys.npy", "|u1", &keys);
    vec![
        words(option("axis", "1"), along_1),
        words(option("axis", "-1"), along_2),
        words(option("axis", "0,2"), (0..4).map(apart).collect()),
        words(
            option("segments", &file("offsets.npy", &[2, 2, 17, 20, 21, 60])),
            of_ends(&[2, 2, 17, 20, 21, 60]),
        ),
        words(
            option("lengths", &file("lengths.npy", &[7, 0, 20, 33])),
            of_ends(&[0, 7, 7, 27, 60]),
        ),
        words(option("flags", &flags_file), of_ends(&[4, 5, 17, 20, 41, 60])),
        words(option("by", &keys_file), [1, 2, 3, 4, 5, 6, 9].into_iter().map(of_key).collect()),
        words(option("by-runs", &keys_file), of_ends(&runs)),
    ]
}

#[test]
fn rules_of_segments() {
    let files = Files::new();
    let of_shape = |descr: &str, elements: Vec<u8>| {
        [header(1, &format!("'{descr}'"), "False", "(3, 4, 5)"), elements].concat()
    };
    let floats = f32s::elements();
    let doubles = f64s::elements();
    let nans = floats.iter().filter(|x| x.is_nan()).count();
    assert!((15..45).contains(&nans), "{nans} of 60");
    let bytes = bytes_of(floats.iter().map(|x| x.to_le_bytes()));
    let file = files.add("floats.npy", &of_shape("<f4", bytes));
    let bytes = bytes_of(doubles.iter().map(|x| x.to_le_bytes()));
    let wide_file = files.add("doubles.npy", &of_shape("<f8", bytes));
    let sums = SUMS.iter().map(|&op| (op, "ignore"));
    let extrema = EXTREMA.iter().flat_map(|&op| [(op, "ignore"), (op, "total")]);
    let asked: Vec<_> = sums.chain(extrema).collect();
    for (place, segments) in places(&files) {
        let call = |file: &str, op: &str, rule: &str| {
            let call = ["reduce", file, "--op", op, "--nan", rule];
            let place: Vec<&str> = place.iter().map(String::as_str).collect();
            run(&files, &[&call[..], &place].concat())
        };
        for &(op, rule) in &asked {
            let (text, found) = call(&file, op, rule);
            let descr = if op.starts_with("arg") { "'descr': '<i8'" } else { "'descr': '<f4'" };
            assert!(text.contains(descr), "{op} {rule}: {text}");
            let of = |numbers: &Vec<usize>| -> Vec<f32> {
                numbers.iter().map(|&number| floats[number]).collect()
            };
            let wanted = segments.iter().flat_map(|own| f32s::wanted(op, rule, &of(own)));
            assert_eq!(found, wanted.collect::<Vec<u8>>(), "{op} {rule} {place:?}");
        }
        // Of float64s some.
        for (op, rule) in [("mean", "ignore"), ("variance", "ignore"), ("min-max", "total")] {
            let (text, found) = call(&wide_file, op, rule);
            assert!(text.contains("'descr': '<f8'"), "{op} {rule}: {text}");
            let of = |numbers: &Vec<usize>| -> Vec<f64> {
                numbers.iter().map(|&number| doubles[number]).collect()
            };
            let wanted = segments.iter().flat_map(|own| f64s::wanted(op, rule, &of(own)));
            assert_eq!(found, wanted.collect::<Vec<u8>>(), "float64 {op} {rule} {place:?}");
        }
    }
}

#[test]
fn rules_of_other_types() {
    let files = Files::new();
    let halves = |halves: &[u16]| bytes_of(halves.iter().map(|half| half.to_le_bytes()));
    // 0.5, a NaN, -2, and NaNs alone.
    let elements = halves(&[0x3800, 0x7e01, 0xc000, 0xfe00, 0x7e00, 0x7e00]);
    let file = files.add("halves.npy", &[header(1, "'<f2'", "False", "(2, 3)"), elements].concat());
    let of = |file: &str, op: &str, rule: &str| {
        run(&files, &["reduce", file, "--op", op, "--nan", rule, "--axis", "1"])
    };
    assert_eq!(of(&file, "min", "ignore"), (header_text("<f2", 2), halves(&[0xc000, 0x7e00])));
    assert_eq!(of(&file, "max", "ignore"), (header_text("<f2", 2), halves(&[0x3800, 0x7e00])));
    // In the total order a NaN is its own.
    assert_eq!(of(&file, "min", "total"), (header_text("<f2", 2), halves(&[0xc000, 0xfe00])));
    assert_eq!(of(&file, "max", "total"), (header_text("<f2", 2), halves(&[0x7e01, 0x7e00])));
    let call = ["reduce", &file, "--op", "min", "--nan", "total", "--adapter", "cpu", "--json"];
    assert_eq!(support::json(&gridfold(&call))["bits"], "0xfe00");
    let floats = |floats: [f32; 2]| bytes_of(floats.map(f32::to_le_bytes));
    let nan = f32s::CANONICAL;
    assert_eq!(of(&file, "mean", "ignore"), (header_text("<f4", 2), floats([-0.75, nan])));
    assert_eq!(of(&file, "sum", "ignore"), (header_text("<f4", 2), floats([-1.5, 0.0])));

    // Integers have none: every rule is the same.
    let integers = files.add("i.npy", &i4([3, -4, 7]));
    for rule in ["propagate", "ignore", "total"] {
        let call = ["reduce", &integers, "--op", "min", "--nan", rule, "--axis", "0"];
        let found = run(&files, &call);
        let text = "{'descr': '<i4', 'fortran_order': False, 'shape': (), }".to_owned();
        assert_eq!(found, (text, (-4i32).to_le_bytes().to_vec()), "{rule}");
    }

    // Whose names are printed are those of the rule.
    let out = files.path("out.npy");
    let out = out.to_str().expect("text");
    let call = ["reduce", &file, "--op", "mean", "--nan", "ignore", "--axis", "1", "--out", out];
    let output = gridfold(&[&call[..], &["--adapter", "cpu"]].concat());
    assert!(
        stdout(&output).contains("2 reproducible results by nan-mean of 6 float16"),
        "{}",
        stdout(&output)
    );

    for (options, part) in [
        (&["--op", "sum", "--nan", "total"][..], "sum has no such rule for NaNs: leave --nan out"),
        (&["--op", "max-abs", "--nan", "ignore"], "max-abs has no such rule for NaNs"),
        (
            &["--op", "mean", "--nan", "ignore", "--precision", "exact"],
            "there is no exact nan-mean of float16: leave --precision out",
        ),
        (&["--op", "product", "--precision", "exact"], "there is no exact product of float16"),
    ] {
        let call = ["reduce", &file, "--axis", "1", "--adapter", "cpu"];
        let output = gridfold(&[&call[..], options].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        // Which goes with whole files alone.
        assert!(!stderr(&output).contains("--where"), "{}", stderr(&output));
    }
    // What is exact whatever is asked for.
    let call = ["reduce", &file, "--op", "variance", "--nan", "ignore", "--axis", "1"];
    let found = run(&files, &[&call[..], &["--precision", "exact"]].concat());
    assert_eq!(found, (header_text("<f4", 2), floats([1.5625, nan])));
}
