//! The declarations of what was asked for, under their new names.

use super::{Chosen, Collectives, LIST, TICKET, ZERO, count_rows};
use crate::{
    collectives::{
        barriers::{self, Subject},
        error::CollectivesError,
        files::{LONG_ITEM, Totals, VECTOR_WORDS, Way},
        requirements::CollectiveFunction,
    },
    device::capabilities::SubgroupSizes,
    way::Mechanism,
    wgsl::{
        module::constants_of,
        text::{Declaration, declarations},
        used::reached,
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// What is renamed together.
struct Unit<'a> {
    /// Of the names that it declares.
    prefix: String,
    files: Vec<&'static str>,
    /// Beside the files.
    own: Option<&'a str>,
    /// Those of the files whose functions users call.
    called: Vec<&'static str>,
    subject: Subject,
    /// The values of the files' pipeline constants: the user's module has none of them.
    constants: Vec<(&'static str, f64)>,
}

/// Files whose functions everything may call.
const PLACE: [&str; 3] =
    ["public/place.wgsl", "public/place.wgsl@subgroups", "public/place.wgsl@memory"];

impl Collectives {
    fn units(&self, way: Way) -> Result<Vec<Unit<'_>>, CollectivesError> {
        let mut called = PLACE.to_vec();
        called.extend(self.collectives.iter().flat_map(|one| one.of_flags()));
        let subject = Subject { totals: Totals::InOrder, words: 1 };
        let mut units = vec![Unit {
            prefix: self.prefix.clone(),
            files: way.shared_files(),
            own: None,
            called,
            subject,
            constants: Vec::new(),
        }];
        for (item, called) in self.items() {
            units.push(Unit {
                prefix: [self.prefix.as_str(), "_", item.name].concat(),
                files: way.item_files(item),
                own: None,
                called,
                subject: Subject { words: item.words, ..subject },
                constants: Vec::new(),
            });
        }
        for (name, chosen) in &self.operators {
            let spec = chosen.spec().ok_or_else(|| chosen.none())?;
            let mut files = way.operator_files(spec).ok_or_else(|| chosen.none())?;
            let called: Vec<_> =
                self.collectives.iter().filter_map(|one| one.of_operators()).collect();
            files.extend(&called);
            let own = match chosen {
                Chosen::Known(..) => None,
                Chosen::Own(program) => Some(program.text()),
            };
            let subject = Subject { totals: way.totals(spec), ..subject };
            let constants = constants_of(spec.operator, spec.element);
            units.push(Unit { prefix: name.clone(), files, own, called, subject, constants });
        }
        Ok(units)
    }

    /// All declarations that something to call comes to, under their new names, and what there is to call.
    pub(super) fn compose(
        &self,
    ) -> Result<(Vec<Declaration>, Vec<CollectiveFunction>), CollectivesError> {
        self.check()?;
        match self.compose_by(self.way(true)?) {
            Err(CollectivesError::WorkgroupMemory { .. }) => self.compose_by(self.way(false)?),
            composed => composed,
        }
    }

    fn compose_by(
        &self,
        way: Way,
    ) -> Result<(Vec<Declaration>, Vec<CollectiveFunction>), CollectivesError> {
        let mut shared_names = BTreeMap::new();
        let mut shared_numbers = BTreeMap::new();
        let mut all: Vec<Declaration> = Vec::new();
        let mut roots = Vec::new();
        let mut functions = Vec::new();
        for unit in self.units(way)? {
            let declared: Vec<_> = unit
                .files
                .iter()
                .flat_map(|&file| {
                    let text = self.sources.text(file).expect("the list has the file");
                    declarations(text).into_iter().map(move |declaration| (file, declaration))
                })
                .chain(unit.own.into_iter().flat_map(declarations).map(|own| ("", own)))
                .map(|(file, declaration)| (file, self.with_numbers(&declaration, &unit)))
                .collect();
            let mut numbers = shared_numbers.clone();
            for (_, one) in &declared {
                match one.number() {
                    Some(number) => numbers.insert(one.name.clone(), number),
                    // A number of that name that all share is not this unit's.
                    None => numbers.remove(&one.name),
                };
            }
            // What is the operator's own comes before what all share.
            let mut names = shared_names.clone();
            for (_, declaration) in &declared {
                let name = [unit.prefix.as_str(), "_", &declaration.name].concat();
                names.insert(declaration.name.clone(), name);
            }
            // Users pass arrays, and have no name for their type. naga's SPIR-V takes such an array and an alias of it for two types, and makes an
            // invalid module of a call. So the array stands where its alias would.
            let long_item =
                declared.iter().find(|(file, one)| *file == LONG_ITEM && one.name == "Item");
            if let Some(array) = long_item.and_then(|(_, one)| one.aliased_array()) {
                names.insert("Item".to_owned(), array.renamed(&names).text);
            }
            for (file, declaration) in &declared {
                // The user's own text stays as it is.
                let unrolled = match file.is_empty() {
                    true => declaration.clone(),
                    false => declaration.unrolled(&numbers),
                };
                let renamed = unrolled.renamed(&names);
                // Paths come last: the kernel's own names stay as they are.
                let renamed = self.with_paths(&declaration.name, &renamed);
                if unit.called.contains(file) {
                    roots.push(renamed.name.clone());
                    let is_called =
                        declaration.is_function && !INNER.contains(&declaration.name.as_str());
                    functions.extend(is_called.then(|| {
                        self.function(&declaration.name, &renamed.name, way, unit.subject)
                    }));
                }
                all.push(renamed);
            }
            if shared_names.is_empty() {
                (shared_names, shared_numbers) = (names, numbers);
            }
        }
        let mut taken = BTreeSet::new();
        if let Some(twice) = all.iter().find(|declaration| !taken.insert(&declaration.name)) {
            return Err(CollectivesError::Clash { name: twice.name.clone() });
        }
        let names: Vec<_> = all.iter().map(Declaration::names).collect();
        let declared = all.iter().map(|it| it.name.as_str()).zip(&names);
        let reached = reached(declared, roots.iter().map(String::as_str));
        let reached: BTreeSet<_> = reached.into_iter().map(str::to_owned).collect();
        all.retain(|declaration| reached.contains(&declaration.name));
        let declares = |name: &str| {
            let name = [self.prefix.as_str(), "_", name].concat();
            reached.contains(&name)
        };
        let (needed, max) = (self.bytes(&declares), self.max_workgroup_bytes);
        if needed > max {
            return Err(CollectivesError::WorkgroupMemory { needed, max });
        }
        Ok((all, functions))
    }

    /// A declaration, with the numbers that were asked for.
    fn with_numbers(&self, declaration: &Declaration, unit: &Unit<'_>) -> Declaration {
        let Unit { subject, constants, .. } = unit;
        match declaration.name.as_str() {
            "WORKGROUP_SIZE" => declaration.with_number(self.workgroup_size),
            "SUBGROUP_SIZE" => declaration.with_number(self.subgroup_size),
            "LANE_WORDS" => declaration.with_number(self.lane_words()),
            "KNOWN_SUBGROUP_SIZE" => declaration.with_number(self.known_size()),
            "KNOWN_LEVELS" => declaration.with_number(self.known_size().ilog2()),
            "KNOWN_SUBGROUPS" => declaration.with_number(self.known_subgroups()),
            "QUICK_TOTALS" => declaration.with_number(2 * self.known_subgroups()),
            "KNOWN_ROUNDS" => declaration.with_number(self.known_rounds()),
            "ITEM_WORDS" => declaration.with_number(subject.words),
            "ITEM_FOURS" => declaration.with_number(subject.words.div_ceil(VECTOR_WORDS)),
            "ITEMS_PER_LANE" => declaration.with_number(self.items_per_lane),
            "DIGIT_BITS" => declaration.with_number(self.digit_bits()),
            "COUNT_ROWS" => declaration.with_number(count_rows(self.digit_bits())),
            name if declaration.is_override() => {
                let own = constants.iter().find(|(constant, _)| *constant == name);
                declaration.with_constant(own.map(|(_, value)| *value))
            }
            _ => declaration.clone(),
        }
    }

    /// Of the files that tell it.
    fn known_size(&self) -> u32 {
        self.one_subgroup_size().unwrap_or(4)
    }

    /// Subgroups of that size.
    pub(super) fn known_subgroups(&self) -> u32 {
        self.workgroup_size.div_ceil(self.known_size())
    }

    /// Rounds in which subgroups' totals become one, where subgroups have one size.
    fn known_rounds(&self) -> u32 {
        let levels = self.known_size().ilog2();
        self.workgroup_size.ilog2().div_ceil(levels).saturating_sub(1)
    }

    /// What was declared under a name, with the kernel's own variables.
    fn with_paths(&self, name: &str, declaration: &Declaration) -> Declaration {
        match name {
            "fence" => declaration.with_path(ZERO, &self.zero),
            "partial_store" | "partial_load" | "device_reduce" => {
                declaration.with_path(TICKET, &self.ticket)
            }
            "workgroup_append" | "subgroup_append" => declaration.with_path(LIST, &self.list),
            _ => declaration.clone(),
        }
    }

    fn function(
        &self,
        function: &str,
        name: &str,
        way: Way,
        subject: Subject,
    ) -> CollectiveFunction {
        // Smaller subgroups have as many barriers or more.
        let sizes = match (way.mechanism, self.right_subgroup_sizes()) {
            (Mechanism::Subgroup, Some(SubgroupSizes { min, max })) => [min, max],
            _ => [self.subgroup_size; 2],
        };
        let [few, many] = sizes.map(|size| {
            let least = barriers::of_call(function, way, size, subject);
            (least, least + barriers::of_unlucky_call(function, way, size, subject))
        });
        let barriers = few.0.min(many.0)..=few.1.max(many.1);
        CollectiveFunction { name: name.to_owned(), barriers }
    }
}

/// Functions in the files of those to call that are parts of others.
const INNER: [&str; 15] = [
    "group_lane",
    "group_lanes",
    "group_begin",
    "word_of_lane",
    "tile_prefix",
    "lanes_before",
    "subgroup_segment_prefix",
    "workgroup_segment_prefix",
    "items_turned",
    "words_of_keys",
    "keys_of_words",
    "low_words_of_keys",
    "high_words_of_keys",
    "keys_of_two_words",
    "ballot_of_tile",
];
