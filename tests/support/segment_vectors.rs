//! The test vectors of segments. `tests/vectors/segments.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::{Element, Executor, Max, Min, Operator, Sum};

/// A line: which elements there are, how they fall into segments, and what results have to come to.
struct Line<'a> {
    operator: &'a str,
    seed: u32,
    places: Places,
    digest: u64,
}

enum Places {
    Offsets(Vec<u32>),
    Axes(Vec<u64>, Vec<usize>),
}

/// Elements and results of the vectors.
trait Word: Element {
    fn of_word(h: u32) -> Self;
    fn word(self) -> u32;
}

impl Word for u32 {
    fn of_word(h: u32) -> Self {
        h
    }

    fn word(self) -> u32 {
        self
    }
}

impl Word for i32 {
    fn of_word(h: u32) -> Self {
        h.cast_signed()
    }

    fn word(self) -> u32 {
        self.cast_unsigned()
    }
}

impl Word for f32 {
    fn of_word(h: u32) -> Self {
        (h % 2001) as Self - 1000.0
    }

    fn word(self) -> u32 {
        self.to_bits()
    }
}

/// All lines, by this executor.
pub fn check_segment_vectors(executor: &Executor) {
    let lines = include_str!("../vectors/segments.txt").lines();
    let mut count = 0;
    for text in lines.filter(|line| !line.starts_with('#')) {
        let (of, line) = parse(text).unwrap_or_else(|| panic!("not a vector: {text}"));
        let found = match of {
            "f32" => digest::<f32>(executor, &line),
            "i32" => digest::<i32>(executor, &line),
            "u32" => digest::<u32>(executor, &line),
            other => panic!("no elements are {other}"),
        };
        assert_eq!(found, line.digest, "{text}, found {found:#018x}");
        count += 1;
    }
    assert!(count > 0, "there are no vectors");
}

fn parse(text: &str) -> Option<(&str, Line<'_>)> {
    let fields: Vec<&str> = text.split(' ').collect();
    let ([_, operator, of, seed, ..], digest) = (&fields[..], fields.last()?) else { return None };
    let seed = seed.parse().ok()?;
    let places = match fields[..] {
        ["offsets", _, _, _, count, most, least, _] => {
            let (count, most): (u32, u32) = (count.parse().ok()?, most.parse().ok()?);
            let (least, mut end): (u32, u32) = (least.parse().ok()?, 5);
            let ends = (0..count).map(|i| {
                end += least + mix((1u32 << 31).wrapping_add(seed).wrapping_add(i)) % most;
                end
            });
            Places::Offsets([5].into_iter().chain(ends).collect())
        }
        ["axes", _, _, _, sides, axes, _] => {
            let sides: Result<_, _> = sides.split(',').map(str::parse).collect();
            let axes: Result<_, _> = axes.split(',').map(str::parse).collect();
            Places::Axes(sides.ok()?, axes.ok()?)
        }
        _ => return None,
    };
    let digest = u64::from_str_radix(digest.strip_prefix("0x")?, 16).ok()?;
    Some((of, Line { operator, seed, places, digest }))
}

fn digest<T: Word>(executor: &Executor, line: &Line<'_>) -> u64
where
    Sum: Operator<T, Value = T>,
    Min: Operator<T, Value = Option<T>>,
    Max: Operator<T, Value = Option<T>>,
{
    let some = |results: Vec<Option<T>>| results.into_iter().map(|it| it.expect("none is empty"));
    let results: Vec<T> = match line.operator {
        "sum" => reduce::<T, Sum>(executor, line),
        "min" => some(reduce::<T, Min>(executor, line)).collect(),
        "max" => some(reduce::<T, Max>(executor, line)).collect(),
        other => panic!("no operator is {other}"),
    };
    results
        .iter()
        .fold(0u64, |digest, result| digest.wrapping_mul(31).wrapping_add(u64::from(result.word())))
}

fn reduce<T: Word, Op: Operator<T>>(executor: &Executor, line: &Line<'_>) -> Vec<Op::Value> {
    let elements = |len: u64| -> Vec<T> {
        let len = u32::try_from(len).expect("a few thousand");
        (0..len).map(|index| T::of_word(mix(index.wrapping_add(line.seed)))).collect()
    };
    let results = match &line.places {
        Places::Offsets(offsets) => {
            let end = offsets.last().copied().expect("one at least");
            executor.reduce_segments::<T, Op>(&elements(u64::from(end) + 3), offsets)
        }
        Places::Axes(sides, axes) => {
            executor.reduce_axes::<T, Op>(&elements(sides.iter().product()), sides, axes)
        }
    };
    results.expect("reduces")
}
