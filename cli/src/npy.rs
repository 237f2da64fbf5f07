//! `.npy` files as NumPy writes them, read with nothing taken on trust: a header may claim any size.

use gridfold::ElementType;
use py_literal::Value;
use std::{
    collections::TryReserveError,
    io::{self, ErrorKind, Read},
};

/// An element type, as NumPy names it.
#[derive(Debug)]
pub struct Dtype {
    /// What the elements become: narrower ones are widened.
    pub element: ElementType,
    /// In headers.
    descr: &'static str,
    /// Bytes of an element in the file.
    bytes: u64,
    /// In programs.
    pub name: &'static str,
}

const DTYPES: [Dtype; 7] = [
    Dtype { element: ElementType::F32, descr: "<f4", bytes: 4, name: "float32" },
    Dtype { element: ElementType::I32, descr: "<i4", bytes: 4, name: "int32" },
    Dtype { element: ElementType::U32, descr: "<u4", bytes: 4, name: "uint32" },
    Dtype { element: ElementType::I64, descr: "<i8", bytes: 8, name: "int64" },
    Dtype { element: ElementType::U64, descr: "<u8", bytes: 8, name: "uint64" },
    Dtype { element: ElementType::I32, descr: "|i1", bytes: 1, name: "int8" },
    Dtype { element: ElementType::U32, descr: "|u1", bytes: 1, name: "uint8" },
];

const WORD_BYTES: u64 = 4;
/// Bytes of a header at most. NumPy refuses to read longer ones too, unless told to.
const MAX_HEADER_BYTES: usize = 10_000;
/// The parser recurses, and its time grows exponentially with the depth of brackets. Structured arrays
/// have a depth of 4, arrays of numbers 2.
const MAX_BRACKETS: usize = 4;
/// Words read at once, where it is not known that there are more.
const CHUNK_WORDS: usize = 1 << 18;

/// What is wrong with an `.npy` file.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    #[error("it can't be read ({0}): check the disk or the pipe that it comes from")]
    Read(#[from] io::Error),
    #[error("it does not begin like an .npy file: write it with numpy.save")]
    NoMagic,
    #[error("its format version {0}.{1} is not among 1.0, 2.0 and 3.0: write it with numpy.save")]
    Version(u8, u8),
    #[error("it ends within its header: copy or write it again")]
    HeaderEnds,
    #[error(
        "its header claims {bytes} bytes, more than the {MAX_HEADER_BYTES} that an array of numbers \
         can need: write it with numpy.save"
    )]
    HeaderLength { bytes: u64 },
    #[error("its header is malformed ({0}): write it with numpy.save")]
    Header(String),
    #[error(
        "its elements are {found}, not little-endian float32, int32, uint32, int64 or uint64, nor int8 or \
         uint8: {advice}, and write it again"
    )]
    Elements { found: String, advice: &'static str },
    #[error("its shape has more elements than memory can have: write the array again")]
    Shape,
    #[error("it ends after {found} of {expected} bytes of elements: copy or write it again")]
    DataEnds { found: u64, expected: u64 },
    #[error("there is no memory for its {bytes} bytes of elements: reduce parts of the array")]
    Memory { bytes: u64, source: TryReserveError },
}

/// What a header says.
#[derive(Clone, Debug)]
pub struct Header {
    pub dtype: &'static Dtype,
    /// Elements of all dimensions together.
    pub len: u64,
    /// The sizes larger than 1, where the file's order is not the array's: Fortran's order, in several dimensions.
    pub fortran_shape: Option<Vec<u64>>,
}

impl Header {
    /// Reads the header, and nothing after it.
    pub fn read(reader: &mut dyn Read) -> Result<Self, NpyError> {
        let magic: [u8; 6] = read_array(reader).map_err(|error| match error {
            NpyError::HeaderEnds => NpyError::NoMagic,
            error => error,
        })?;
        if &magic != b"\x93NUMPY" {
            return Err(NpyError::NoMagic);
        }
        let [major, minor] = read_array(reader)?;
        let claimed = match (major, minor) {
            (1, 0) => u16::from_le_bytes(read_array(reader)?).into(),
            (2 | 3, 0) => u32::from_le_bytes(read_array(reader)?).into(),
            _ => return Err(NpyError::Version(major, minor)),
        };
        let bytes = usize::try_from(claimed)
            .ok()
            .filter(|&bytes| bytes <= MAX_HEADER_BYTES)
            .ok_or(NpyError::HeaderLength { bytes: claimed })?;
        let mut text = vec![0; bytes];
        read_exact(reader, &mut text)?;
        let text = if major == 3 {
            String::from_utf8(text).map_err(|error| malformed(error.utf8_error()))?
        } else {
            // Latin-1.
            text.into_iter().map(char::from).collect()
        };
        Self::parse(text.trim())
    }

    fn parse(text: &str) -> Result<Self, NpyError> {
        if text.contains('\\') || max_brackets(text) > MAX_BRACKETS {
            return Err(malformed("an array of numbers needs no escapes or deep brackets"));
        }
        let no_dictionary = || malformed("it is not a Python dictionary");
        let Value::Dict(entries) = text.parse().map_err(|_| no_dictionary())? else {
            return Err(no_dictionary());
        };
        let entry = |name: &str| {
            let is_named = |key: &Value| matches!(key, Value::String(key) if key == name);
            let value = entries.iter().find(|(key, _)| is_named(key)).map(|(_, value)| value);
            value.ok_or_else(|| malformed(format_args!("it has no entry \"{name}\"")))
        };
        let (descr, order, shape) = (entry("descr")?, entry("fortran_order")?, entry("shape")?);
        let &Value::Boolean(is_fortran) = order else {
            return Err(malformed("its entries are not NumPy's"));
        };
        if entries.len() != 3 {
            return Err(malformed("its entries are not NumPy's"));
        }
        let dtype = dtype(descr)?;
        let sizes = sizes(shape)?;
        let len = len(&sizes, dtype.element)?;
        let long: Vec<u64> = sizes.into_iter().flatten().filter(|&size| size != 1).collect();
        Ok(Self {
            dtype,
            len,
            fortran_shape: Some(long).filter(|long| is_fortran && long.len() > 1),
        })
    }
}

fn malformed(what: impl ToString) -> NpyError {
    NpyError::Header(what.to_string())
}

/// How deeply brackets nest outside of strings, in text without escapes.
fn max_brackets(text: &str) -> usize {
    let mut quote = None;
    let mut depth = 0usize;
    let mut max_depth = 0;
    for character in text.chars() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        max_depth = max_depth.max(depth);
    }
    max_depth
}

fn dtype(descr: &Value) -> Result<&'static Dtype, NpyError> {
    let Value::String(descr) = descr else {
        let advice = "take one field of the array, such as array[\"x\"]";
        return Err(NpyError::Elements { found: "structured".to_owned(), advice });
    };
    // A single byte has no order, but some write one.
    let bytes = |dtype: &Dtype| dtype.descr.strip_prefix('|');
    let is_meant = |dtype: &&Dtype| {
        dtype.descr == descr || (dtype.bytes == 1 && descr.strip_prefix('<') == bytes(dtype))
    };
    DTYPES.iter().find(is_meant).ok_or_else(|| NpyError::Elements {
        found: if descr.ends_with('O') {
            "Python objects".to_owned()
        } else if descr.starts_with('>') {
            format!("big-endian ({:?})", shortened(descr))
        } else {
            format!("of type {:?}", shortened(descr))
        },
        advice: advice(descr),
    })
}

/// How to make of elements that are not among [`DTYPES`] some that are, with the same values if there is
/// a way.
fn advice(descr: &str) -> &'static str {
    // Byte order, kind, bytes of an element.
    let without_order = descr.trim_start_matches(['<', '>', '|', '=']);
    match without_order {
        "f2" | "f4" => "convert the array with array.astype(\"<f4\")",
        "f8" | "f12" | "f16" => "round the values with array.astype(\"<f4\")",
        "i2" | "i4" => "convert the array with array.astype(\"<i4\")",
        "i8" => "convert the array with array.astype(\"<i8\")",
        "b1" | "u2" | "u4" => "convert the array with array.astype(\"<u4\")",
        "u8" => "convert the array with array.astype(\"<u8\")",
        "c8" | "c16" | "c24" | "c32" => {
            "take array.real or array.imag, convert it with .astype(\"<f4\")"
        }
        _ => {
            "make numbers of them, for example with array.astype(\"<f4\") or array.astype(\"<i4\")"
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(16).collect()
}

/// `None` for a size beyond 64 bits.
fn sizes(shape: &Value) -> Result<Vec<Option<u64>>, NpyError> {
    let Value::Tuple(sizes) = shape else {
        return Err(malformed("its shape is not a tuple"));
    };
    let size = |size: &Value| {
        let Value::Integer(size) = size else {
            return Err(malformed("its shape is not made of integers"));
        };
        match u64::try_from(size) {
            Ok(size) => Ok(Some(size)),
            // BigInt prints its sign first.
            Err(_) if size.to_string().starts_with('-') => {
                Err(malformed("its shape has a negative size"))
            }
            Err(_) => Ok(None),
        }
    };
    sizes.iter().map(size).collect()
}

fn len(sizes: &[Option<u64>], element: ElementType) -> Result<u64, NpyError> {
    let mut len = 1u64;
    let mut is_empty = false;
    let mut is_too_long = false;
    for &size in sizes {
        is_empty |= size == Some(0);
        match size.and_then(|size| len.checked_mul(size)) {
            Some(product) => len = product,
            None => is_too_long = true,
        }
    }
    match len.checked_mul(element.size_bytes()) {
        _ if is_empty => Ok(0),
        Some(bytes) if !is_too_long && isize::try_from(bytes).is_ok() => Ok(len),
        _ => Err(NpyError::Shape),
    }
}

/// Reads a header's elements, as words in the byte order of this machine, of two the low one first. `file_bytes` is the size of the
/// file, if known. Whatever follows the elements is left alone, as NumPy does.
pub fn read_words(
    reader: &mut dyn Read,
    header: &Header,
    file_bytes: Option<u64>,
) -> Result<Vec<u32>, NpyError> {
    let &Header { dtype, len, .. } = header;
    let element_bytes = dtype.element.size_bytes();
    let no_memory = |source| NpyError::Memory { bytes: len * element_bytes, source };
    let in_memory = |words: u64| usize::try_from(words).map_err(|_| NpyError::Shape);
    let expected = len * dtype.bytes;
    let word_count = in_memory(len * (element_bytes / WORD_BYTES))?;
    // What becomes a word.
    let unit_bytes = dtype.bytes.min(WORD_BYTES);
    let at_hand = in_memory(file_bytes.unwrap_or(0) / unit_bytes)?;

    let mut words = Vec::new();
    words.try_reserve_exact(word_count.min(at_hand)).map_err(no_memory)?;
    while words.len() < word_count {
        let begin = words.len();
        let chunk = CHUNK_WORDS.min(word_count - begin);
        words.try_reserve(chunk).map_err(no_memory)?;
        words.resize(begin + chunk, 0u32);
        let chunk = &mut words[begin..];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(chunk);
        let chunk_bytes = if dtype.bytes == 1 { bytes.len() / 4 } else { bytes.len() };
        let found = read_up_to(reader, &mut bytes[..chunk_bytes])?;
        if found < chunk_bytes {
            let found = begin as u64 * unit_bytes + found as u64;
            return Err(NpyError::DataEnds { found, expected });
        }
        if dtype.bytes == 1 {
            widen(chunk, dtype.element);
        } else {
            chunk.iter_mut().for_each(|word| *word = u32::from_le(*word));
        }
    }
    Ok(words)
}

/// Makes words of the bytes that the first of them hold: from the last one on, so that none is lost before it is read.
fn widen(words: &mut [u32], element: ElementType) {
    for i in (0..words.len()).rev() {
        let byte = bytemuck::cast_slice::<u32, u8>(words)[i];
        words[i] = match element {
            ElementType::I32 => i32::from(byte.cast_signed()).cast_unsigned(),
            _ => byte.into(),
        };
    }
}

fn read_array<const N: usize>(reader: &mut dyn Read) -> Result<[u8; N], NpyError> {
    let mut bytes = [0; N];
    read_exact(reader, &mut bytes)?;
    Ok(bytes)
}

fn read_exact(reader: &mut dyn Read, bytes: &mut [u8]) -> Result<(), NpyError> {
    if read_up_to(reader, bytes)? < bytes.len() {
        return Err(NpyError::HeaderEnds);
    }
    Ok(())
}

/// Fills `bytes` as far as there is anything to read.
fn read_up_to(reader: &mut dyn Read, bytes: &mut [u8]) -> Result<usize, NpyError> {
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

    #[test]
    fn headers_may_be_spaced_and_quoted_in_any_way() {
        for text in [
            PLAIN,
            "{'descr':'<f4','fortran_order':True,'shape':(6,)}",
            r#"{"shape" : ( 6 , 1 ), "descr" : "<f4" , "fortran_order" : False}"#,
        ] {
            let header = Header::parse(text).expect("a header as Python writes it");
            assert_eq!((header.dtype.name, header.len), ("float32", 6), "{text}");
        }
    }

    #[test]
    fn hostile_headers_are_refused_at_once() {
        let deep = "[".repeat(5000) + &"]".repeat(5000);
        let hidden = "[')',".repeat(1000);
        let escaped = r"{'\N{'}': ".to_owned() + &"[".repeat(5000);
        let digits = PLAIN.replace('2', &"9".repeat(9000));
        let terms = PLAIN.replace('2', &"9+".repeat(4000));
        for text in [deep, hidden, escaped, digits, terms, "{".repeat(4), String::new()] {
            assert!(Header::parse(&text).is_err(), "{text}");
        }
    }

    /// Mutated headers may be right or wrong, but never end the program.
    #[test]
    fn mutated_headers_do_not_panic() {
        let mut random = fastrand::Rng::with_seed(1);
        let letters: Vec<char> =
            "(){}[]'\"\\,:<>|=+-._0123456789ejLOTFdNx \n\u{e9}".chars().collect();
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut text: Vec<char> = PLAIN.chars().collect();
            for _ in 0..random.usize(1..6) {
                let place = random.usize(..text.len());
                let letter = letters[random.usize(..letters.len())];
                match random.u8(..3) {
                    0 => text[place] = letter,
                    1 => text.insert(place, letter),
                    _ => _ = text.remove(place),
                }
            }
            refused += u32::from(Header::parse(&String::from_iter(text)).is_err());
        }
        assert!((10_000..20_000).contains(&refused), "{refused} of 20000 were refused");
    }
}
