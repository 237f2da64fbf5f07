//! f32 reductions of elements that a fuzzer chose: on the CPU and on a GPU, and the exact ones by big integers. The
//! fuzz target `floats` asks for many of them, tests/gpu/random.rs for a few.

use super::oracle;
use gridfold::{
    Context, Executor, GpuSlice, Mean, Norm, Operator, Precision, Product, Reducer, Sum,
    SumOfSquares, Variance, Variant,
};

/// Elements, and how they lie in a buffer.
#[derive(Debug)]
pub struct FloatCase {
    values: Vec<f32>,
    /// Elements before them in their buffer.
    offset: u8,
    /// Where slices of them begin and end.
    bounds: Vec<u64>,
}

/// Bytes before the elements' words.
const HEADER: usize = 13;
/// More than two blocks.
const MAX_LEN: u16 = 9001;

impl FloatCase {
    /// What bytes stand for; `None` if there are too few. The header is a length, an offset, the lowest exponent
    /// and the number of exponents, two cuts, and a step: words are taken in turn, and changed by it in each
    /// round, until there are so many elements.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (header, rest) = bytes.split_first_chunk::<HEADER>()?;
        let &[len0, len1, offset, lowest, exponents, cut0, cut1, cut2, cut3, step @ ..] = header;
        let (chunks, _) = rest.as_chunks::<4>();
        let words: Vec<u32> = chunks.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect();
        if words.is_empty() {
            return None;
        }
        let len = u16::from_le_bytes([len0, len1]) % (MAX_LEN + 1);
        let step = u32::from_le_bytes(step);
        let with_exponent = |word: u32| match u32::from(exponents) {
            0 => word,
            exponents => {
                let field = (u32::from(lowest) + (word >> 23 & 0xff) % exponents) & 0xff;
                word & 0x807f_ffff | field << 23
            }
        };
        let rounds = (0u32..).flat_map(|round| {
            words.iter().map(move |word| word.wrapping_add(step.wrapping_mul(round)))
        });
        let values = rounds.take(len.into()).map(|word| f32::from_bits(with_exponent(word)));
        let [cut, other] = [[cut0, cut1], [cut2, cut3]]
            .map(|cut| u64::from(u16::from_le_bytes(cut)) % (u64::from(len) + 1));
        Some(Self {
            values: values.collect(),
            offset: offset % 8,
            bounds: vec![0, cut.min(other), cut.max(other), len.into()],
        })
    }

    /// Panics unless the CPU, a GPU, if there is one, and big integers agree to the bit.
    pub fn check(&self, gpu: Option<(&Context, Variant)>) {
        let Self { values, .. } = self;
        let input = gpu.map(|(context, _)| self.upload(context));
        let gpu = gpu.zip(input.as_deref());
        let len = values.len();
        self.agree(gpu, Precision::Reproducible, None, Sum);
        self.agree(gpu, Precision::Reproducible, None, Product);
        let exact = Precision::Exact;
        self.agree(gpu, exact, Some(oracle::sum(values)), Sum);
        self.agree(gpu, exact, Some(oracle::mean(values)), Mean);
        self.agree(gpu, exact, Some(oracle::dot(values, values)), SumOfSquares);
        self.agree(gpu, exact, Some(oracle::root_of_dot(values, values)), Norm);
        self.agree(gpu, exact, Some(oracle::variance(values, len)), Variance);
        let sample = oracle::variance(values, len.saturating_sub(1));
        self.agree(gpu, exact, Some(sample), Variance.sample());
    }

    /// In slices, after other elements.
    fn upload(&self, context: &Context) -> Vec<GpuSlice<f32>> {
        const FILLER: f32 = 12345.678;
        let mut filled = vec![FILLER; self.values.len() + 16];
        let begin = usize::from(self.offset);
        filled[begin..][..self.values.len()].copy_from_slice(&self.values);
        let array = Executor::from_context(context.clone()).upload(&filled).expect("uploads");
        let whole = &array.gpu_slices().expect("on a GPU")[0];
        let slice = |bounds: &[u64]| {
            let offset = u64::from(self.offset);
            whole.slice(offset + bounds[0]..offset + bounds[1]).expect("within")
        };
        self.bounds.windows(2).map(slice).collect()
    }

    fn agree<Op: Operator<f32, Value = f32> + Copy>(
        &self,
        gpu: Option<Place<'_>>,
        precision: Precision,
        expected: Option<u32>,
        op: Op,
    ) {
        let executor = Executor::cpu().precision(precision);
        let on_cpu = executor.reduce(&self.values, op).expect("the CPU can't fail").value;
        let expected = expected.unwrap_or(on_cpu.to_bits());
        assert_eq!(on_cpu.to_bits(), expected, "{} on the CPU: {self:?}", op.spec().operator);
        if let Some(((context, variant), input)) = gpu {
            let reducer = Reducer::<f32, _>::new(context, op).variant(variant).precision(precision);
            let on_gpu = reducer.reduce_blocking(input).expect("reduces");
            assert_eq!(on_gpu.to_bits(), expected, "{} on a GPU: {self:?}", op.spec().operator);
        }
    }
}

/// A GPU, and the input on it.
type Place<'a> = ((&'a Context, Variant), &'a [GpuSlice<f32>]);
