//! Counters of any width that are packed in words, as an operator.

use crate::{custom::operator::CustomOperator, error::WgslError, wgsl::program::Words};
use std::fmt::Write;

impl<const N: usize> CustomOperator<u32, [u32; N]>
where
    [u32; N]: bytemuck::Pod,
{
    /// The sums of counters that are packed in words: each word has `N` counters of `bits` bits, the first one in the lowest bits. Bits above the
    /// last one count for nothing. All are counted in one read, each modulo 2^32. It has a twin for the CPU.
    ///
    /// ```
    /// use gridfold::{CustomOperator, Executor};
    ///
    /// // Five counters of six bits.
    /// let counters = CustomOperator::<u32, [u32; 5]>::packed_counters(6)?;
    /// let pack = |counters: [u32; 5]| counters.iter().rev().fold(0, |word, counter| word << 6 | counter);
    /// let words = [pack([1, 0, 63, 7, 2]), pack([1, 5, 63, 0, 0])];
    /// assert_eq!(Executor::auto().reduce(&words, counters)?.value, [2, 5, 126, 7, 2]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`WgslError::Counters`] if there are none, or more than 16, or if they have no bits, or more than a word has.
    pub fn packed_counters(bits: u32) -> Result<Self, WgslError> {
        let all = u32::try_from(N).ok().and_then(|count| count.checked_mul(bits));
        let fits = all.is_some_and(|all| (1..=u32::BITS).contains(&all));
        if !fits || N > Words::MAX as usize {
            return Err(WgslError::Counters { count: N, bits });
        }
        let mask = u32::MAX >> (u32::BITS - bits);
        let counters = move |word: u32| {
            let mut shift = 0;
            [(); N].map(|()| {
                let counter = word >> shift & mask;
                // Behind the last one it is not looked at.
                shift += bits;
                counter
            })
        };
        let sum = |a: [u32; N], b: [u32; N]| std::array::from_fn(|i| a[i].wrapping_add(b[i]));
        let operator = Self::commutative(&text(N, bits, mask))?;
        Ok(operator.with_twin([0; N], counters, sum, |total| total))
    }
}

/// The operator in WGSL.
fn text(count: usize, bits: u32, mask: u32) -> String {
    let list = |of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().join(", ");
    let members = list(&|i| format!("c{i}: u32"));
    let zeros = list(&|_| "0u".to_owned());
    let lifted = list(&|i| format!("(word >> {}u) & {mask}u", i * bits as usize));
    let sums = list(&|i| format!("a.c{i} + b.c{i}"));
    let mut text = format!("struct Counters {{ {members} }}\n");
    // A string takes all that is written.
    _ = write!(
        text,
        "fn identity() -> Counters {{ return Counters({zeros}); }}
fn lift(word: u32) -> Counters {{ return Counters({lifted}); }}
fn combine(a: Counters, b: Counters) -> Counters {{ return Counters({sums}); }}
"
    );
    text
}
