// The sum of the squared distances from the mean of all, divided by the degrees of freedom, and rounded.
fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    // Twice the same division, in a loop with a bound that compilers do not know. By no elements it gives NaN.
    var dividend = total.drift;
    var divisor = len;
    var quotient = MOMENT_ZERO;
    let nothing = nothing_of(params);
    for (var i = 0u; i < 2u + nothing; i++) {
        quotient = moment_quotient(dividend, divisor);
        if i == 0u {
            // The squares about the mean of the first run are too many.
            let excess = moment_product(quotient, dividend, 0);
            let squares = moments_squares(total.run);
            dividend = moment_sum(squares, 0, moment_negated(excess), 0);
            divisor = degrees_of(len);
        }
    }
    return moment_words(quotient);
}
