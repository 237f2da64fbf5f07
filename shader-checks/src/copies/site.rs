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
    let (begin, next) = around(&function.body, site, begin).unwrap_or((begin, known));
    let Some(variable) = function.named_expressions.get(&site) else { return next };
    let start = format!("let {variable} ");
    let place = source[begin..].find(&start).map(|at| begin + at);
    place.map_or(next, |at| Span::from(at..at + start.len()))
}

/// Where the statement before the one that emits `site` ends, `begin` if it is the first, and the next statement.
fn around(block: &Block, site: Handle<Expression>, mut begin: usize) -> Option<(usize, Span)> {
    let mut statements = block.span_iter().peekable();
    while let Some((statement, &span)) = statements.next() {
        if let Statement::Emit(range) = statement
            && range.clone().any(|emitted| emitted == site)
        {
            return Some((begin, statements.peek().map(|&(_, &next)| next).unwrap_or_default()));
        }
        let inner = blocks(statement).into_iter().find_map(|inner| around(inner, site, begin));
        if inner.is_some() {
            return inner;
        }
        begin = span.to_range().map_or(begin, |range| range.end);
    }
    None
}
