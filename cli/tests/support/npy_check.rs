//! What must hold of the `.npy` reader for any bytes: what it accepts is what the format says, element by
//! element, and headers in NumPy's own form are accepted exactly if they should be. A test and a fuzz
//! target (fuzz/) share this.

use crate::npy::{Header, NpyError, read_words};

/// Panics if the reader is wrong about `file`.
pub fn check(file: &[u8]) {
    let mut rest = file;
    let header = Header::read(&mut rest);
    assert!(header.as_ref().err().is_none_or(|error| !error.to_string().is_empty()));

    if let Some((text, elements)) = parts(file) {
        match (canonical(text), &header) {
            (None, _) => {}
            (Some(Some((dtype, len))), Ok(header)) => {
                assert_eq!((header.dtype.name, header.len), (dtype, len));
            }
            (Some(None), Err(_)) => {}
            (Some(expected), header) => panic!("{expected:?} expected, {header:?} found"),
        }
        if header.is_ok() {
            assert_eq!(rest, elements, "the header is read, and nothing after it");
            let text = String::from_utf8_lossy(text);
            assert!(
                ["<f4", "<i4", "<u4", "<i8", "<u8", "i1", "u1"]
                    .iter()
                    .any(|descr| text.contains(descr))
            );
        }
    } else {
        assert!(header.is_err(), "there is no whole header");
    }

    let Ok(header) = header else { return };
    let len = header.len;
    // Elements of a byte become words of the same value, wider ones words as they are.
    let (element_bytes, unit_bytes, word_of): (_, _, fn(&[u8]) -> u32) = match header.dtype.name {
        "int8" => (1, 1, |bytes| i32::from(bytes[0].cast_signed()).cast_unsigned()),
        "uint8" => (1, 1, |bytes| bytes[0].into()),
        name => (if name.ends_with("64") { 8 } else { 4 }, 4, |bytes| {
            u32::from_le_bytes(bytes.try_into().expect("four bytes"))
        }),
    };
    // The size of the file is a hint about memory, and nothing else.
    for file_bytes in [None, Some(0), Some(file.len() as u64)] {
        let expected_bytes =
            usize::try_from(len).ok().and_then(|len| len.checked_mul(element_bytes));
        let found = read_words(&mut &*rest, &header, file_bytes);
        match (expected_bytes.and_then(|bytes| rest.get(..bytes)), found) {
            (Some(bytes), Ok(words)) => {
                assert!(words.into_iter().eq(bytes.chunks(unit_bytes).map(word_of)));
            }
            (None, Err(NpyError::DataEnds { found, expected })) => {
                assert_eq!((found, expected), (rest.len() as u64, len * element_bytes as u64));
            }
            (_, found) => panic!("{found:?} of {len} elements, {} bytes are there", rest.len()),
        }
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
fn canonical(text: &[u8]) -> Option<Option<(&'static str, u64)>> {
    if text.len() > 10_000 {
        return None;
    }
    let text = str::from_utf8(text).ok()?;
    let text = text.trim_end_matches([' ', '\n']).strip_prefix("{'descr': '")?;
    let (descr, text) = text.split_once("', 'fortran_order': ")?;
    let (order, text) = text.split_once(", 'shape': (")?;
    let (sizes, end) = text.split_once(')')?;
    let is_descr = descr.chars().all(|c| c.is_ascii_alphanumeric() || "<>|".contains(c));
    if !is_descr || !["True", "False"].contains(&order) || end != ", }" {
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
    let dtype = match descr {
        "<f4" => "float32",
        "<i4" => "int32",
        "<u4" => "uint32",
        "<i8" => "int64",
        "<u8" => "uint64",
        "|i1" | "<i1" => "int8",
        "|u1" | "<u1" => "uint8",
        _ => return Some(None),
    };
    let len = if shape.contains(&0) {
        0
    } else {
        shape.iter().fold(1u128, |len, &size| len.saturating_mul(size))
    };
    // Memory has less than 2^63 bytes.
    let max_len = if dtype.ends_with("64") { 1 << 60 } else { 1 << 61 };
    Some(u64::try_from(len).ok().filter(|&len| len < max_len).map(|len| (dtype, len)))
}
