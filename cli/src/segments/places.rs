//! Where segments are: the elements of a file in such an order that one segment follows the other, and where each ends.

use crate::{
    args::ReduceArguments,
    arrays::Shape,
    chunks::{CHUNK, Chunks},
    dtype::Dtype,
    error::Error,
    files::{Opened, Repeated},
    memory::{extend, grow, reserve, zeros},
    npy::{Elements, Header},
    order::reordered,
    progress::Progress,
    select::{Mask, each_run},
};
use gridfold::{ElementType, Executor, PrepareError, SegmentError};
use std::{
    io::{Cursor, Read},
    path::Path,
};

/// Segments, and what is known of their results.
pub(super) struct Segmented {
    /// The elements of one segment after the other.
    pub(super) file: Opened,
    pub(super) ends: Ends,
    pub(super) shape: Shape,
    /// In words.
    pub(super) which: &'static str,
    pub(super) keys: Option<Keys>,
}

/// Where segments end, and the next ones begin.
pub(super) enum Ends {
    /// So many segments of so many elements.
    Rows(u64, u64),
    /// Between offsets.
    Offsets(Vec<u32>),
    /// The same, of which there may be more than have 32 bits.
    Groups(Vec<u64>),
}

impl Ends {
    /// How many segments there are.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Rows(count, _) => *count,
            Self::Offsets(offsets) => offsets.len().saturating_sub(1) as u64,
            Self::Groups(ends) => ends.len().saturating_sub(1) as u64,
        }
    }

    /// Where the segment of that number begins, or the last one ends.
    pub(super) fn at(&self, segment: u64) -> u64 {
        let index = || usize::try_from(segment).expect("it is in memory");
        match self {
            Self::Rows(_, len) => segment * len,
            Self::Offsets(offsets) => offsets[index()].into(),
            Self::Groups(ends) => ends[index()],
        }
    }
}

/// A key for each segment, as numbers in this machine's order of bytes.
pub(super) struct Keys {
    pub(super) bytes: Vec<u8>,
    pub(super) element: ElementType,
}

/// The segments of a file that arguments ask for. `beside` says where they are, but for axes.
pub(super) fn segmented(
    arguments: &ReduceArguments,
    file: Opened,
    beside: Option<Opened>,
    executor: &Executor,
) -> Result<Segmented, Error> {
    let ReduceArguments { axis, segments, lengths, flags, by, .. } = arguments;
    let len = file.header().len;
    let Some(beside) = beside else {
        return along(axis.as_deref().unwrap_or_default(), arguments.keepdims, file);
    };
    if let Some(path) = by {
        return by_key(file, beside, path);
    }
    let (mut keys, name) = (None, beside.name.clone());
    let too_many = |what| Error::TooManyForSegments { file: name.clone(), what };
    let (offsets, which) = if segments.is_some() {
        let offsets = small_numbers(beside, "offset", 0)?;
        if offsets.is_empty() {
            return Err(Error::NoOffset { file: name });
        }
        check_rising(&offsets, len)
            .map_err(|source| Error::Segments { file: name.clone(), source })?;
        (offsets, "between offsets")
    } else if lengths.is_some() {
        let mut offsets = small_numbers(beside, "length", 1)?;
        add_up(&mut offsets).map_err(|(index, number)| {
            let what = "the end of segment";
            Error::OffsetOutOfRange { file: name.clone(), what, index, number }
        })?;
        let sum = offsets.last().map_or(0, |&end| end.into());
        if sum != len {
            let other_file = file.name;
            return Err(Error::Lengths { file: name, sum, other_file, len });
        }
        (offsets, "in segments of these lengths")
    } else if flags.is_some() {
        (flagged(executor, beside, len)?.ok_or_else(|| too_many("flags"))?, "from flag to flag")
    } else {
        let (offsets, found) = runs(executor, beside)?;
        keys = Some(found);
        (offsets.ok_or_else(|| too_many("keys"))?, "by run of equal keys")
    };
    let ends = Ends::Offsets(offsets);
    Ok(Segmented { shape: Shape::of_len(ends.count()), file, ends, which, keys })
}

/// Offsets or lengths of any integers, behind so many zeros.
fn small_numbers(file: Opened, what: &'static str, zeros: usize) -> Result<Vec<u32>, Error> {
    let Header { dtype, .. } = *file.header();
    if dtype.has_nans() || dtype.name == "bool" {
        return Err(Error::Offsets { file: file.name, what, dtype: dtype.name });
    }
    let mut small = vec![0; zeros];
    let mut chunks = Chunks::new(file, Some(&dtype.wide), CHUNK)?;
    while chunks.next()? {
        grow(&mut small, chunks.len(), "where segments are")?;
        for &word in bytemuck::cast_slice::<u8, u64>(chunks.bytes()) {
            let number =
                if dtype.is_signed() { word.cast_signed().into() } else { i128::from(word) };
            let out_of_range = |_| {
                let (file, index) = (chunks.file.name.clone(), small.len() - zeros);
                Error::OffsetOutOfRange { file, what, index, number }
            };
            small.push(u32::try_from(number).map_err(out_of_range)?);
        }
    }
    Ok(small)
}

/// Refuses offsets that fall, or lie behind the elements.
fn check_rising(offsets: &[u32], most: u64) -> Result<(), SegmentError> {
    let mut least = 0;
    for (index, &offset) in (0..).zip(offsets) {
        let offset = offset.into();
        if !(least..=most).contains(&offset) {
            return Err(SegmentError::Offset { index, offset, least, most });
        }
        least = offset;
    }
    Ok(())
}

/// Makes offsets of lengths behind a zero. Or, if one has more than 32 bits, tells the segment that ends there, and the offset.
fn add_up(numbers: &mut [u32]) -> Result<(), (usize, i128)> {
    let mut end = 0;
    for (index, number) in numbers.iter_mut().enumerate() {
        let next = u64::from(end) + u64::from(*number);
        end = u32::try_from(next).map_err(|_| (index - 1, next.into()))?;
        *number = end;
    }
    Ok(())
}

/// Where flags are set, and where they end. `None` if one of these has more than 32 bits.
fn flagged(executor: &Executor, file: Opened, len: u64) -> Result<Option<Vec<u32>>, Error> {
    let Ok(end) = u32::try_from(len) else { return Ok(None) };
    let (mut offsets, mut mask, mut begin) = (Vec::new(), Mask::new(file)?, 0);
    while begin < end {
        let flags = mask.next()?;
        let places = executor.positions(flags)?;
        grow(&mut offsets, places.len() + 1, "where segments are")?;
        let small = |number| u32::try_from(number).expect("before the end");
        offsets.extend(places.into_iter().map(|place| begin + small(place)));
        begin += small(flags.len() as u64);
    }
    offsets.push(end);
    Ok(Some(offsets))
}

/// Where runs of equal keys begin, and where they end, unless one of these has more than 32 bits; and the keys.
fn runs(executor: &Executor, file: Opened) -> Result<(Option<Vec<u32>>, Keys), Error> {
    let target = &file.header().dtype.own;
    let (mut offsets, mut bytes) = (vec![0u32], Vec::new());
    let (mut end, mut are_small) = (0u64, true);
    let mut chunks = Chunks::new(file, Some(target), CHUNK)?;
    let each = if target.element.size_bytes() == 4 { each_run::<u32> } else { each_run::<u64> };
    each(executor, &mut chunks, &mut |keys, lengths| {
        extend(&mut bytes, keys, "keys")?;
        grow(&mut offsets, lengths.len(), "where segments are")?;
        for length in lengths {
            end += length;
            let small = u32::try_from(end);
            are_small &= small.is_ok();
            offsets.push(small.unwrap_or(u32::MAX));
        }
        Ok(())
    })?;
    Ok((are_small.then_some(offsets), Keys { bytes, element: target.element }))
}

/// What puts signed numbers in the order of others.
const SIGN: u64 = 1 << 63;

/// A segment for each key, in the order of keys, which are the numbers of the file `path`, opened.
fn by_key(file: Opened, keys: Opened, path: &Path) -> Result<Segmented, Error> {
    let Header { dtype, .. } = *keys.header();
    let name = keys.name.clone();
    if dtype.has_nans() {
        return Err(Error::Keys { file: name, dtype: dtype.name });
    }
    let sign = if dtype.is_signed() { SIGN } else { 0 };
    let kept_bytes = if keys.is_read_once { keys.header().data_bytes() } else { 0 };
    let keys = Repeated::new(keys, path, false, &mut Progress::new(kept_bytes))?;
    let again = || Chunks::new(keys.open()?, Some(&dtype.wide), CHUNK);
    let unique = unique_keys(again()?, sign)?;
    let too_many = |_| Error::TooManyForSegments { file: name.clone(), what: "different keys" };
    u32::try_from(unique.len()).map_err(too_many)?;
    let changed = || Error::Changed { file: name.clone() };
    let number = |word: &u64| unique.binary_search(&(word ^ sign)).map_err(|_| changed());
    let mut ends = zeros::<u64>(unique.len() + 1, "where groups are")?;
    let mut chunks = again()?;
    while chunks.next()? {
        for word in bytemuck::cast_slice(chunks.bytes()) {
            ends[number(word)? + 1] += 1;
        }
    }
    for group in 0..unique.len() {
        ends[group + 1] += ends[group];
    }
    let mut chunks = again()?;
    let file = in_groups(file, &ends, &mut |numbers| {
        chunks.next()?;
        for word in bytemuck::cast_slice(chunks.bytes()) {
            numbers.push(u32::try_from(number(word)?).expect("it was looked at"));
        }
        Ok(())
    })?
    .ok_or_else(changed)?;
    let keys = Keys { bytes: keys_of(dtype, &unique, sign)?, element: dtype.own.element };
    let shape = Shape::of_len(unique.len() as u64);
    Ok(Segmented { file, ends: Ends::Groups(ends), shape, which: "by key", keys: Some(keys) })
}

/// The different keys, the least one first.
fn unique_keys(mut chunks: Chunks, sign: u64) -> Result<Vec<u64>, Error> {
    let (mut unique, mut new) = (Vec::new(), Vec::new());
    let mut last = None;
    while chunks.next()? {
        grow(&mut new, chunks.len(), "keys")?;
        for word in bytemuck::cast_slice::<u8, u64>(chunks.bytes()) {
            let key = word ^ sign;
            if last != Some(key) && unique.binary_search(&key).is_err() {
                new.push(key);
            }
            last = Some(key);
        }
        // As seldom as there is room for.
        if new.len() >= CHUNK.max(unique.len()) {
            merge(&mut unique, &mut new)?;
        }
    }
    merge(&mut unique, &mut new)?;
    Ok(unique)
}

/// Adds new keys to those that are there, which stay in their order.
fn merge(unique: &mut Vec<u64>, new: &mut Vec<u64>) -> Result<(), Error> {
    new.sort_unstable();
    new.dedup();
    let mut left = unique.len();
    extend(unique, new, "keys")?;
    for place in (0..unique.len()).rev() {
        match new.last() {
            None => break,
            Some(&key) if left == 0 || unique[left - 1] < key => {
                unique[place] = key;
                new.pop();
            }
            Some(_) => {
                left -= 1;
                unique[place] = unique[left];
            }
        }
    }
    Ok(())
}

/// Keys as they were.
fn keys_of(dtype: &Dtype, unique: &[u64], sign: u64) -> Result<Vec<u8>, Error> {
    let size = usize::try_from(dtype.own.element.size_bytes()).expect("a few");
    let mut bytes = Vec::new();
    reserve(&mut bytes, unique.len() * size, "keys")?;
    for key in unique {
        let low = (key ^ sign).to_le_bytes();
        let number =
            if size == 4 { u32::from_le_bytes([low[0], low[1], low[2], low[3]]) } else { 0 };
        match size {
            4 => bytes.extend(number.to_ne_bytes()),
            _ => bytes.extend((key ^ sign).to_ne_bytes()),
        }
    }
    Ok(bytes)
}

/// Adds the numbers of the groups of the next chunk's elements. Some may be of no group.
pub(super) type NextNumbers<'a> = &'a mut dyn FnMut(&mut Vec<u32>) -> Result<(), Error>;

/// The elements of a file by groups, each of which ends where the next one begins, and has them in their order. `None` if numbers of groups are not as many as
/// ends say.
pub(super) fn in_groups(
    file: Opened,
    ends: &[u64],
    next_numbers: NextNumbers<'_>,
) -> Result<Option<Opened>, Error> {
    let (name, header) = (file.name.clone(), file.header().clone());
    let index = |number: u64| usize::try_from(number).expect("it is in memory");
    let (len, size) = (*ends.last().unwrap_or(&0), index(header.dtype.bytes));
    let mut sorted = zeros::<u8>(index(len) * size, "the elements of groups")?;
    let mut next = Vec::new();
    extend(&mut next, ends, "where groups are")?;
    let mut numbers = Vec::new();
    reserve(&mut numbers, index(header.len.min(CHUNK as u64)), "numbers of groups")?;
    let mut chunks = Chunks::new(file, None, CHUNK)?;
    while chunks.next()? {
        numbers.clear();
        next_numbers(&mut numbers)?;
        for (&number, element) in numbers.iter().zip(chunks.bytes().chunks_exact(size)) {
            let group = number as usize;
            let Some(end) = ends.get(group.saturating_add(1)) else { continue };
            if next[group] == *end {
                return Ok(None);
            }
            sorted[index(next[group]) * size..][..size].copy_from_slice(element);
            next[group] += 1;
        }
    }
    let header = Header { len, is_fortran: false, fortran_shape: None, ..header };
    let reader: Box<dyn Read> = Box::new(Cursor::new(sorted));
    Ok(Some(Opened { name, elements: Elements::new(reader, header, None), is_read_once: true }))
}

/// Along axes of a file.
fn along(given: &[i64], keepdims: bool, file: Opened) -> Result<Segmented, Error> {
    let Header { sizes, is_fortran, len, .. } = file.header().clone();
    let rank = sizes.len();
    let mut is_reduced = vec![false; rank];
    for &given in given {
        let found = if given < 0 { given + i64::try_from(rank).expect("few") } else { given };
        let found = usize::try_from(found).ok().filter(|&axis| axis < rank);
        let axis =
            found.ok_or_else(|| Error::Axis { file: file.name.clone(), axis: given, rank })?;
        if is_reduced[axis] {
            return Err(Error::AxisTwice { axis: given });
        }
        is_reduced[axis] = true;
    }
    let which = if given.len() == 1 { "along an axis" } else { "along axes" };
    let axes = || sizes.iter().copied().zip(is_reduced.iter().copied());
    let rest = axes().filter(|&(_, is_reduced)| keepdims || !is_reduced);
    let rest = rest.map(|(size, is_reduced)| if is_reduced { 1 } else { size }).collect();
    let shape = Shape { sizes: rest, is_fortran };
    let items = axes().filter(|(_, is_reduced)| *is_reduced);
    let items = items.fold(1u64, |items, (size, _)| items.saturating_mul(size));
    let mut others = axes().filter(|(_, is_reduced)| !is_reduced);
    let count = others.try_fold(1u64, |count, (size, _)| count.checked_mul(size));
    let no_shape = || SegmentError::Shape { len, shape: sizes.clone() };
    let count = count.ok_or_else(|| gridfold::Error::from(PrepareError::from(no_shape())))?;
    let ends = Ends::Rows(count, items);
    // As they are in memory: the last one varies fastest.
    let mut axes: Vec<_> = axes().filter(|(size, _)| *size != 1).collect();
    if is_fortran {
        axes.reverse();
    }
    let is_in_order = axes.is_sorted_by_key(|&(_, is_reduced)| is_reduced);
    let file = if is_in_order || len == 0 { file } else { apart(file, &axes)? };
    Ok(Segmented { file, ends, shape, which, keys: None })
}

/// A file whose axes that are reduced come behind the others.
fn apart(file: Opened, axes: &[(u64, bool)]) -> Result<Opened, Error> {
    let mut stride = 1;
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    for &(size, is_reduced) in axes.iter().rev() {
        let size = usize::try_from(size).expect("it is in memory");
        if is_reduced { &mut inner } else { &mut outer }.push((size, stride));
        stride *= size;
    }
    outer.reverse();
    inner.reverse();
    reordered(file, &outer, inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_merged() {
        let merged = |unique: &[u64], new: &[u64]| {
            let (mut unique, mut new) = (unique.to_vec(), new.to_vec());
            merge(&mut unique, &mut new).expect("there is memory");
            unique
        };
        assert_eq!(merged(&[], &[7, 1, 7]), [1, 7]);
        assert_eq!(merged(&[2, 5], &[9, 3, 1, 3]), [1, 2, 3, 5, 9]);
        assert_eq!(merged(&[2, 5], &[]), [2, 5]);
    }
}
