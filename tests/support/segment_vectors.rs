//! The test vectors of segments. `tests/vectors/segments.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::{Element, Executor, Max, Mean, Min, Operator, Precision, Sum};

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
    /// Of each element the number of its group; and how many groups there are.
    Groups(Vec<u32>, u32),
    /// Offsets of elements of any exponent, with true results.
    Exact(Vec<u32>),
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
            "exact" => exact_digest(executor, &line),
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
    let mut fields: Vec<&str> = text.split(' ').collect();
    if fields[0] == "exact" {
        fields.insert(2, "exact");
    }
    let ([_, operator, of, seed, ..], digest) = (&fields[..], fields.last()?) else { return None };
    let seed: u32 = seed.parse().ok()?;
    let choose = |i: u32, below: u32| mix((1u32 << 31).wrapping_add(seed).wrapping_add(i)) % below;
    let places = match fields[..] {
        [kind @ ("offsets" | "exact"), _, _, _, count, most, least, _] => {
            let (count, most): (u32, u32) = (count.parse().ok()?, most.parse().ok()?);
            let (least, mut end): (u32, u32) = (least.parse().ok()?, 5);
            let ends = (0..count).map(|i| {
                end += least + choose(i, most);
                end
            });
            let offsets = [5].into_iter().chain(ends).collect();
            if kind == "exact" { Places::Exact(offsets) } else { Places::Offsets(offsets) }
        }
        ["groups", _, _, _, length, groups, _] => {
            let (length, groups): (u32, u32) = (length.parse().ok()?, groups.parse().ok()?);
            Places::Groups((0..length).map(|i| choose(i, groups + 1)).collect(), groups)
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
        "sum" => reduce::<T, _>(executor, line, Sum),
        "min" => some(reduce::<T, _>(executor, line, Min)).collect(),
        "max" => some(reduce::<T, _>(executor, line, Max)).collect(),
        other => panic!("no operator is {other}"),
    };
    digest_of(&results)
}

fn digest_of<T: Word>(results: &[T]) -> u64 {
    results
        .iter()
        .fold(0u64, |digest, result| digest.wrapping_mul(31).wrapping_add(u64::from(result.word())))
}

fn exact_digest(executor: &Executor, line: &Line<'_>) -> u64 {
    let Places::Exact(offsets) = &line.places else { panic!("it is no line of these") };
    let end = offsets.last().copied().expect("one at least");
    let element = |index: u32| match mix(index.wrapping_add(line.seed)) {
        h if h & 0x7f80_0000 == 0x7f80_0000 => f32::from_bits(h ^ 1 << 30),
        h => f32::from_bits(h),
    };
    let elements: Vec<f32> = (0..end).map(element).collect();
    let executor = executor.clone().precision(Precision::Exact);
    let results = match line.operator {
        "sum" => executor.reduce_segments(&elements, offsets, Sum),
        "mean" => executor.reduce_segments(&elements, offsets, Mean),
        other => panic!("no operator is {other}"),
    };
    digest_of(&results.expect("reduces"))
}

fn reduce<T: Word, Op: Operator<T>>(
    executor: &Executor,
    line: &Line<'_>,
    op: Op,
) -> Vec<Op::Value> {
    let elements = |len: u64| -> Vec<T> {
        let len = u32::try_from(len).expect("a few thousand");
        (0..len).map(|index| T::of_word(mix(index.wrapping_add(line.seed)))).collect()
    };
    let results = match &line.places {
        Places::Offsets(offsets) => {
            let end = offsets.last().copied().expect("one at least");
            executor.reduce_segments(&elements(u64::from(end) + 3), offsets, op)
        }
        Places::Groups(numbers, groups) => {
            executor.reduce_groups(&elements(numbers.len() as u64), numbers, *groups, op)
        }
        Places::Exact(_) => panic!("it is no line of these"),
        Places::Axes(sides, axes) => {
            executor.reduce_axes(&elements(sides.iter().product()), sides, axes, op)
        }
    };
    results.expect("reduces")
}
