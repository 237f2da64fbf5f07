//! A file's elements, so many at a time: so it may be larger than memory.

use crate::{dtype::Target, error::Error, files::Opened, memory::zeros, progress::Progress};

/// Elements at a time: more take more memory, less make many small pieces of work.
pub const CHUNK: usize = 1 << 21;

/// What was read last of a file.
pub struct Chunks {
    pub file: Opened,
    /// What its elements become. `None`: they stay as they are.
    target: Option<&'static Target>,
    progress: Progress,
    /// Elements at a time.
    most: usize,
    /// Bytes of an element.
    size: usize,
    /// An element, which is the last one of the chunk before, and those of the chunk. Words of 64 bits begin where any element may.
    words: Vec<u64>,
    begin: u64,
    len: usize,
}

impl Chunks {
    /// Of a file of which no element was read.
    pub fn new(file: Opened, target: Option<&'static Target>, most: usize) -> Result<Self, Error> {
        let header = file.header();
        let size = target.map_or(header.dtype.bytes, |target| target.element.size_bytes());
        let size = usize::try_from(size).expect("a few");
        let most = usize::try_from(header.len).map_or(most, |len| most.min(len));
        let words = zeros(((1 + most) * size).div_ceil(8), "a part of the elements")?;
        let progress = Progress::new(header.data_bytes());
        Ok(Self { file, target, progress, most, size, words, begin: 0, len: 0 })
    }

    /// Reads the next ones, if there are more.
    pub fn next(&mut self) -> Result<bool, Error> {
        let begin = self.begin + self.len as u64;
        let left = self.file.header().len - begin;
        if left == 0 {
            return Ok(false);
        }
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        bytes.copy_within(self.len * self.size..(1 + self.len) * self.size, 0);
        self.begin = begin;
        self.len = usize::try_from(left).map_or(self.most, |left| left.min(self.most));
        let bytes = &mut bytes[self.size..][..self.len * self.size];
        self.progress.add(self.file.fill(self.target, bytes)?);
        Ok(true)
    }

    /// Which one of the file is the first.
    pub fn begin(&self) -> u64 {
        self.begin
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[self.size..][..self.len * self.size]
    }

    /// The same behind the one before them, unless they are the first.
    pub fn bytes_from_last(&self) -> &[u8] {
        let bytes = &bytemuck::cast_slice(&self.words)[..(1 + self.len) * self.size];
        &bytes[if self.begin == 0 { self.size } else { 0 }..]
    }
}
