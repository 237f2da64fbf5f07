//! What one dispatch is told: the mirror of `Params` in shaders/params.wgsl, where each field is explained.

/// Parameters of a dispatch, or of a workgroup that has a job of its own. All are words, as in the shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Params {
    /// 0, for the shader's fence.
    pub(crate) zero: u32,
    /// The launch's first position, counted from the beginning of its first block.
    pub begin: u32,
    /// The position after its last.
    pub end: u32,
    /// Positions below this may be loaded four at a time.
    pub vec_end: u32,
    /// Position + base (mod 2^32) is an element of the binding.
    pub base: u32,
    /// The same for the right of two inputs. Of a scan that of the output, in words.
    pub right_base: u32,
    /// A workgroup takes 2^`log2_block_items` elements.
    pub log2_block_items: u32,
    /// Blocks of the launch.
    pub blocks: u32,
    /// The workgroup's block, where it has a job of its own. Of three inputs, what says where the third one is.
    pub block: u32,
    /// The launch's first block, counted from the beginning of its span.
    pub first_node: u32,
    /// The span's number.
    pub span: u32,
    /// A span is 2^`log2_span` blocks: the launch is within one.
    pub log2_span: u32,
    /// [`Params::ENDS`], [`Params::RESUMES`], [`Params::IS_TREE`], [`Params::STORES_ACC`].
    pub flags: u32,
    /// Where in scratch memory the partials begin, in accumulators.
    pub partials: u32,
    /// Where the state is that the launch before has left, in accumulators.
    pub state_before: u32,
    /// Where this launch leaves its own.
    pub state_after: u32,
    /// The word of the output's binding that the result begins at.
    pub result_index: u32,
    /// Elements of the whole sequence: the lower half.
    pub len_low: u32,
    /// The upper half.
    pub len_high: u32,
    /// Of strided inputs, the byte of the binding that element 0 begins at.
    pub head_bytes: u32,
    /// Of these, from one element to the next.
    pub stride_bytes: u32,
    /// Of the right of two inputs, if any is strided, the byte that element 0 begins at. Of a scan the third word of its initial value.
    pub right_head_bytes: u32,
    /// Of these, from one element to the next. Of a scan the fourth word.
    pub right_stride_bytes: u32,
    /// Of words of bits, those of the first word that are the input's. Of segments the first word that says how long they are.
    pub first_bits: u32,
    /// Those of the last word. Of segments, how many chunks have such a word together, as a logarithm.
    pub last_bits: u32,
    /// Of a scan: the value that comes before all elements, if there is one: its low word.
    pub initial_low: u32,
    /// Its second one, which is the high one of two.
    pub initial_high: u32,
}

impl Params {
    /// Words of an expression's parameters.
    pub(crate) const ARGUMENTS: usize = 4;

    /// With an expression's parameters in place of what only bits and scans have.
    pub(crate) fn with_arguments(self, arguments: [u32; Self::ARGUMENTS]) -> Self {
        let [first_bits, last_bits, initial_low, initial_high] = arguments;
        Self { first_bits, last_bits, initial_low, initial_high, ..self }
    }

    /// With the base of the third of three inputs, if there is one: in place of the block, which each workgroup of a launch has of its own. Strided inputs all have
    /// the base of the first one: of these the byte that element 0 of the third begins at, and from one element to the next, in place of bases.
    pub(crate) fn with_third(self, third: Option<(u32, Option<(u32, u32)>)>) -> Self {
        match third {
            None => self,
            Some((base, None)) => Self { block: base, ..self },
            Some((_, Some((head_bytes, stride_bytes)))) => {
                Self { block: head_bytes, right_base: stride_bytes, ..self }
            }
        }
    }

    /// Of so many elements of the whole sequence.
    pub(crate) fn with_len(self, len: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "these are its halves")]
        let (len_low, len_high) = (len as u32, (len >> 32) as u32);
        Self { len_low, len_high, ..self }
    }

    /// The same, of a selection.
    pub(crate) fn with_predicate_arguments(self, arguments: [u32; Self::ARGUMENTS]) -> Self {
        let [first_bits, last_bits, head_bytes, right_head_bytes] = arguments;
        Self { first_bits, last_bits, head_bytes, right_head_bytes, ..self }
    }

    /// The launch is the last one: what it makes is the result.
    pub const ENDS: u32 = 1;
    /// A launch went before, whose state it goes on from.
    pub const RESUMES: u32 = 2;
    /// The launch is the only one, of a power of two of elements.
    pub const IS_TREE: u32 = 4;
    /// Of a scan: results are of their own elements, too.
    pub const INCLUSIVE: u32 = 8;
    /// Of a scan: there is an initial value.
    pub const HAS_INITIAL: u32 = 16;
    /// A single block is all there is of the launch, which ends with it.
    pub const ALONE: u32 = 32;
    /// Of a selection: what is not selected comes behind what is.
    pub const KEEPS_REST: u32 = 64;
    /// The result is the accumulator itself.
    pub const STORES_ACC: u32 = 128;
    /// Of segments: offsets say where they begin and end.
    pub const HAS_OFFSETS: u32 = 256;
    /// Of segments: offsets have two words.
    pub const HAS_WIDE_OFFSETS: u32 = 512;
    /// Of segments: there is no offset behind the last segment, which ends with the elements.
    pub const HAS_BEGINS: u32 = 1024;
    /// Of segments: an order says which element comes where.
    pub const HAS_ORDER: u32 = 2048;
    /// Of segments: a chunk of chunks is sixteen in a row, of which only the total is left; or, by offsets, those that are in one leave its total alone.
    pub const JOINS_CHUNKS: u32 = 4096;
    /// Of a single pass of a scan or a selection: workgroups take the blocks in the order in which they begin.
    pub const DRAWS_BLOCKS: u32 = 8192;
    /// Of segments: they lie along axes that are apart, of which there is a table.
    pub const HAS_AXES: u32 = 16384;
    /// Of segments: the dispatch has the results of some of them, as the window says that it reads.
    pub const IN_WINDOW: u32 = 32768;
    /// Of segments: the first pass over chunks says how long segments are, and passes after it read that.
    pub const HAS_LENGTHS: u32 = 65536;
    /// Of a selection: positions and lengths have one word.
    pub const HAS_SHORT_NUMBERS: u32 = 131_072;
}
