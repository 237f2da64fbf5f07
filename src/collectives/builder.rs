//! What is asked for, and the text that comes of it.

use crate::{
    algebra::{
        element::{Element, ElementType},
        operator::{Arithmetic, Operator, OperatorSpec},
        operator_type::OperatorType,
    },
    collectives::{
        error::{CollectivesError, MAX_WORKGROUP_SIZE},
        files::{Collective, ITEMS, Item, MAX_WORDS, VECTOR_WORDS, Way},
        requirements::{CollectivesRequirements, CollectivesTicket},
    },
    custom::any_operator::program_of,
    device::{
        capabilities::{Capabilities, SubgroupSizes},
        context::Context,
    },
    way::{Mechanism, Variant},
    wgsl::{program::Program, sources::Sources, text::is_name},
};
use std::collections::BTreeSet;

mod compose;

/// WGSL text of collectives, to put before a kernel of one's own: reductions, scans, shuffles and votes of a subgroup's and of a
/// workgroup's lanes, for a workgroup of 1 to 1024 invocations in one dimension. The [module](crate::wgsl) has an example, and the rules.
///
/// Nothing is made before [`Collectives::source`] and [`Collectives::requirements`], which are pure functions of what was asked for.
#[derive(Clone, Debug)]
#[doc(alias("BlockReduce", "BlockScan", "WarpReduce", "WarpScan"))]
pub struct Collectives {
    sources: Sources,
    subgroups: Option<SubgroupSizes>,
    sound_floats: bool,
    max_workgroup_size: u32,
    max_workgroup_bytes: u32,
    variant: Variant,
    workgroup_size: u32,
    subgroup_size: u32,
    prefix: String,
    zero: String,
    list: String,
    ticket: String,
    has_fences: bool,
    items_per_lane: u32,
    words: BTreeSet<u32>,
    operators: Vec<(String, Chosen)>,
    collectives: BTreeSet<Collective>,
}

/// An operator that was asked for.
#[derive(Clone, Debug)]
enum Chosen {
    Known(OperatorType, ElementType),
    Own(Program),
}

impl Chosen {
    fn spec(&self) -> Option<&OperatorSpec> {
        match self {
            Self::Known(operator, element) => operator.spec(*element),
            Self::Own(program) => Some(program.spec()),
        }
    }

    fn none(&self) -> CollectivesError {
        let (operator, element) = match self {
            Self::Known(operator, element) => (*operator, *element),
            Self::Own(program) => (OperatorType::Custom, program.spec().element),
        };
        CollectivesError::NoSuchOperator { operator, element }
    }
}

/// Where the shader files have the place of the zero.
const ZERO: &str = "params.zero";
/// And of the number of a list's entries.
const LIST: &str = "list.length";
/// And of what workgroups deliver their totals to.
const TICKET: &str = "ticket";

impl Collectives {
    /// For a context's device: its limits, its subgroups as far as they passed the start-up probe, its floats as probed.
    pub fn new(context: &Context) -> Self {
        let collectives = Self::of(context.capabilities(), &context.device().limits());
        Self { sources: context.pipelines().sources().clone(), ..collectives }
    }

    /// For a device that is known by what it can do and the limits that it was, or will be, made with. Its word is taken: no probe runs.
    ///
    /// The text is right on other devices, too, as far as [`CollectivesRequirements::subgroup_sizes`] says. Where [`Capabilities::subgroups`] has one
    /// size, totals of a workgroup are made for it. The text compares it with the device's. On subgroups of another size it goes
    /// another way, which is slower and has the same results.
    pub fn of(capabilities: &Capabilities, limits: &wgpu::Limits) -> Self {
        Self {
            sources: Sources::default(),
            subgroups: capabilities.subgroups.filter(|_| capabilities.lanes_in_order),
            sound_floats: capabilities.sound_floats,
            max_workgroup_size: limits
                .max_compute_invocations_per_workgroup
                .min(limits.max_compute_workgroup_size_x)
                .min(MAX_WORKGROUP_SIZE),
            max_workgroup_bytes: limits.max_compute_workgroup_storage_size,
            variant: Variant::Auto,
            workgroup_size: 256,
            subgroup_size: 32,
            prefix: "gridfold".to_owned(),
            zero: ZERO.to_owned(),
            list: LIST.to_owned(),
            ticket: TICKET.to_owned(),
            has_fences: capabilities.coherent_memory,
            items_per_lane: 8,
            words: BTreeSet::new(),
            operators: Vec::new(),
            collectives: BTreeSet::new(),
        }
    }

    /// Invocations of the kernel's workgroups: 256 if nothing is said.
    #[must_use]
    pub fn workgroup_size(self, size: u32) -> Self {
        Self { workgroup_size: size, ..self }
    }

    /// How lanes exchange values: by subgroups where the device has them, if nothing is said. No result depends on it, but for those that
    /// depend on the size of a subgroup.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        Self { variant, ..self }
    }

    /// For subgroups of these sizes, in place of those that the device is known to have: with 4 to 128, text for every device that has subgroups.
    /// Without subgroups nothing changes.
    #[must_use]
    pub fn subgroup_sizes(self, sizes: SubgroupSizes) -> Self {
        Self { subgroups: self.subgroups.map(|_| sizes), ..self }
    }

    /// Lanes of what stands for a subgroup where workgroup memory does the work: a power of two from 4 to 128, and 32 if nothing is said.
    #[must_use]
    pub fn subgroup_size(self, size: u32) -> Self {
        Self { subgroup_size: size, ..self }
    }

    /// The beginning of the names that belong to no operator. The default is `gridfold`, as in `gridfold_Workgroup`.
    #[must_use]
    pub fn prefix(self, prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), ..self }
    }

    /// Where the kernel's uniform has the 0 for the fence: a path, `params.zero` if nothing is said. See
    /// [`CollectivesRequirements::zero`].
    #[must_use]
    pub fn zero(self, path: &str) -> Self {
        Self { zero: path.to_owned(), ..self }
    }

    /// Where the number of entries is of the list that [`Collective::Append`] is about: a path to an `atomic<u32>` of the kernel's, in a storage
    /// buffer, `list.length` if nothing is said.
    #[must_use]
    pub fn list(self, path: &str) -> Self {
        Self { list: path.to_owned(), ..self }
    }

    /// Where totals of workgroups meet in [`Collective::Ticket`]: a path to a storage buffer of the kernel's, `ticket` if nothing is said, with
    /// two members: `delivered: atomic<u32>`, which is 0 before the first dispatch and after each, and `partials: array<atomic<u32>>`,
    /// of [`CollectivesTicket::words`](crate::wgsl::CollectivesTicket::words) for each workgroup.
    #[must_use]
    pub fn ticket(self, path: &str) -> Self {
        Self { ticket: path.to_owned(), ..self }
    }

    /// Adds an operator's functions, whose names begin with `name`: of values of type `T`, which are `vec2<u32>` of 64 bits, the low word
    /// first.
    ///
    /// Lanes get what the text of a [`CustomOperator`](crate::CustomOperator) makes of a total, which is of the type `NAME_Outcome`. Nothing is added for floats: they are as exact
    /// as the text and the device are.
    #[must_use]
    pub fn operator<T: Element, Op: Operator<T>>(mut self, name: &str, op: Op) -> Self {
        let Some(program) = program_of::<T, Op>(&op) else {
            return self.operator_type(op.spec().operator, T::TYPE, name);
        };
        self.operators.push((name.to_owned(), Chosen::Own(program)));
        self
    }

    /// Adds an operator by what is known at run time.
    #[must_use]
    pub fn operator_type(
        mut self,
        operator: OperatorType,
        element: ElementType,
        name: &str,
    ) -> Self {
        self.operators.push((name.to_owned(), Chosen::Known(operator.on(element), element)));
        self
    }

    /// Items that each lane has in [`Collective::Exchange`], [`Collective::Sort`] and [`Collective::SortWide`]: 1 to 32, and 8 if nothing is said. They are an
    /// `array`, of the type `PREFIX_TYPE_Items`.
    #[must_use]
    pub fn items_per_lane(self, items: u32) -> Self {
        Self { items_per_lane: items, ..self }
    }

    /// Adds values of so many words, 1 to 16, to [`Collective::ShuffleWide`] and [`Collective::Compact`]: of 7 words the type is `u32x7`, an `array<u32, 7>`. Those
    /// of up to four words, which are vectors, are there anyway. A struct becomes such an array, and is made of it, by the kernel's own functions.
    #[must_use]
    pub fn words(mut self, words: u32) -> Self {
        self.words.insert(words);
        self
    }

    /// Adds families of functions.
    #[must_use]
    pub fn with(mut self, collectives: impl IntoIterator<Item = Collective>) -> Self {
        self.collectives.extend(collectives);
        self
    }

    /// How lanes exchange values on this device.
    ///
    /// # Errors
    ///
    /// [`CollectivesError::NoSubgroups`].
    pub fn mechanism(&self) -> Result<Mechanism, CollectivesError> {
        match (self.variant, self.subgroups) {
            (Variant::WorkgroupMemory, _) | (Variant::Auto, None) => Ok(Mechanism::WorkgroupMemory),
            (_, Some(_)) => Ok(Mechanism::Subgroup),
            (Variant::Subgroup, None) => Err(CollectivesError::NoSubgroups),
        }
    }

    /// WGSL: declarations at module scope, for the beginning of a kernel's module. (Directives, such as `enable f16;`, go before it.)
    ///
    /// # Errors
    ///
    /// [`CollectivesError`]: names that are none or clash, a workgroup that the device does not have, an operator that has no collectives.
    pub fn source(&self) -> Result<String, CollectivesError> {
        let (declarations, _) = self.compose()?;
        let texts: Vec<_> = declarations.into_iter().map(|declaration| declaration.text).collect();
        Ok([texts.join("\n\n").as_str(), "\n"].concat())
    }

    /// The needs of a kernel with this text, and the costs of calls.
    ///
    /// # Errors
    ///
    /// As [`Collectives::source`].
    pub fn requirements(&self) -> Result<CollectivesRequirements, CollectivesError> {
        let (declarations, functions) = self.compose()?;
        let declares = |name: &str| {
            let name = [self.prefix.as_str(), "_", name].concat();
            declarations.iter().any(|declaration| declaration.name == name)
        };
        let (features, directives, subgroup_sizes) = match self.mechanism()? {
            Mechanism::Subgroup => {
                let sizes = self.right_subgroup_sizes();
                (wgpu::Features::SUBGROUP, vec!["enable subgroups;"], sizes)
            }
            Mechanism::WorkgroupMemory => (wgpu::Features::empty(), Vec::new(), None),
        };
        Ok(CollectivesRequirements {
            features,
            directives,
            subgroup_sizes,
            workgroup_size: self.workgroup_size,
            workgroup_bytes: self.bytes(&declares),
            zero: declares("fence").then(|| self.zero.clone()),
            list: self.collectives.contains(&Collective::Append).then(|| self.list.clone()),
            ticket: self.collectives.contains(&Collective::Ticket).then(|| {
                let specs = self.operators.iter().filter_map(|(_, chosen)| chosen.spec());
                let words = specs.map(OperatorSpec::acc_words).max().unwrap_or(0);
                CollectivesTicket { path: self.ticket.clone(), words }
            }),
            functions,
        })
    }

    /// Whether sums have their quick way, which takes memory, `is_quick` says.
    fn way(&self, is_quick: bool) -> Result<Way, CollectivesError> {
        let max_subgroup_size = self.subgroups.map_or(0, |sizes| sizes.max);
        Ok(Way {
            mechanism: self.mechanism()?,
            workgroup_size: self.workgroup_size,
            max_subgroup_size,
            one_subgroup_size: self.one_subgroup_size().is_some(),
            arithmetic: match self.sound_floats {
                true => Arithmetic::Hardware,
                false => Arithmetic::Software,
            },
            digit_bits: self.digit_bits(),
            is_quick,
        })
    }

    /// Those that the text is right on: smaller ones than it is made for, too.
    fn right_subgroup_sizes(&self) -> Option<SubgroupSizes> {
        self.subgroups.map(|sizes| SubgroupSizes { min: 4, ..sizes })
    }

    /// The size of all subgroups, where the device has one.
    fn one_subgroup_size(&self) -> Option<u32> {
        self.subgroups.filter(|sizes| sizes.min == sizes.max).map(|sizes| sizes.max)
    }

    /// The largest digits for whose counts there is room, beside a little for what else the kernel has.
    fn digit_bits(&self) -> u32 {
        let words = self.max_workgroup_bytes / 4;
        let fits = |bits: &u32| self.workgroup_size * count_rows(*bits) <= words / 4 * 3;
        (2..=4).rev().find(fits).unwrap_or(1)
    }

    /// Bytes of workgroup memory, as WebGPU counts.
    fn bytes(&self, declares: &dyn Fn(&str) -> bool) -> u32 {
        let of = |name: &str, words: u32| {
            if declares(name) { (4 * words).next_multiple_of(16) } else { 0 }
        };
        of("memory", self.workgroup_size * self.lane_words())
            + of("votes", self.workgroup_size.div_ceil(32))
            + of("votes_total", 1)
            + of("append_begin", 1)
            + of("ticket_is_last", 1)
            + of("out_of_range", 1)
            + of("quick_totals", 2 * self.known_subgroups())
    }

    /// Words that a lane has in memory at most.
    fn lane_words(&self) -> u32 {
        let has = |which: fn(Collective) -> bool| self.collectives.iter().any(|&one| which(one));
        let specs = self.operators.iter().filter_map(|(_, chosen)| chosen.spec());
        let of_operators =
            specs.filter(|_| has(|one| one.of_operators().is_some())).map(OperatorSpec::acc_words);
        let of_items = self.items().map(|(item, _)| item.memory_words());
        let has_items = has(|one| matches!(one, Collective::Exchange) || one.sorts());
        let of_lanes = has_items.then_some(self.items_per_lane);
        let of_digits = has(Collective::sorts).then(|| count_rows(self.digit_bits()));
        of_operators.chain(of_items).chain(of_lanes).chain(of_digits).max().unwrap_or(1)
    }

    /// The types of values that are asked for, and the files of what is to be called of each.
    fn items(&self) -> impl Iterator<Item = (&'static Item, Vec<&'static str>)> {
        let is_wide = self.collectives.contains(&Collective::ShuffleWide);
        let is_there = move |item: &&Item| match item.words {
            1 => true,
            2..=VECTOR_WORDS => is_wide || item.is_wide_key(),
            words => is_wide && self.words.contains(&words),
        };
        let items = ITEMS.iter().filter(is_there);
        items.filter_map(|item| {
            let called: Vec<_> =
                self.collectives.iter().filter_map(|one| one.of_items(item)).collect();
            (!called.is_empty()).then_some((item, called))
        })
    }

    fn check(&self) -> Result<(), CollectivesError> {
        let size = self.workgroup_size;
        if !(1..=self.max_workgroup_size).contains(&size) {
            return Err(CollectivesError::WorkgroupSize { size, max: self.max_workgroup_size });
        }
        let size = self.subgroup_size;
        if !(size.is_power_of_two() && (4..=128).contains(&size)) {
            return Err(CollectivesError::SubgroupSize { size });
        }
        if let Some(sizes) = self.subgroups.filter(|sizes| !sizes.are_sound()) {
            return Err(CollectivesError::SubgroupSizes { sizes });
        }
        let items = self.items_per_lane;
        if !(1..=32).contains(&items) {
            return Err(CollectivesError::ItemsPerLane { items });
        }
        if let Some(&words) = self.words.iter().find(|words| !(1..=MAX_WORDS).contains(*words)) {
            return Err(CollectivesError::Words { words });
        }
        if self.collectives.contains(&Collective::Ticket) && !self.has_fences {
            return Err(CollectivesError::NoFences);
        }
        let is_path = |path: &str| path.split('.').all(is_name);
        let names = self.operators.iter().map(|(name, _)| name).chain([&self.prefix]);
        let wrong = names.into_iter().find(|name| !is_name(name));
        let paths = [&self.zero, &self.list, &self.ticket];
        let wrong = wrong.or(paths.into_iter().find(|path| !is_path(path)));
        wrong.map_or(Ok(()), |name| Err(CollectivesError::NotAName { name: name.clone() }))
    }
}

/// Rows of the table of counts in digits.wgsl.
const fn count_rows(digit_bits: u32) -> u32 {
    (1 << (digit_bits - 1)) + 1
}

#[cfg(test)]
mod tests;
