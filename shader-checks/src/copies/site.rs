//! Where in the text an expression stands. naga does not say where a variable is loaded as a whole.

use crate::uses::blocks;
use naga::{Block, Expression, Function, Handle, Span, Statement};

/// Where the load or the call `site` of a function stands. If naga does not say: by the name of a `let`, else by the
/// next statement.
pub fn span(function: &Function, name: &str, source: &str, site: Handle<Expression>) -> Span {
    let known = function.expressions.get_span(site);
    if known.is_defined() {
        return known;
    }
    let begin = source.find(&format!("fn {name}(")).unwrap_or_default();
    let Some(Place { begin, next }) = find(&function.body, site, begin) else { return known };
    let variable = function.named_expressions.get(&site);
    variable.and_then(|variable| find_let(source, begin, variable)).unwrap_or(next)
}

/// Where a statement without a place is.
struct Place {
    /// Not before this.
    begin: usize,
    /// The next statement.
    next: Span,
}

/// Finds the statement that emits `site`, in a block that begins at `begin` or later.
fn find(block: &Block, site: Handle<Expression>, mut begin: usize) -> Option<Place> {
    let mut statements = block.span_iter().peekable();
    while let Some((statement, &span)) = statements.next() {
        if let Statement::Emit(range) = statement
            && range.clone().any(|emitted| emitted == site)
        {
            let next = statements.peek().map(|&(_, &next)| next).unwrap_or_default();
            return Some(Place { begin, next });
        }
        let inner = blocks(statement).into_iter().find_map(|inner| find(inner, site, begin));
        if inner.is_some() {
            return inner;
        }
        begin = span.to_range().map_or(begin, |range| range.end);
    }
    None
}

/// The first `let` of a name at `begin` or later.
fn find_let(source: &str, begin: usize, name: &str) -> Option<Span> {
    let start = format!("let {name}");
    let is_whole_name = |at: usize| {
        !source[at + start.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
    };
    let places = source[begin..].match_indices(&start).map(|(at, _)| begin + at);
    places.into_iter().find(|&at| is_whole_name(at)).map(|at| Span::from(at..at + start.len()))
}
