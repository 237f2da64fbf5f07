//! Asks a device for many reductions at once.

use super::{
    input::Input,
    questions::{Asked, Question},
    run::{Run, pipelines_of},
    slot::LABEL,
    tally::Claim,
};
use crate::{batches::batch::Batch, error::PrepareError, way::Mechanism};
use std::ops::Range;

impl Run {
    /// Asks for reductions of parts of an input, all in one batch: each in the first of the mechanisms that the device uses for it.
    pub(super) async fn ask_in_a_batch(
        &mut self,
        input: &Input,
        parts: &[(Question, Range<usize>)],
    ) {
        for mechanisms in self.mechanisms_for(parts[0].0) {
            if !self.has_room(input) {
                return;
            }
            self.flush().await;
            let context = self.options.context.clone();
            let mut batch = Batch::new(&context).label(LABEL);
            let mut buffers = None;
            let mut claims = Vec::new();
            let parts = parts.iter().filter(|(question, _)| question.subject.has_batches);
            for &(question, ref range) in parts {
                if self.is_over() {
                    return;
                }
                let subject = question.subject;
                let Some(buffers) = self.buffers(&mut buffers, input, false) else { return };
                let mut claim = Claim::without_plan(
                    question,
                    format!("words {range:?} of {}, in a batch", input.describe()),
                );
                // Partials of a batch are folded in the same way whatever the strategy is.
                let usual = Question::as_usual(subject);
                let ways = |&mechanism: &Mechanism| [(question, mechanism), (usual, mechanism)];
                for (question, mechanism) in mechanisms.iter().flat_map(ways) {
                    let part = range.start as u64..range.end as u64;
                    let asked = Asked {
                        context: context.clone(),
                        question,
                        mechanism,
                        left: buffers.left.clone(),
                        right: buffers.right.clone(),
                        spoiler: None,
                        offsets: input.offsets().map(|offset| offset as u64),
                        ranges: Vec::new(),
                        stride_bytes: None,
                        room: None,
                    };
                    let added = asked.plan(part.clone()).and_then(|(plan, is_shared)| {
                        claim.pipelines = pipelines_of(&plan);
                        if is_shared {
                            for (_, constants) in &mut claim.pipelines {
                                *constants = constants.of_jobs().unwrap_or(*constants);
                            }
                        }
                        let is_wanted = self.is_wanted(&claim.pipelines);
                        let add = || Ok((asked.add_to(&mut batch, part)?, plan));
                        is_wanted.then(add).transpose()
                    });
                    match added {
                        Ok(None) => break,
                        Ok(Some((index, plan))) => {
                            claim.plan = plan.to_string();
                            claim.strategy = plan.strategy();
                            let words = &input.left[range.clone()];
                            claim.expected =
                                (subject.expect)(&subject, question.precision, words, &[], 0);
                            claims.push((index, claim));
                            break;
                        }
                        Err(PrepareError::Avoided { .. } | PrepareError::NoSubgroups) => {}
                        Err(error) => {
                            self.refused(claim, &error);
                            break;
                        }
                    }
                }
            }
            if claims.is_empty() {
                continue;
            }
            match batch.reduce().await {
                Ok(results) => {
                    for (index, claim) in claims {
                        let words = results.words().iter().skip(index as usize).copied();
                        let found = words.take(claim.expected.len()).collect();
                        self.tally.compare(claim, Ok(found));
                    }
                }
                Err(error) => self.failed(claims.into_iter().map(|(_, claim)| claim), &error),
            }
        }
    }
}
