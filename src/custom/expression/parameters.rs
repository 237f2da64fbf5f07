//! Parameters of an expression: names, and words that come with each call.

use super::element::WideElement;
use crate::{error::WgslError, wgsl::params::Params};

/// Names that are an expression's already.
const TAKEN: [&str; 4] = ["x", "y", "z", "i"];

/// Each with its name and its value.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    names: Vec<String>,
    /// One for each, or two of numbers of 64 bits.
    words: [u32; Params::ARGUMENTS],
}

impl Parameters {
    pub(super) fn new<T: WideElement>(all: &[(&str, T)]) -> Result<Self, WgslError> {
        let mut parameters = Self::default();
        for &(name, value) in all {
            let wrong = |what| WgslError::Parameter { name: name.to_owned(), what };
            let number = parameters.names.len();
            if (number + 1) * words_of::<T>() > Params::ARGUMENTS {
                return Err(wrong(
                    "is one too many: there is room for four, and of 64 bits for two",
                ));
            }
            if !is_name(name) {
                return Err(wrong(
                    "is no name: begin with a letter, and go on with letters, digits and _",
                ));
            }
            if TAKEN.contains(&name) {
                return Err(wrong("is taken: choose another name"));
            }
            if parameters.names.iter().any(|known| known == name) {
                return Err(wrong("is there twice: leave one out, or choose another name"));
            }
            parameters.names.push(name.to_owned());
            parameters.put(number, value);
        }
        Ok(parameters)
    }

    pub(super) fn set<T: WideElement>(&mut self, name: &str, value: T) -> Result<(), WgslError> {
        let found = self.names.iter().position(|known| known == name);
        let number = found.ok_or_else(|| WgslError::Parameter {
            name: name.to_owned(),
            what: "is none of the expression's: name it when the map is made",
        })?;
        self.put(number, value);
        Ok(())
    }

    fn put<T: WideElement>(&mut self, number: usize, value: T) {
        let words = words_of::<T>();
        let to = &mut self.words[words * number..words * (number + 1)];
        bytemuck::cast_slice_mut(to).copy_from_slice(bytemuck::bytes_of(&value));
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn words(&self) -> [u32; Params::ARGUMENTS] {
        self.words
    }
}

/// Words of a value.
const fn words_of<T>() -> usize {
    size_of::<T>() / 4
}

fn is_name(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_word)
}
