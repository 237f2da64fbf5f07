//! What is to be selected: [`Compaction`].

use crate::{
    algebra::{
        element::{Element, ElementType, Packing},
        flag::Flag,
        offset::Offset,
    },
    custom::expression::{MapElement, Predicate},
    device::{
        buffer::{AnySlice, GpuSlice},
        extent::{Extent, WORD_BYTES},
    },
    error::{PrepareError, WgslError},
    reduce::{counted::CountSlice, inputs::Input},
    select::masks::Mask,
    wgsl::{params::Params, program::Program},
};
use std::ops::Range;

/// Which elements of a sequence go to an output, in their order: those that a mask or a predicate selects, or one of each run of equal ones.
///
/// Elements are of any type but [`Bits`](crate::Bits), and are copied as they are. Outputs need buffers of their own, and have no gaps. Where an output
/// is too short for all, it has the first of them, and the count says how many there are.
#[derive(Clone, Debug)]
pub struct Compaction {
    pub(super) kind: Kind,
    /// Of the elements. Where there are none it is that of positions.
    pub(super) element: ElementType,
    pub(super) input: Slices,
    pub(super) mask: Option<Mask>,
    pub(super) predicate: Option<Program>,
    /// The words of the predicate's parameters.
    pub(super) arguments: Option<[u32; Params::ARGUMENTS]>,
    /// What positions, and the predicate's index, are counted from.
    pub(super) begin: u64,
    /// How many of the first elements it is about, if not all.
    pub(super) counted: Option<CountSlice>,
    pub(super) output: Slices,
    pub(super) lengths: Option<Slices>,
    /// The type of positions and lengths that are written: `u32` or `u64`.
    pub(super) numbers: ElementType,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Select,
    Positions,
    Partition,
    Unique,
    RunLengths,
    RunBegins,
}

/// Slices without their type.
#[derive(Clone, Debug, Default)]
pub(super) struct Slices {
    pub(super) buffers: Vec<wgpu::Buffer>,
    pub(super) extents: Vec<Extent>,
    /// What each has of its buffer.
    pub(super) bytes: Vec<Range<u64>>,
    is_strided: bool,
    lacks_usage: Option<PrepareError>,
}

impl Slices {
    fn new<T: Element>(name: &'static str, input: &Input<T>) -> Self {
        let usage = wgpu::BufferUsages::STORAGE;
        Self {
            buffers: input.slices().iter().map(|slice| slice.buffer().clone()).collect(),
            extents: input.slices().iter().map(AnySlice::extent).collect(),
            bytes: input.slices().iter().map(AnySlice::bytes).collect(),
            is_strided: input.slices().iter().any(AnySlice::is_strided),
            lacks_usage: input
                .slices()
                .iter()
                .find_map(|slice| slice.require_usage(name, usage).err()),
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.extents.iter().map(|extent| extent.len).sum()
    }

    /// The first so many items, or all.
    fn first(&self, items: u64, item_bytes: u64) -> Self {
        let mut rest = items;
        let mut first = Self { buffers: self.buffers.clone(), ..Self::default() };
        for (extent, bytes) in self.extents.iter().zip(&self.bytes) {
            let len = extent.len.min(rest);
            rest -= len;
            first.extents.push(Extent { len, ..*extent });
            first.bytes.push(bytes.start..bytes.start + len * item_bytes);
        }
        first
    }

    pub(super) fn refs(&self) -> Vec<&wgpu::Buffer> {
        self.buffers.iter().collect()
    }

    fn used(&self) -> impl Iterator<Item = (&wgpu::Buffer, &Range<u64>)> {
        self.buffers.iter().zip(&self.bytes).filter(|(_, bytes)| !bytes.is_empty())
    }
}

impl Compaction {
    /// The same of as many of the first elements as `len` says when the device comes there, such as another selection has left; of all,
    /// if it says more than there are. A mask has flags for all, and the outputs of a partition have room for all. The device reads no others.
    ///
    /// ```no_run
    /// # fn example(context: &gridfold::Context, encoder: &mut gridfold::wgpu::CommandEncoder, keys: gridfold::wgpu::Buffer,
    /// #     kept: gridfold::wgpu::Buffer, unique: gridfold::wgpu::Buffer, counts: gridfold::wgpu::Buffer)
    /// #     -> Result<(), gridfold::Error> {
    /// use gridfold::{Compaction, Compactor, GpuSlice, Predicate};
    ///
    /// // The small keys, one of each run of equal ones. Nothing goes to the host.
    /// let small = Predicate::<u32>::new("x < 1000u")?;
    /// let [kept_count, count] = [0, 8].map(|offset| GpuSlice::<u64>::new(&counts, offset, 1));
    /// let (kept_count, count) = (kept_count?, count?);
    /// let compactor = Compactor::new(context);
    /// compactor.record(encoder, &Compaction::select_if(&keys, &small, &kept)?, &kept_count)?;
    /// compactor.record(encoder, &Compaction::unique::<u32>(&kept, &unique).counted(&kept_count), &count)?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn counted(self, len: impl Into<CountSlice>) -> Self {
        Self { counted: Some(len.into()), ..self }
    }

    /// The elements whose flags are set, to `output`.
    ///
    /// ```no_run
    /// # fn example(context: &gridfold::Context, values: gridfold::wgpu::Buffer, mask: gridfold::wgpu::Buffer,
    /// #     selected: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
    /// use gridfold::{Compaction, Compactor};
    ///
    /// let select = Compaction::select::<f32, u32>(&values, &mask, &selected);
    /// let count = Compactor::new(context).run_blocking(&select)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn select<T: Element, M: Flag>(
        input: impl Into<Input<T>>,
        mask: impl Into<Input<M>>,
        output: impl Into<Input<T>>,
    ) -> Self {
        Self::flagged(Kind::Select, &input.into(), &mask.into(), &output.into())
    }

    /// The elements whose flags are set, and behind all of them the others: both in their order. `output` has room for all.
    ///
    /// It goes in two passes under any [`Strategy`](crate::Strategy): where the others begin is known only when all flags are counted.
    pub fn partition<T: Element, M: Flag>(
        input: impl Into<Input<T>>,
        mask: impl Into<Input<M>>,
        output: impl Into<Input<T>>,
    ) -> Self {
        Self::flagged(Kind::Partition, &input.into(), &mask.into(), &output.into())
    }

    /// The positions of the flags that are set, from 0: `argwhere`. They are `u32`s or `u64`s, as `N` says. `u32`s take half of the memory, and WGSL has no
    /// other ones; they are for up to 2^32 - 1 flags.
    ///
    /// ```no_run
    /// # fn example(context: &gridfold::Context, mask: gridfold::wgpu::Buffer, found: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
    /// use gridfold::{Bits, Compaction, Compactor};
    ///
    /// let count = Compactor::new(context).run_blocking(&Compaction::positions::<Bits, u32>(&mask, &found))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn positions<M: Flag, N: Offset>(
        mask: impl Into<Input<M>>,
        output: impl Into<Input<N>>,
    ) -> Self {
        let none = Input::of(Vec::new());
        let flagged = Self::flagged(Kind::Positions, &none, &mask.into(), &output.into());
        Self { numbers: N::TYPE, ..flagged }
    }

    /// The elements for which a predicate is true, to `output`. It is computed as the elements are read, twice, or once by
    /// [`Strategy::SinglePass`](crate::Strategy::SinglePass), and no mask is written.
    ///
    /// ```no_run
    /// # fn example(context: &gridfold::Context, values: gridfold::wgpu::Buffer, selected: gridfold::wgpu::Buffer)
    /// #     -> Result<(), gridfold::Error> {
    /// use gridfold::{Compaction, Compactor, Predicate};
    ///
    /// let positive = Predicate::<f32>::new("x > 0.0")?;
    /// let select = Compaction::select_if(&values, &positive, &selected)?;
    /// let count = Compactor::new(context).run_blocking(&select)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`WgslError::Kernel`] if the kernel with the predicate is not valid.
    pub fn select_if<T: MapElement>(
        input: impl Into<Input<T>>,
        predicate: &Predicate<T>,
        output: impl Into<Input<T>>,
    ) -> Result<Self, WgslError> {
        Self::by_predicate(Kind::Select, &input.into(), predicate, &output.into())
    }

    /// The elements for which a predicate is true, and behind all of them the others: both in their order. `output` has room for all.
    /// It goes in two passes, as [`Compaction::partition`].
    ///
    /// # Errors
    ///
    /// As [`Compaction::select_if`].
    pub fn partition_if<T: MapElement>(
        input: impl Into<Input<T>>,
        predicate: &Predicate<T>,
        output: impl Into<Input<T>>,
    ) -> Result<Self, WgslError> {
        Self::by_predicate(Kind::Partition, &input.into(), predicate, &output.into())
    }

    /// The positions of the elements for which a predicate is true, from 0: `u32`s or `u64`s, as [`Compaction::positions`].
    ///
    /// # Errors
    ///
    /// As [`Compaction::select_if`].
    pub fn positions_if<T: MapElement, N: Offset>(
        input: impl Into<Input<T>>,
        predicate: &Predicate<T>,
        output: impl Into<Input<N>>,
    ) -> Result<Self, WgslError> {
        let by_predicate =
            Self::by_predicate(Kind::Positions, &input.into(), predicate, &output.into())?;
        Ok(Self { numbers: N::TYPE, ..by_predicate })
    }

    /// The first element of each run of equal ones, as `uniq` does. Elements are equal if their bits are.
    pub fn unique<T: Element>(input: impl Into<Input<T>>, output: impl Into<Input<T>>) -> Self {
        Self::of_runs(Kind::Unique, &input.into(), &output.into())
    }

    /// The first element of each run of equal ones, and the run's length: run-length encoding. Where one of the outputs is longer, the rest
    /// of it stays as it is. Lengths are `u32`s or `u64`s, as [`Compaction::positions`] are: `run_lengths::<f32, u32>(…)`.
    pub fn run_lengths<T: Element, N: Offset>(
        input: impl Into<Input<T>>,
        values: impl Into<Input<T>>,
        lengths: impl Into<Input<N>>,
    ) -> Self {
        let lengths = lengths.into();
        Self::with_numbers(Kind::RunLengths, &input.into(), &values.into(), &lengths)
    }

    /// The first element of each run of equal ones, and its position, from 0: where [`Segments::begins`](crate::Segments::begins) begin. Otherwise
    /// as [`Compaction::run_lengths`].
    ///
    /// ```no_run
    /// # fn example(context: &gridfold::Context, encoder: &mut gridfold::wgpu::CommandEncoder, keys: gridfold::wgpu::Buffer,
    /// #     values: gridfold::wgpu::Buffer, unique: gridfold::wgpu::Buffer, begins: gridfold::wgpu::Buffer,
    /// #     count: gridfold::wgpu::Buffer, sums: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
    /// use gridfold::{Compaction, Compactor, GpuSlice, SegmentedReducer, Segments, Sum};
    ///
    /// // The sum of the values of each run of equal keys. Nothing goes to the host.
    /// let (begins, count) = (GpuSlice::<u32>::whole(&begins), GpuSlice::<u64>::new(&count, 0, 1)?);
    /// let runs = Compaction::run_begins::<u32, u32>(&keys, &unique, &begins);
    /// Compactor::new(context).record(encoder, &runs, &count)?;
    /// let segments = Segments::begins(&begins, &count);
    /// SegmentedReducer::<f32, _>::new(context, Sum).record(encoder, &values, &segments, &GpuSlice::whole(&sums))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_begins<T: Element, N: Offset>(
        input: impl Into<Input<T>>,
        values: impl Into<Input<T>>,
        begins: impl Into<Input<N>>,
    ) -> Self {
        let begins = begins.into();
        Self::with_numbers(Kind::RunBegins, &input.into(), &values.into(), &begins)
    }

    fn with_numbers<T: Element, N: Offset>(
        kind: Kind,
        input: &Input<T>,
        values: &Input<T>,
        numbers: &Input<N>,
    ) -> Self {
        let lengths = Some(Slices::new("lengths", numbers));
        Self { lengths, numbers: N::TYPE, ..Self::of_runs(kind, input, values) }
    }

    fn flagged<T: Element, M: Flag>(
        kind: Kind,
        input: &Input<T>,
        mask: &Input<M>,
        output: &Input<T>,
    ) -> Self {
        let mask_slices = Slices::new("mask", mask);
        let mut input = Slices::new("input", input);
        input.lacks_usage = input.lacks_usage.or(mask_slices.lacks_usage);
        Self {
            kind,
            element: T::TYPE,
            input,
            mask: Some(Mask::new::<M>(mask.slices())),
            predicate: None,
            arguments: None,
            begin: 0,
            counted: None,
            output: Slices::new("output", output),
            lengths: None,
            numbers: ElementType::U64,
        }
    }

    fn by_predicate<T: MapElement, Out: Element>(
        kind: Kind,
        input: &Input<T>,
        predicate: &Predicate<T>,
        output: &Input<Out>,
    ) -> Result<Self, WgslError> {
        Ok(Self {
            kind,
            element: T::TYPE,
            input: Slices::new("input", input),
            mask: None,
            predicate: Some(predicate.program()?),
            arguments: predicate.arguments(),
            begin: 0,
            counted: None,
            output: Slices::new("output", output),
            lengths: None,
            numbers: ElementType::U64,
        })
    }

    fn of_runs<T: Element>(kind: Kind, input: &Input<T>, output: &Input<T>) -> Self {
        Self {
            kind,
            element: T::TYPE,
            input: Slices::new("input", input),
            mask: None,
            predicate: None,
            arguments: None,
            begin: 0,
            counted: None,
            output: Slices::new("output", output),
            lengths: None,
            numbers: ElementType::U64,
        }
    }

    /// The same, of elements that go on where a part of a sequence ends.
    pub(crate) fn begins_at(self, begin: u64) -> Self {
        Self { begin, ..self }
    }

    /// Elements, or flags where there are none. Of a mask of whole words of bits as many as there can be.
    pub(super) fn len(&self) -> u64 {
        match (&self.mask, self.kind) {
            (Some(mask), Kind::Positions) => mask.flags().1,
            _ => self.input.len(),
        }
    }

    /// Items that the outputs have room for, of those that there can be.
    pub(super) fn room(&self) -> u64 {
        let lengths = self.lengths.as_ref().map_or(u64::MAX, Slices::len);
        self.output.len().min(lengths).min(self.len())
    }

    /// With outputs that have no more than there can be.
    pub(super) fn outputs(&self) -> (Slices, Option<Slices>) {
        let room = self.room();
        let output = self.output.first(room, self.output_element().size_bytes());
        (
            output,
            self.lengths.as_ref().map(|lengths| lengths.first(room, self.numbers.size_bytes())),
        )
    }

    /// The type of what is written.
    pub(super) fn output_element(&self) -> ElementType {
        match self.kind {
            Kind::Positions => self.numbers,
            _ => self.element,
        }
    }

    /// Words of an element: the shader's `ITEM_WORDS`.
    pub(super) fn item_words(&self) -> u32 {
        match self.kind {
            Kind::Positions => 0,
            _ => self.element.words(),
        }
    }

    /// Refuses what can't be selected.
    pub(super) fn check(&self, count: &GpuSlice<u64>) -> Result<(), PrepareError> {
        let element = self.element;
        if element.packing() == Packing::Bits {
            return Err(PrepareError::NoSelection { element });
        }
        let all = [Some(&self.input), Some(&self.output), self.lengths.as_ref()];
        if let Some(error) = all.into_iter().flatten().find_map(|all| all.lacks_usage.clone()) {
            return Err(error);
        }
        if self.output.is_strided || self.lengths.as_ref().is_some_and(|out| out.is_strided) {
            return Err(PrepareError::StridedOutput);
        }
        let has_numbers = self.kind == Kind::Positions || self.lengths.is_some();
        if has_numbers && self.numbers == ElementType::U32 && self.len() > u32::MAX.into() {
            return Err(PrepareError::LongNumbers { len: self.len() });
        }
        count.require_usage("count", wgpu::BufferUsages::STORAGE)?;
        if let Some(mask) = &self.mask {
            let (len, (least, most)) = (self.len(), mask.flags());
            if len < least || len > most {
                return Err(PrepareError::MaskLength { flags: most, len });
            }
        }
        if self.kind == Kind::Partition && self.output.len() < self.len() {
            let len = self.output.len();
            return Err(PrepareError::ShortOutput { len, needed: self.len() });
        }
        self.check_aliasing(count)
    }

    /// Whether a buffer is one of the inputs' or outputs'.
    pub(super) fn uses(&self, buffer: &wgpu::Buffer) -> bool {
        let masks = self.mask.iter().flat_map(|mask| &mask.buffers);
        let slices = [Some(&self.input), Some(&self.output), self.lengths.as_ref()];
        let others = slices.into_iter().flatten().flat_map(|slices| &slices.buffers);
        masks.chain(others).any(|other| other == buffer)
    }

    /// Refuses a number of elements that can't be read, or that would be overwritten.
    pub(super) fn check_len(
        &self,
        number: &CountSlice,
        count: &GpuSlice<u64>,
    ) -> Result<(), PrepareError> {
        let (output, lengths) = self.outputs();
        let lengths = lengths.unwrap_or_default();
        let outputs = output.used().map(|used| ("output", used));
        let lengths = lengths.used().map(|used| ("lengths", used));
        let count_bytes = count.bytes();
        let count = [("count", (count.buffer(), &count_bytes))];
        for (what, (buffer, bytes)) in outputs.chain(lengths).chain(count) {
            if !number.is_bound_apart_from(buffer, bytes)? {
                return Err(PrepareError::OutputAliasing { what });
            }
        }
        Ok(())
    }

    /// Outputs have buffers of their own, but for the count, which only has a place of its own.
    fn check_aliasing(&self, count: &GpuSlice<u64>) -> Result<(), PrepareError> {
        let (output, lengths) = self.outputs();
        let masks = self.mask.iter().flat_map(|mask| mask.buffers.iter().zip(&mask.extents));
        let masks = masks.map(|(buffer, extent)| {
            let end = extent.offset_bytes + extent.len * u64::from(self.mask_bytes());
            (buffer, extent.offset_bytes..end)
        });
        let inputs: Vec<_> =
            self.input.used().map(|(buffer, bytes)| (buffer, bytes.clone())).chain(masks).collect();
        let is_read = |buffer| inputs.iter().any(|&(read, _)| read == buffer);
        let aliases = |what| Err(PrepareError::OutputAliasing { what });
        let outputs: Vec<_> = output.used().collect();
        for (number, &(buffer, bytes)) in outputs.iter().enumerate() {
            let is_there = |&(other, taken): &(&wgpu::Buffer, &Range<u64>)| {
                other == buffer && overlap(bytes, taken)
            };
            if is_read(buffer) || outputs[..number].iter().any(is_there) {
                return aliases("output");
            }
        }
        let lengths = lengths.unwrap_or_default();
        let lengths: Vec<_> = lengths.used().collect();
        for (number, &(buffer, bytes)) in lengths.iter().enumerate() {
            let is_there = |&(other, taken): &(&wgpu::Buffer, &Range<u64>)| {
                other == buffer && overlap(bytes, taken)
            };
            let is_output = outputs.iter().any(|&(other, _)| other == buffer);
            if is_read(buffer) || is_output || lengths[..number].iter().any(is_there) {
                return aliases("lengths");
            }
        }
        let written = outputs.iter().chain(&lengths).map(|&(buffer, bytes)| (buffer, bytes));
        let all = inputs.iter().map(|(buffer, bytes)| (*buffer, bytes)).chain(written);
        let (buffer, bytes) = (count.buffer(), count.bytes());
        match all.into_iter().any(|(other, taken)| other == buffer && overlap(&bytes, taken)) {
            true => aliases("count"),
            false => Ok(()),
        }
    }

    /// Bytes of an element of the mask, which for bits is a word.
    fn mask_bytes(&self) -> u32 {
        match self.mask.as_ref().map(|mask| mask.flag_bytes) {
            Some(1) => 1,
            _ => u32::try_from(WORD_BYTES).expect("four"),
        }
    }
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}
