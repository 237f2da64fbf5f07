//! Counts the Rust that there is to read, in tokens, because no layout changes them: without comments, documentation and tests.

use crate::{command::root, files};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Prints how many files and tokens each of these folders has, and all of them together.
///
/// # Errors
///
/// A sentence, if a file can't be read.
pub fn run(folders: &[PathBuf]) -> Result<(), String> {
    let mut all = [0, 0];
    for folder in folders {
        let [mut files, mut tokens] = [0, 0];
        for path in sources(&root().join(folder))? {
            let text = files::read(&path)?;
            let parsed = text.parse().map_err(|error| files::about(&path)(&error))?;
            files += 1;
            tokens += count(parsed);
        }
        println!("{}: {files} files, {tokens} tokens", folder.display());
        all = [all[0] + files, all[1] + tokens];
    }
    println!("all: {} files, {} tokens", all[0], all[1]);
    Ok(())
}

/// The files below a folder, without `tests.rs` and folders `tests`.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut sources = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| files::about(folder)(&error))?;
    for entry in entries {
        let path = entry.map_err(|error| files::about(folder)(&error))?.path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            sources.extend(self::sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
    Ok(sources)
}

/// Tokens, each bracket one.
fn count(stream: TokenStream) -> usize {
    let mut tokens = stream.into_iter().peekable();
    let mut total = 0;
    while let Some(token) = tokens.next() {
        let is_attribute = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#');
        match token {
            TokenTree::Group(group) => {
                total += match group.delimiter() {
                    Delimiter::None => 0,
                    _ => 2,
                } + count(group.stream());
            }
            // `::` is one, as its last part.
            TokenTree::Punct(mark)
                if mark.spacing() == Spacing::Joint && mark.as_char() != '\'' => {}
            _ if is_attribute => {
                if matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
                    tokens.next();
                }
                let Some(TokenTree::Group(attribute)) = tokens.next() else { continue };
                let text = attribute.stream().to_string();
                if text.starts_with("doc") {
                    continue;
                }
                if is_of_tests(&text) {
                    skip_item(&mut tokens);
                    continue;
                }
                total += 3 + count(attribute.stream());
            }
            _ => total += 1,
        }
    }
    total
}

fn is_of_tests(attribute: &str) -> bool {
    let text: String = attribute.split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// Skips the item behind an attribute: to its braces, or to its semicolon.
fn skip_item(tokens: &mut impl Iterator<Item = TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            TokenTree::Punct(mark) if mark.as_char() == ';' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> usize {
        count(text.parse().expect("it is Rust"))
    }

    #[test]
    fn layout_and_words_count_nothing() {
        assert_eq!(tokens("fn f() -> u32 { a::b(1) }"), 14);
        assert_eq!(tokens("/// Words.\n\n fn f(  ) -> u32 {\n // words\n a::b(\n1\n) }"), 14);
    }

    #[test]
    fn tests_count_nothing() {
        assert_eq!(tokens("#[cfg(test)]\nmod tests { fn f() {} }\nuse a;"), 3);
        assert_eq!(tokens("#[cfg(all(test, unix))]\nuse b;\n#[inline]\nuse a;"), 7);
    }
}
