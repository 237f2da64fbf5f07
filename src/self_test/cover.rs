//! How much a self-test asks, and which pipelines that takes.

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType},
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        shader::{Constants, ShaderKey},
        sources::Sources,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

/// A shader, and the values of its constants.
pub(super) type Pipeline = (ShaderKey, Constants);

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The pipelines of usual calls, and of the others those that have something new.
    Brief,
    /// Every kernel with each value of its constants, and every operator.
    #[cfg_attr(not(feature = "unstable"), expect(dead_code, reason = "for the tests"))]
    Thorough,
    /// Every operator in every kernel.
    Everything,
}

/// Which questions are asked.
pub(super) enum Selection {
    /// All.
    All,
    /// None: their pipelines are noted.
    Survey(Survey),
    /// Those that these pipelines answer, each on the device that has the question's first pipeline.
    Chosen { device_of: Arc<HashMap<Pipeline, usize>>, device: usize },
}

impl Selection {
    /// Whether a question is asked that takes these pipelines.
    pub(super) fn takes(&mut self, pipelines: &[Pipeline]) -> bool {
        match self {
            Self::All => true,
            Self::Survey(survey) => {
                survey.questions.push(pipelines.to_vec());
                false
            }
            Self::Chosen { device_of, device } => {
                let own = pipelines.first().and_then(|first| device_of.get(first));
                pipelines.iter().all(|pipeline| device_of.contains_key(pipeline))
                    && own == Some(device)
            }
        }
    }
}

/// The pipelines of all questions, in the order of asking.
#[derive(Default)]
pub(super) struct Survey {
    questions: Vec<Vec<Pipeline>>,
    /// So many of the first questions are asked in any case.
    usual: usize,
}

/// Several pipelines can have it. One of them is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Feature {
    Kernel(Kernel, Mechanism),
    Operator(OperatorType),
    Element(ElementType),
    Constants(Constants),
}

impl Feature {
    fn of((key, constants): &Pipeline) -> [Self; 4] {
        [
            Self::Kernel(key.kernel, key.mechanism),
            Self::Operator(key.operator),
            Self::Element(key.element),
            Self::Constants(*constants),
        ]
    }
}

impl Survey {
    /// The questions so far are asked in any case.
    pub(super) fn ends_usual(&mut self) {
        self.usual = self.questions.len();
    }

    /// The pipelines of all questions, for so many devices.
    pub(super) fn all(&self, sources: &Sources, devices: usize) -> Cover {
        let mut cover = Cover::new(self, sources, devices);
        self.questions.iter().for_each(|pipelines| cover.add(pipelines));
        cover
    }

    /// The pipelines of the usual questions; and of others until there is one with each feature. The rarest feature is next, and for it
    /// the question that has the most new features for what is new to compile.
    pub(super) fn cover(&self, sources: &Sources, devices: usize) -> Cover {
        let mut cover = Cover::new(self, sources, devices);
        let (usual, others) = self.questions.split_at(self.usual);
        usual.iter().for_each(|pipelines| cover.add(pipelines));
        let mut seen = HashSet::new();
        let others: Vec<_> = others.iter().filter(|&pipelines| seen.insert(pipelines)).collect();
        let mut with = BTreeMap::<Feature, Vec<&[Pipeline]>>::new();
        for pipelines in others {
            let features: BTreeSet<_> = pipelines.iter().flat_map(Feature::of).collect();
            for feature in features {
                with.entry(feature).or_default().push(pipelines);
            }
        }
        let mut rarest: Vec<_> = with.into_iter().collect();
        rarest.sort_by_key(|(_, questions)| questions.len());
        for (feature, questions) in rarest {
            if cover.features.contains(&feature) {
                continue;
            }
            // The first of equal ones.
            let best = questions.into_iter().reduce(|best, other| {
                let ((features, cost), (more, for_more)) = (cover.gain(best), cover.gain(other));
                if more * cost > features * for_more { other } else { best }
            });
            best.into_iter().for_each(|best| cover.add(best));
        }
        cover
    }
}

/// The pipelines to compile, and their devices.
pub(super) struct Cover {
    /// In the order in which they were chosen.
    pub(super) pipelines: Vec<Pipeline>,
    /// The number of each one's device.
    pub(super) devices: HashMap<Pipeline, usize>,
    features: HashSet<Feature>,
    costs: HashMap<ShaderKey, usize>,
    /// The cost of all pipelines of each device.
    loads: Vec<usize>,
}

impl Cover {
    fn new(survey: &Survey, sources: &Sources, devices: usize) -> Self {
        let mut costs = HashMap::new();
        for (key, _) in survey.questions.iter().flatten() {
            costs.entry(key.clone()).or_insert_with(|| cost(key, sources));
        }
        Self {
            pipelines: Vec::new(),
            devices: HashMap::new(),
            features: HashSet::new(),
            costs,
            loads: vec![0; devices],
        }
    }

    /// A question goes where its first pipeline is, or where there is least to do. All parts of a batch go to one device, because they
    /// share dispatches.
    fn add(&mut self, pipelines: &[Pipeline]) {
        let is_of_jobs = |(_, constants): &Pipeline| matches!(constants, Constants::Jobs { .. });
        let least = match pipelines.iter().any(is_of_jobs) {
            true => 0,
            false => (0..self.loads.len()).min_by_key(|&device| self.loads[device]).unwrap_or(0),
        };
        let known = pipelines.first().and_then(|first| self.devices.get(first));
        let device = known.copied().unwrap_or(least);
        for pipeline in pipelines {
            if !self.devices.contains_key(pipeline) {
                self.pipelines.push(pipeline.clone());
                self.devices.insert(pipeline.clone(), device);
                self.features.extend(Feature::of(pipeline));
                self.loads[device] += self.costs[&pipeline.0];
            }
        }
    }

    /// New features, and the cost of the shaders that they take.
    fn gain(&self, pipelines: &[Pipeline]) -> (usize, usize) {
        let features: HashSet<_> = pipelines.iter().flat_map(Feature::of).collect();
        let is_new = |pipeline: &&Pipeline| !self.devices.contains_key(pipeline);
        let new: HashSet<_> = pipelines.iter().filter(is_new).collect();
        let cost = new.into_iter().map(|(key, _)| self.costs[key]).sum();
        (features.difference(&self.features).count(), cost)
    }
}

/// How long compilers take, about: by the length of the text. Where workgroups wait for each other they take some three times as long,
/// and twice where an operation on elements is several on words.
fn cost(key: &ShaderKey, sources: &Sources) -> usize {
    let waits = if key.kernel.needs_coherent_memory() { 3 } else { 1 };
    let words = if key.element.size_bytes() > 4 { 2 } else { 1 };
    waits * words * sources.compose(key).len()
}
