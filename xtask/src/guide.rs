//! `cargo xtask guide`.

use crate::{
    command::{Command, root},
    consent::run_after_yes,
    files::{entries, read, write},
};

/// Builds the guide's pages into docs/guide/book.
///
/// # Errors
///
/// A sentence, if mdBook is not there or refuses a page, or if a link in a page leads to no file.
pub fn run(yes: bool) -> Result<(), String> {
    if !Command::new("mdbook", "--version").works() {
        println!("mdBook is missing.");
        let install = Command::cargo("install mdbook --locked");
        run_after_yes(yes, &[install], "install mdBook")?;
    }
    let guide = root().join("docs/guide");
    Command::new("mdbook", "build").arg(&guide).run()?;
    let book = guide.join("book");
    let mut lost = Vec::new();
    for page in entries(&book)? {
        if page.extension().is_some_and(|extension| extension == "html") {
            let html = outer_pages_as_files(&read(&page)?);
            let leads_nowhere = |link: &&str| !book.join(link).exists();
            let links = outer_links(&html).filter(leads_nowhere);
            lost.extend(links.map(|link| format!("{}: {link}", page.display())));
            write(&page, html)?;
        }
    }
    if lost.is_empty() {
        println!("The first page is {}.", book.join("index.html").display());
        Ok(())
    } else {
        Err(format!("these links lead nowhere:\n{}", lost.join("\n")))
    }
}

/// Where links lead out of the guide.
fn outer_links(html: &str) -> impl Iterator<Item = &str> {
    let links = html.split("href=\"").skip(1).chain(html.split("src=\"").skip(1));
    let targets = links.filter_map(|rest| rest.split(['"', '#']).next());
    targets.filter(|target| target.starts_with("../"))
}

/// The page with links to the Markdown that is no part of the guide. mdBook takes all Markdown for pages of its own.
fn outer_pages_as_files(html: &str) -> String {
    const LINK: &str = "href=\"../";
    let mut parts = html.split(LINK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once('"').unwrap_or((part, ""));
        text += LINK;
        text += &target.replacen(".html", ".md", 1);
        text += "\"";
        text += rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_out_of_the_guide_are_mended() {
        let html = "<a href=\"start.html\"><a href=\"../../a.html#b.html\"><img src=\"../c.svg\"> ../d.html";
        let mended =
            "<a href=\"start.html\"><a href=\"../../a.md#b.html\"><img src=\"../c.svg\"> ../d.html";
        assert_eq!(outer_pages_as_files(html), mended);
        assert!(outer_links(mended).eq(["../../a.md", "../c.svg"]));
    }
}
