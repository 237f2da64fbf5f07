//! Results in threads whose float environment is not IEEE-754's default, as some applications set it, and libraries
//! built with `-ffast-math` do for everyone.
#![cfg(target_arch = "x86_64")]

#[path = "support/data.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod data;

use gridfold::{Error, Executor, Map, Mean, Predicate, Product, Sum, exact};
use std::{arch::asm, hint::black_box, thread};

/// What a thread starts with: nothing flushed, to nearest, no exception stops it.
const DEFAULT: u32 = 0x1f80;
const FLUSH_TO_ZERO: u32 = 0x8000;
const DENORMALS_ARE_ZERO: u32 = 0x0040;
const DOWN: u32 = 0x2000;
const UP: u32 = 0x4000;
const TO_ZERO: u32 = 0x6000;

const ENVIRONMENTS: [u32; 8] = [
    DEFAULT | FLUSH_TO_ZERO,
    DEFAULT | DENORMALS_ARE_ZERO,
    DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO,
    DEFAULT | DOWN,
    DEFAULT | UP,
    DEFAULT | TO_ZERO,
    DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | DOWN,
    DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | UP,
];

/// Sets the calling thread's float environment, for good.
///
/// Rust's rules are that assembly leaves the environment as it was. Nothing else can bring about what is tested here,
/// foreign code that does not keep to them; the threads it is done to end with the test.
#[expect(unsafe_code, reason = "no safe function sets MXCSR")]
fn set_environment(mxcsr: u32) {
    // SAFETY: the instruction reads the four bytes at the pointer, and no bit is set that MXCSR does not have.
    unsafe {
        asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack, readonly));
    }
}

/// Whether the calling thread's additions differ from those of other threads.
fn additions_differ() -> bool {
    let sum = |a: f32, b: f32| (black_box(a) + black_box(b)).to_bits();
    let subnormal = f32::from_bits(0x0000_0003);
    sum(1.5 * f32::MIN_POSITIVE, -f32::MIN_POSITIVE) != 0x0040_0000
        || sum(subnormal, f32::MIN_POSITIVE) != 0x0080_0003
        || sum(1.0, 3e-8) != 0x3f80_0000
        || sum(1.0, 1e-7) != 0x3f80_0001
}

/// Elements of which results depend on subnormals, on rounding, or on both: in one block and in many.
fn inputs() -> Vec<Vec<f32>> {
    let kinds = ["uniform", "signed", "wide", "near_one", "subnormal", "finite", "any"];
    let of_kind = |kind| [3, 100, 4096, 100_003].map(|len| data::generate(kind, 7, len));
    let mut inputs: Vec<Vec<f32>> = kinds.into_iter().flat_map(of_kind).collect();
    // Subnormal partial sums of normal elements, and the other way round.
    inputs.push([1.5 * f32::MIN_POSITIVE, -f32::MIN_POSITIVE].repeat(5000));
    inputs.push(vec![f32::MIN_POSITIVE / 2.0; 9001]);
    inputs
}

/// The bits of all results that are made of floats.
fn results(expressions: &Expressions, elements: &[f32]) -> Vec<u32> {
    let executor = Executor::cpu();
    let half = elements.len() / 2;
    let (left, right) = (&elements[..half], &elements[half..2 * half]);
    let dot = exact::dot(left, right).expect("of one length");
    let moments = exact::moments(elements);
    [
        executor.sum(elements).expect("the CPU does not fail"),
        executor.product(elements).expect("the CPU does not fail"),
        executor.min(elements).expect("the CPU does not fail").expect("there are elements"),
        executor.max(elements).expect("the CPU does not fail").expect("there are elements"),
        executor.mean(elements).expect("the CPU does not fail"),
        executor.mean(&elements[..elements.len().min(1)]).expect("the CPU does not fail"),
        executor.sum_of_squares(elements).expect("the CPU does not fail"),
        executor.norm(elements).expect("the CPU does not fail"),
        executor.dot(left, right).expect("the CPU does not fail"),
        executor.squared_distance(left, right).expect("the CPU does not fail"),
        executor.cosine_similarity(left, right).expect("the CPU does not fail"),
        exact::sum(elements).to_f32(),
        dot.to_f32(),
        dot.norm_f32(),
        exact::squares(elements).norm_f32(),
        moments.mean_f32(),
        moments.variance_f32(),
        moments.sample_variance_f32(),
    ]
    .map(f32::to_bits)
    .into_iter()
    .chain(expressions.results(&executor, elements))
    .chain(scans(&executor, elements))
    .collect()
}

/// Expressions that compare, compute, choose, and convert. Their literals are read where the environment is the default.
struct Expressions {
    counted: Vec<Predicate<f32>>,
    counted_doubles: Vec<Predicate<f64>>,
    summed: Vec<Map<f32>>,
}

impl Expressions {
    fn new() -> Self {
        let counted = ["x > 0.0", "x <= 1e-39f", "x == 0.0 || x * 0.75 < 1e-38f"];
        let counted_doubles = ["x > 0.0", "x != 0.0 && x * 0.5 < 0.25"];
        let summed = [
            "x * 0.3 + 1e-39f",
            "min(x, 1e-40f) - max(x / 3.0, -1e-40f)",
            "select(x, 0.5, abs(x) >= 1.1754944e-38f)",
            "f32(f64(x) * 0.1lf)",
        ];
        Self {
            counted: counted.map(|text| Predicate::new(text).expect(text)).into(),
            counted_doubles: counted_doubles.map(|text| Predicate::new(text).expect(text)).into(),
            summed: summed.map(|text| Map::new(text).expect(text)).into(),
        }
    }

    fn results(&self, executor: &Executor, elements: &[f32]) -> Vec<u32> {
        let few = |count: Result<u64, Error>| {
            u32::try_from(count.expect("the CPU does not fail")).expect("few")
        };
        // Among these are subnormal f64s. Integers make them.
        let doubles: Vec<f64> = elements
            .iter()
            .map(|x| f64::from_bits(u64::from(x.to_bits() >> 3) << 32 | u64::from(x.to_bits())))
            .collect();
        let counts = self.counted.iter().map(|of| few(executor.count_if(elements, of)));
        let of_doubles = self.counted_doubles.iter().map(|of| few(executor.count_if(&doubles, of)));
        let sums = self.summed.iter().map(|of| {
            let sum = executor.reduce_map(of, elements, Sum);
            sum.expect("the CPU does not fail").value.to_bits()
        });
        counts.chain(of_doubles).chain(sums).collect()
    }
}

/// What all results of scans come to.
fn scans(executor: &Executor, elements: &[f32]) -> [u32; 4] {
    let all = |results: Result<Vec<f32>, Error>| {
        let results = results.expect("the CPU does not fail");
        results.iter().fold(0u32, |all, x| all.rotate_left(7).wrapping_mul(3) ^ x.to_bits())
    };
    [
        all(executor.inclusive_scan(elements, Sum)),
        all(executor.exclusive_scan(elements, Sum)),
        all(executor.inclusive_scan(elements, Product)),
        all(executor.exclusive_scan(elements, Mean)),
    ]
}

fn all_results(expressions: &Expressions, inputs: &[Vec<f32>]) -> Vec<Vec<u32>> {
    inputs.iter().map(|elements| results(expressions, elements)).collect()
}

/// The caller's thread has another environment than the threads that work for it.
#[test]
fn in_one_thread() {
    let inputs = inputs();
    let expressions = Expressions::new();
    let wanted = all_results(&expressions, &inputs);
    assert!(!additions_differ());
    for environment in ENVIRONMENTS {
        let found = thread::scope(|scope| {
            let thread = scope.spawn(|| {
                set_environment(environment);
                assert!(additions_differ(), "{environment:#x} is in force");
                all_results(&expressions, &inputs)
            });
            thread.join().expect("does not panic")
        });
        assert_eq!(found, wanted, "{environment:#x}");
    }
}

#[test]
fn in_a_pool() {
    let inputs = inputs();
    let expressions = Expressions::new();
    let wanted = all_results(&expressions, &inputs);
    for environment in ENVIRONMENTS {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .start_handler(move |_| set_environment(environment))
            .build()
            .expect("threads start");
        let are_different = pool.broadcast(|_| additions_differ());
        assert_eq!(are_different, [true; 3], "{environment:#x} is in force");
        let found = pool.install(|| all_results(&expressions, &inputs));
        assert_eq!(found, wanted, "{environment:#x}");
    }
}
