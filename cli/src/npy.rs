//! `.npy` files as NumPy writes them, read with nothing taken on trust: a header may claim any size.

use crate::dtype::{Dtype, Target};
use py_literal::Value;
use std::io::{self, ErrorKind, Read};

/// What a file begins with.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Bytes of a header at most. NumPy refuses to read longer ones too, unless told to.
const MAX_HEADER_BYTES: usize = 10_000;
/// The parser recurses, and its time grows exponentially with the depth of brackets. Structured arrays
/// have a depth of 4, arrays of numbers 2.
const MAX_BRACKETS: usize = 4;
/// Bytes converted at a time: they stay in the nearest caches.
const BLOCK_BYTES: usize = 1 << 16;
/// Bytes that are read at a time where the file is read whole.
const CHUNK_BYTES: u64 = 1 << 24;
/// What NumPy calls bytes that only a library such as ml_dtypes knows to be bfloat16.
const OPAQUE_TWO_BYTES: &str = "V2";

/// What is wrong with an `.npy` file.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    #[error("it can't be read ({0}): check the disk or the pipe that it comes from")]
    Read(io::Error),
    #[error("it is damaged in the archive ({0}): copy or write the archive again")]
    Damaged(io::Error),
    #[error("it is empty: write it with numpy.save")]
    Empty,
    #[error("it does not begin like an .npy file: write it with numpy.save")]
    NoMagic,
    #[error("it is a zip archive, which can't be read from a pipe: give the path of a file")]
    Archive,
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
    #[error("its elements are {found}: {advice}, and write it again")]
    Elements { found: String, advice: &'static str },
    #[error("its elements are {found}, not the two bytes of a bfloat16: leave --dtype out")]
    NotTwoBytes { found: &'static str },
    #[error(
        "its elements are two bytes of no type that NumPy knows: give --dtype bf16, if they are bfloat16s"
    )]
    Opaque,
    #[error(
        "its elements are two bytes of no type that NumPy knows: make numbers of them, for example with array.astype(\"<f4\"), and \
         write it again"
    )]
    OpaqueBeside,
    #[error("its shape has more elements than memory can have: write the array again")]
    Shape,
    #[error(
        "there is no memory left for its {bytes} bytes of elements: free some, or take a part of the array"
    )]
    Memory { bytes: u64 },
    #[error("it ends after {found} of {expected} bytes of elements: copy or write it again")]
    DataEnds { found: u64, expected: u64 },
    #[error(
        "it became shorter while it was read, and ends after {found} of {expected} bytes of elements: reduce it again once it is \
         written"
    )]
    Shrunk { found: u64, expected: u64 },
}

impl From<io::Error> for NpyError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Of what was compressed, or has a checksum.
            ErrorKind::InvalidData => Self::Damaged(error),
            _ => Self::Read(error),
        }
    }
}

/// What a header says.
#[derive(Clone, Debug)]
pub struct Header {
    pub dtype: &'static Dtype,
    /// What the header calls it, without the order of bytes: of bfloat16s u2 or V2.
    pub code: &'static str,
    /// Whether the most significant byte of an element comes first.
    pub is_big_endian: bool,
    /// Of the header itself.
    pub bytes: u64,
    /// Elements of all dimensions together.
    pub len: u64,
    /// The sizes of the dimensions.
    pub sizes: Vec<u64>,
    /// Whether the first of them varies fastest in the file, and not the last.
    pub is_fortran: bool,
    /// The sizes larger than 1, where the file's order is not the array's: Fortran's order, in several dimensions.
    pub fortran_shape: Option<Vec<u64>>,
}

impl Header {
    /// Reads the header, and nothing after it.
    pub fn read(reader: &mut dyn Read) -> Result<Self, NpyError> {
        let mut magic = [0; MAGIC.len()];
        match read_up_to(reader, &mut magic)? {
            0 => return Err(NpyError::Empty),
            _ if &magic == MAGIC => {}
            _ if magic.starts_with(b"PK\x03\x04") => return Err(NpyError::Archive),
            _ => return Err(NpyError::NoMagic),
        }
        let [major, minor] = read_array(reader)?;
        let claimed = match (major, minor) {
            (1, 0) => u16::from_le_bytes(read_array(reader)?).into(),
            (2 | 3, 0) => u32::from_le_bytes(read_array(reader)?).into(),
            _ => return Err(NpyError::Version(major, minor)),
        };
        let before_text = if major == 1 { 10 } else { 12 };
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
            without_long_suffixes(text.into_iter().map(char::from))
        };
        Ok(Self { bytes: before_text + claimed, ..Self::parse(text.trim())? })
    }

    /// The same file, of bfloat16s, which NumPy has no name for: it keeps them as uint16, or as bytes.
    pub fn of_bfloat16s(self) -> Result<Self, NpyError> {
        match self.code {
            "u2" | OPAQUE_TWO_BYTES => Ok(Self { dtype: Dtype::named("bfloat16"), ..self }),
            _ => Err(NpyError::NotTwoBytes { found: self.dtype.name }),
        }
    }

    /// Bytes of all elements.
    pub fn data_bytes(&self) -> u64 {
        self.len * self.dtype.bytes
    }

    fn parse(text: &str) -> Result<Self, NpyError> {
        if text.contains('\\') || max_brackets(text) > MAX_BRACKETS {
            return Err(malformed("an array of numbers needs no escapes or deep brackets"));
        }
        let no_dictionary = || malformed("it is not a Python dictionary");
        // The parser knows neither other spaces nor Python 2's prefix of text.
        let text = text.replace(['\n', '\r', '\t'], " ").replace("u'", "'").replace("u\"", "\"");
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
        let (dtype, is_big_endian) = dtype(descr)?;
        let sizes = sizes(shape)?;
        let len = len(&sizes, dtype)?;
        let long: Vec<u64> = sizes.iter().copied().flatten().filter(|&size| size != 1).collect();
        // A size that 64 bits do not tell is an error, or another one is 0.
        let sizes = sizes.into_iter().map(|size| size.unwrap_or(u64::MAX)).collect();
        Ok(Self {
            sizes,
            is_fortran,
            dtype,
            code: if dtype.code.is_empty() { OPAQUE_TWO_BYTES } else { dtype.code },
            is_big_endian,
            bytes: 0,
            len,
            fortran_shape: Some(long).filter(|long| is_fortran && long.len() > 1),
        })
    }
}

/// Without the `L` behind integers that Python 2 wrote, as in `(3L, 2L)`.
fn without_long_suffixes(text: impl Iterator<Item = char>) -> String {
    let mut quote = None;
    let mut kept = String::new();
    for character in text {
        let is_suffix = character == 'L' && kept.ends_with(|before: char| before.is_ascii_digit());
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, _) if is_suffix => continue,
            _ => {}
        }
        kept.push(character);
    }
    kept
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

/// The type, and whether its most significant byte comes first.
fn dtype(descr: &Value) -> Result<(&'static Dtype, bool), NpyError> {
    let Value::String(descr) = descr else {
        let advice = "take one field of the array, such as array[\"x\"]";
        return Err(NpyError::Elements { found: "structured".to_owned(), advice });
    };
    let unknown = || NpyError::Elements {
        found: match descr.get(1..2) {
            _ if descr.ends_with('O') => "Python objects".to_owned(),
            Some("U" | "S") => format!("text of type {:?}", shortened(descr)),
            Some("M" | "m") => format!("times of type {:?}", shortened(descr)),
            _ => format!("of type {:?}", shortened(descr)),
        },
        advice: advice(descr),
    };
    let (is_big_endian, name) = match descr.split_at_checked(1) {
        Some(("<", name)) => (false, name),
        Some((">", name)) => (true, name),
        // This machine's order, or none.
        Some(("=" | "|", name)) => (cfg!(target_endian = "big"), name),
        _ => (cfg!(target_endian = "big"), &**descr),
    };
    if name == OPAQUE_TWO_BYTES {
        return Ok((Dtype::named("bfloat16"), false));
    }
    let dtype = Dtype::of_header(name).ok_or_else(unknown)?;
    // A single byte has no order.
    Ok((dtype, is_big_endian && dtype.bytes > 1))
}

/// How to make of elements that are not among [`DTYPES`] some that are, with the same values if there is
/// a way.
fn advice(descr: &str) -> &'static str {
    // Byte order, kind, bytes of an element.
    match descr.trim_start_matches(['<', '>', '|', '=']) {
        "f12" | "f16" => "round the values with array.astype(\"<f8\")",
        "c8" => "take array.real or array.imag, convert it with .astype(\"<f4\")",
        _ if descr.get(1..2).is_some_and(|kind| "Mm".contains(kind)) => {
            "take them as integers, with array.astype(\"<i8\")"
        }
        "c16" | "c24" | "c32" => "take array.real or array.imag, convert it with .astype(\"<f8\")",
        _ if descr.contains('V') => {
            "say what they are, for example with array.view(\"<f4\") or array.view(\"<i8\")"
        }
        _ => {
            "make numbers of them, for example with array.astype(\"<f8\") or array.astype(\"<i8\")"
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

fn len(sizes: &[Option<u64>], dtype: &Dtype) -> Result<u64, NpyError> {
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
    match len.checked_mul(dtype.bytes) {
        _ if is_empty => Ok(0),
        Some(bytes) if !is_too_long && isize::try_from(bytes).is_ok() => Ok(len),
        _ => Err(NpyError::Shape),
    }
}

/// A file's elements, one part after the other. Whatever follows them is left alone, as NumPy does.
pub struct Elements<R> {
    reader: R,
    header: Header,
    /// Bytes of elements that were read.
    found: u64,
    /// Whether the file had all elements when it was opened.
    was_whole: bool,
    block: Vec<u8>,
}

impl<R: Read> Elements<R> {
    /// Those of a file of which the header was read. `file_bytes` is the size of the file, if known.
    pub fn new(reader: R, header: Header, file_bytes: Option<u64>) -> Self {
        let needed = header.bytes.checked_add(header.data_bytes());
        let was_whole = file_bytes.zip(needed).is_some_and(|(bytes, needed)| bytes >= needed);
        Self { reader, header, found: 0, was_whole, block: Vec::new() }
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Fills `elements` with the next ones, as `target` has them: how many there are their length says. Returns how many bytes of
    /// the file they are.
    pub fn fill(&mut self, target: &Target, elements: &mut [u8]) -> Result<u64, NpyError> {
        let begin = self.found;
        if target.is_same && !self.header.is_big_endian {
            return self.fill_as_they_are(elements);
        }
        let bytes = usize::try_from(self.header.dtype.bytes).expect("a few");
        let element_bytes = usize::try_from(target.element.size_bytes()).expect("a few");
        self.block.resize(BLOCK_BYTES, 0);
        for elements in elements.chunks_mut(BLOCK_BYTES / bytes * element_bytes) {
            let block = &mut self.block[..elements.len() / element_bytes * bytes];
            let before = self.found;
            let wanted = block.len() as u64;
            self.found += read_up_to(&mut self.reader, block)? as u64;
            (target.convert)(block, self.header.is_big_endian, elements);
            self.check(before + wanted)?;
        }
        Ok(self.found - begin)
    }

    /// Fills `elements` with the next ones, as they are in the file.
    pub fn fill_as_they_are(&mut self, elements: &mut [u8]) -> Result<u64, NpyError> {
        let begin = self.found;
        self.found += read_up_to(&mut self.reader, elements)? as u64;
        self.check(begin + elements.len() as u64)?;
        Ok(self.found - begin)
    }

    /// All of them, as they are in the file. `tell` gets the number of bytes of each part that was read.
    pub fn read_all(&mut self, mut tell: impl FnMut(u64)) -> Result<Vec<u8>, NpyError> {
        let expected = self.header.data_bytes();
        let mut bytes = Vec::new();
        let no_memory = || NpyError::Memory { bytes: expected };
        // Of others no more memory than there are elements, whatever the header says.
        if self.was_whole {
            let room = usize::try_from(expected).map(|room| bytes.try_reserve_exact(room).is_ok());
            room.ok().filter(|is_there| *is_there).ok_or_else(no_memory)?;
        }
        while self.found < expected {
            let wanted = (expected - self.found).min(CHUNK_BYTES);
            let found = (&mut self.reader).take(wanted).read_to_end(&mut bytes);
            let found = found.map_err(|error| match error.kind() {
                ErrorKind::OutOfMemory => no_memory(),
                _ => error.into(),
            })? as u64;
            if found == 0 {
                break;
            }
            self.found += found;
            tell(found);
        }
        self.check(expected)?;
        Ok(bytes)
    }

    /// An error, if less was found.
    fn check(&self, wanted: u64) -> Result<(), NpyError> {
        let (found, expected) = (self.found, self.header.data_bytes());
        match found < wanted {
            true if self.was_whole => Err(NpyError::Shrunk { found, expected }),
            true => Err(NpyError::DataEnds { found, expected }),
            false => Ok(()),
        }
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
fn read_up_to(reader: &mut (impl Read + ?Sized), bytes: &mut [u8]) -> Result<usize, NpyError> {
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

    /// The verdicts are those of NumPy 2.4's `load`.
    #[test]
    fn headers_that_numpy_takes() {
        let header = |descr: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}")
        };
        let shapes = [
            ("(3L, 2L)", vec![3, 2]),
            ("(0x10,)", vec![16]),
            ("(0o7,)", vec![7]),
            ("(1_0,)", vec![10]),
            ("(+3,)", vec![3]),
            ("(-0,)", vec![0]),
            ("( 3 ,\n 2 )", vec![3, 2]),
            ("(3, 2,)", vec![3, 2]),
            ("()", vec![]),
        ];
        for (shape, sizes) in shapes {
            let read = read_text(1, &header("'<f4'", shape)).expect(shape);
            assert_eq!(read.sizes, sizes, "{shape}");
        }
        let descrs = [
            ("f4 =f4 |f4 float32 f <f single", "float32"),
            ("f8 float64 d <d double float", "float64"),
            ("f2 =f2 float16 e half", "float16"),
            ("b1 ? |? <b1 bool bool_", "bool"),
            ("i1 b >b <i1 int8 byte", "int8"),
            ("u1 B |B uint8 ubyte", "uint8"),
            ("i2 h |i2 <h int16 short", "int16"),
            ("u2 H uint16 ushort", "uint16"),
            ("i4 i =i4 int32 intc", "int32"),
            ("u4 I uint32 uintc", "uint32"),
            ("i8 q =i8 int64 longlong", "int64"),
            ("u8 Q uint64 ulonglong", "uint64"),
        ];
        let native = cfg!(target_endian = "big");
        for (descr, name) in
            descrs.iter().flat_map(|(descrs, name)| descrs.split(' ').map(move |it| (it, *name)))
        {
            let read = read_text(1, &header(&format!("'{descr}'"), "(3,)")).expect(descr);
            assert_eq!(read.dtype.name, name, "{descr}");
            let has_order = read.dtype.bytes > 1 && !descr.starts_with(['<', '>']);
            assert_eq!(read.is_big_endian, has_order && native, "{descr}");
        }
        let read = read_text(1, &header("'>d'", "(3,)")).expect("the other order");
        assert!(read.is_big_endian && read.dtype.name == "float64");
        let unicode = "{u'descr': u'<f4', u'fortran_order': False, u'shape': (3L,)}";
        assert_eq!(read_text(2, unicode).expect("as Python 2 writes it").len, 3);
        for (version, text) in [
            (3, header("'<f4'", "(3L,)")),
            (1, header("'<f4'", "(3l,)")),
            (1, header("'<f4'", "(3)")),
            (1, header("'<f4'", "[3]")),
            (1, header("'<f4'", "(3.0,)")),
            (1, header("b'<f4'", "(3,)")),
            (1, header("'F4'", "(3,)")),
            (1, header("'Float32'", "(3,)")),
            (1, header("' <f4'", "(3,)")),
            // NumPy takes these two by the machine that it runs on.
            (1, header("'l'", "(3,)")),
            (1, header("'int'", "(3,)")),
        ] {
            assert!(read_text(version, &text).is_err(), "{text}");
        }
    }

    fn read_text(version: u8, text: &str) -> Result<Header, NpyError> {
        let mut bytes = [&MAGIC[..], &[version, 0]].concat();
        let len = u32::try_from(text.len()).expect("a short header").to_le_bytes();
        bytes.extend(&len[..if version == 1 { 2 } else { 4 }]);
        bytes.extend(text.as_bytes());
        Header::read(&mut &bytes[..])
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
