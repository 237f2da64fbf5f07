//! What must hold of the `.npy` reader for any bytes: what it accepts is what the format says, element by
//! element, and headers in NumPy's own form are accepted exactly if they should be. A test and a fuzz
//! target (fuzz/) share this.

use crate::{
    dtype::Dtype,
    npy::{Elements, Header, NpyError},
};

/// Panics if the reader is wrong about `file`.
pub fn check(file: &[u8]) {
    let mut rest = file;
    let header = Header::read(&mut rest);
    assert!(header.as_ref().err().is_none_or(|error| !error.to_string().is_empty()));

    if let Some((text, elements)) = parts(file) {
        match (canonical(text), &header) {
            (None, _) => {}
            (Some(Some((dtype, is_big_endian, len))), Ok(header)) => {
                let found = (header.dtype.name, header.is_big_endian, header.len);
                assert_eq!(found, (dtype, is_big_endian, len));
            }
            (Some(None), Err(_)) => {}
            (Some(expected), header) => panic!("{expected:?} expected, {header:?} found"),
        }
        if let Ok(header) = &header {
            assert_eq!(rest, elements, "the header is read, and nothing after it");
            assert_eq!(header.bytes, (file.len() - elements.len()) as u64);
            let text = String::from_utf8_lossy(text);
            let says = |word: &str| {
                let name = word.trim_start_matches(['<', '>', '=', '|']);
                Dtype::of_header(name).is_some_and(|dtype| dtype.name == header.dtype.name)
            };
            assert!(text.split(['\'', '"']).any(says) || text.contains("V2"));
        }
    } else {
        assert!(header.is_err(), "there is no whole header");
    }

    let Ok(header) = header else { return };
    // In parts of any length, with the file's size known or not.
    for (part, file_bytes) in [(1, None), (3, Some(0)), (1000, Some(file.len() as u64))] {
        for is_wide in [false, true] {
            check_elements(rest, &header, part, file_bytes, is_wide);
        }
    }
}

/// The elements that there are, in parts of so many.
fn check_elements(
    bytes: &[u8],
    header: &Header,
    part: u64,
    file_bytes: Option<u64>,
    is_wide: bool,
) {
    let dtype = header.dtype;
    let target = if is_wide { &dtype.wide } else { &dtype.own };
    let element_bytes = target.element.size_bytes();
    let mut elements = Elements::new(bytes, header.clone(), file_bytes);
    let there = header.len.min(bytes.len() as u64 / dtype.bytes);
    let mut begin = 0;
    while begin < header.len {
        let count = part.min(header.len - begin);
        // Words, so that they lie where any element can.
        let mut words = vec![0u64; usize::try_from(count).expect("a part")];
        let filled: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let filled = &mut filled[..usize::try_from(count * element_bytes).expect("a part")];
        match elements.fill(target, filled) {
            Ok(read) => assert_eq!(read, count * dtype.bytes),
            Err(NpyError::DataEnds { found, expected } | NpyError::Shrunk { found, expected }) => {
                assert!(begin + count > there, "all of {count} from {begin} on are there");
                let all = header.len.checked_mul(dtype.bytes).expect("less than memory has");
                assert_eq!((found, expected), (bytes.len() as u64, all));
                return;
            }
            Err(error) => panic!("{error}"),
        }
        assert!(begin + count <= there, "{count} from {begin} on are not all there");
        for (number, found) in
            (begin..).zip(filled.chunks(usize::try_from(element_bytes).expect("few")))
        {
            let size = usize::try_from(dtype.bytes).expect("few");
            let at = usize::try_from(number).expect("in memory") * size;
            let wanted = element(dtype, header.is_big_endian, &bytes[at..at + size], found.len());
            assert_eq!(found, wanted, "element {number} of {}", dtype.name);
        }
        begin += count;
    }
}

/// An element's bytes on this machine, of so many, by its values' definition.
fn element(dtype: &Dtype, is_big_endian: bool, bytes: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if is_big_endian {
        bytes.reverse();
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(&bytes);
    let word = u64::from_le_bytes(word);
    let word = match dtype.name {
        "bool" => u64::from(word != 0),
        "bfloat16" => word << 16,
        "float16" => {
            // The sign; a NaN or infinity; a fraction of 2^-24 or a significand with its exponent.
            let (fraction, exponent) = (word & 0x3ff, word >> 10 & 31);
            let sign = word >> 15 << 31;
            if exponent == 31 {
                sign | 0x7f80_0000 | fraction << 13
            } else {
                let significand = if exponent == 0 { fraction } else { fraction | 1 << 10 };
                let quantum = 2f64.powi(i32::try_from(exponent.max(1)).expect("small") - 25);
                #[expect(clippy::cast_possible_truncation, reason = "an f32 has this value")]
                let value = (significand as f64 * quantum) as f32;
                sign | u64::from(value.to_bits())
            }
        }
        name if name.starts_with("int") => {
            let unused = 64 - 8 * bytes.len();
            ((word << unused).cast_signed() >> unused).cast_unsigned()
        }
        _ => word,
    };
    let word = word.to_le_bytes();
    if cfg!(target_endian = "little") {
        word[..size].to_vec()
    } else {
        word[..size].iter().rev().copied().collect()
    }
}

/// A file's header text and what follows, by the format's documentation.
fn parts(file: &[u8]) -> Option<(&[u8], &[u8])> {
    let (start, len_bytes) = match file.strip_prefix(b"\x93NUMPY")? {
        [1, 0, ..] => (8, 2),
        [2 | 3, 0, ..] => (8, 4),
        _ => return None,
    };
    let mut len = [0; 4];
    len[..len_bytes].copy_from_slice(file.get(start..start + len_bytes)?);
    let text_start = start + len_bytes;
    let len = usize::try_from(u32::from_le_bytes(len)).ok()?;
    let text = file.get(text_start..text_start.checked_add(len)?)?;
    Some((text, &file[text_start + len..]))
}

/// For a header that NumPy itself could have written, of any length that the reader takes: the type and
/// the number of elements, or `None` for what can't be reduced.
fn canonical(text: &[u8]) -> Option<Option<(&'static str, bool, u64)>> {
    if text.len() > 10_000 {
        return None;
    }
    let text = str::from_utf8(text).ok()?;
    let text = text.trim_end_matches([' ', '\n']).strip_prefix("{'descr': '")?;
    let (descr, text) = text.split_once("', 'fortran_order': ")?;
    let (is_fortran, text) = text.split_once(", 'shape': (")?;
    let (sizes, end) = text.split_once(')')?;
    let is_descr = descr.chars().all(|c| c.is_ascii_alphanumeric() || "<>|".contains(c));
    if !is_descr || !["True", "False"].contains(&is_fortran) || end != ", }" {
        return None;
    }
    let mut shape = Vec::new();
    if !sizes.is_empty() {
        // Tuples of one have a comma at the end.
        let list = sizes.strip_suffix(',').filter(|list| !list.contains(',')).unwrap_or(sizes);
        if list == sizes && !list.contains(',') {
            return None;
        }
        for size in list.split(", ") {
            let is_plain = size.bytes().all(|digit| digit.is_ascii_digit())
                && (size == "0" || !size.starts_with('0'));
            if size.is_empty() || !is_plain {
                return None;
            }
            // What does not even fit 128 bits is too long in any case, unless another size is 0.
            shape.push(size.parse::<u128>().unwrap_or(u128::MAX));
        }
    }
    let (order, code) = descr.split_at_checked(1)?;
    let name = match code {
        "f2" => "float16",
        "f4" => "float32",
        "f8" => "float64",
        "V2" => "bfloat16",
        "i1" => "int8",
        "i2" => "int16",
        "i4" => "int32",
        "i8" => "int64",
        "u1" => "uint8",
        "u2" => "uint16",
        "u4" => "uint32",
        "u8" => "uint64",
        "b1" => "bool",
        // NumPy takes other names, but writes none of them.
        _ if code.len() < 2 || !code[1..].bytes().all(|digit| digit.is_ascii_digit()) => {
            return None;
        }
        _ => return Some(None),
    };
    let is_byte = code.ends_with('1');
    let is_big_endian = match order {
        _ if name == "bfloat16" => false,
        "<" => false,
        ">" => !is_byte,
        "|" if is_byte => false,
        _ => return None,
    };
    let len = if shape.contains(&0) {
        0
    } else {
        shape.iter().fold(1u128, |len, &size| len.saturating_mul(size))
    };
    // Memory has less than 2^63 bytes.
    let bytes: u64 = code[1..].parse().expect("a digit");
    let max_len = (1 << 63) / bytes;
    Some(u64::try_from(len).ok().filter(|&len| len < max_len).map(|len| (name, is_big_endian, len)))
}
