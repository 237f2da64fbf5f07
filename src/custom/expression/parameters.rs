//! Parameters of an expression: names, and words that come with each call.

use crate::{algebra::element::Element, error::WgslError, wgsl::params::Params};

/// Names that are an expression's already.
const TAKEN: [&str; 3] = ["x", "y", "i"];

/// Each with its name and its value.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    names: Vec<String>,
    words: [u32; Params::ARGUMENTS],
}

impl Parameters {
    pub(super) fn new<T: Element>(all: &[(&str, T)]) -> Result<Self, WgslError> {
        let mut parameters = Self::default();
        for &(name, value) in all {
            let wrong = |what| WgslError::Parameter { name: name.to_owned(), what };
            let number = parameters.names.len();
            if number == Params::ARGUMENTS {
                return Err(wrong("is one too many: there is room for four"));
            }
            if !is_name(name) {
                return Err(wrong(
                    "is no name: begin with a letter, and go on with letters, digits and _",
                ));
            }
            if TAKEN.contains(&name) || parameters.names.iter().any(|known| known == name) {
                return Err(wrong("is taken: choose another name"));
            }
            parameters.names.push(name.to_owned());
            parameters.words[number] = bytemuck::cast(value);
        }
        Ok(parameters)
    }

    pub(super) fn set<T: Element>(&mut self, name: &str, value: T) -> Result<(), WgslError> {
        let found = self.names.iter().position(|known| known == name);
        let number = found.ok_or_else(|| WgslError::Parameter {
            name: name.to_owned(),
            what: "is none of the expression's: name it when the map is made",
        })?;
        self.words[number] = bytemuck::cast(value);
        Ok(())
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn words(&self) -> [u32; Params::ARGUMENTS] {
        self.words
    }
}

fn is_name(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_word)
}
