"""The arithmetic of IEEE-754's binary formats, for the scripts beside this file: in integers, rounded to nearest, ties to even.

A number is an integer, in units of the format's smallest one, or one of the three below. The sign of zero shows nowhere in a sum.
"""

import functools
import math

PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER = "+inf", "-inf", "nan"


def nearest(integer, shift):
    """integer / 2^shift, rounded to the nearest integer, ties to even."""
    quotient, rest = divmod(integer, 1 << shift)
    twice = rest << 1
    return quotient + (twice > 1 << shift or (twice == 1 << shift and quotient & 1 == 1))


def quotient(numerator, denominator):
    """The nearest integer, ties to even. Neither is negative."""
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole & 1 == 1))


def with_sign(magnitude, negative):
    if magnitude == PLUS_INFINITY:
        return MINUS_INFINITY if negative else PLUS_INFINITY
    return -magnitude if negative else magnitude


def is_negative(x):
    return x == MINUS_INFINITY or (isinstance(x, int) and x < 0)


def negated(x):
    if isinstance(x, int):
        return -x
    return {PLUS_INFINITY: MINUS_INFINITY, MINUS_INFINITY: PLUS_INFINITY}.get(x, x)


def times_power(x, exponent):
    return x << exponent if isinstance(x, int) else x


class Runs:
    """R(level, index) of some items."""

    def __init__(self, items, combine):
        self.combine = combine
        self.levels = [items]
        while len(self.levels[-1]) > 1:
            halves = self.levels[-1]
            pairs = zip(halves[0::2], halves[1::2])
            self.levels.append([combine(left, right) for left, right in pairs])

    def total(self, length):
        """S(length), or None of nothing."""
        begin, total = 0, None
        for level in reversed(range(length.bit_length())):
            if length >> level & 1 == 1:
                run = self.levels[level][begin >> level]
                total = run if total is None else self.combine(total, run)
                begin += 1 << level
        return total


class Format:
    """Of significands of so many digits, the leading one included, and exponent fields of so many bits."""

    def __init__(self, digits, field_bits):
        self.digits = digits
        self.fraction_bits = digits - 1
        self.sign = 1 << digits - 1 + field_bits
        self.magnitude = self.sign - 1
        self.hidden = 1 << digits - 1
        self.fraction = self.hidden - 1
        self.last_field = (1 << field_bits) - 1
        self.bias = self.last_field >> 1
        self.infinity = self.last_field << digits - 1
        self.nan = self.infinity | self.hidden >> 1
        # The smallest number is 2^-unit.
        self.unit = self.bias - 2 + digits
        self.too_large = 1 << self.bias + 1 + self.unit

    def scaled(self, integer):
        """The bits of integer * 2^-digits, which has to be a number of the format."""
        if integer == 0:
            return 0
        length = integer.bit_length()
        exponent = self.bias - self.digits + length - 1
        return (exponent << self.fraction_bits) + (integer << self.digits >> length) - self.hidden

    def field(self, bits):
        return bits >> self.fraction_bits & self.last_field

    def number(self, bits):
        field, fraction = self.field(bits), bits & self.fraction
        negative = bits & self.sign != 0
        if field == self.last_field:
            if fraction != 0:
                return NOT_A_NUMBER
            return MINUS_INFINITY if negative else PLUS_INFINITY
        magnitude = fraction if field == 0 else (fraction | self.hidden) << field - 1
        return -magnitude if negative else magnitude

    def bits_of(self, total):
        """Of a number of the format; of nothing those of 0."""
        if total is None:
            return 0
        if not isinstance(total, int):
            return {
                PLUS_INFINITY: self.infinity,
                MINUS_INFINITY: self.sign | self.infinity,
                NOT_A_NUMBER: self.nan,
            }[total]
        sign, magnitude = (self.sign, -total) if total < 0 else (0, total)
        shift = max(magnitude.bit_length() - self.digits, 0)
        # The hidden bit adds 1 to the field.
        return sign | (shift << self.fraction_bits) + (magnitude >> shift)

    def add(self, a, b):
        if isinstance(a, int) and isinstance(b, int):
            total = a + b
            excess = total.bit_length() - self.digits
            if excess <= 0:
                return total
            total = nearest(total, excess) << excess
            if -self.too_large < total < self.too_large:
                return total
            return PLUS_INFINITY if total > 0 else MINUS_INFINITY
        specials = {x for x in (a, b) if not isinstance(x, int)}
        return specials.pop() if len(specials) == 1 else NOT_A_NUMBER

    def rounded_quotient(self, numerator, denominator):
        """RN(numerator / denominator), all in units of the smallest number; neither is negative."""
        # As many bits as there are above those that are kept.
        excess = max((numerator // denominator).bit_length() - self.digits, 0)
        total = quotient(numerator, denominator << excess) << excess
        return total if total < self.too_large else PLUS_INFINITY

    def product(self, a, b):
        """RN(a * b)."""
        if NOT_A_NUMBER in (a, b):
            return NOT_A_NUMBER
        negative = is_negative(a) != is_negative(b)
        if isinstance(a, int) and isinstance(b, int):
            return with_sign(self.rounded_quotient(abs(a * b), 1 << self.unit), negative)
        return NOT_A_NUMBER if 0 in (a, b) else with_sign(PLUS_INFINITY, negative)

    def mean(self, total, length):
        if length == 0:
            return NOT_A_NUMBER
        if not isinstance(total, int):
            return total
        return with_sign(self.rounded_quotient(abs(total), length), total < 0)

    def root(self, total):
        """RN of the square root; the total is not negative."""
        if not isinstance(total, int) or total == 0:
            return total
        # In units of the smallest number the root's square is this. It has more bits than are kept.
        square = total << self.unit
        twice = math.isqrt(square << 2)
        has_rest = twice * twice != square << 2
        excess = twice.bit_length() - self.digits
        whole, rest = twice >> excess, twice & (1 << excess) - 1
        half = 1 << excess - 1
        if rest > half or (rest == half and (has_rest or whole & 1 == 1)):
            whole += 1
        # The excess is of twice the root.
        return whole << excess - 1

    # --- products of all elements: a number is (significand, exponent of its leading bit) ---

    def lift(self, bits):
        """Of what is no number: 1. Specials are looked for apart."""
        field, fraction = self.field(bits), bits & self.fraction
        if field == self.last_field or bits & self.magnitude == 0:
            return self.hidden, 0
        if field > 0:
            return fraction | self.hidden, field - self.bias
        shift = self.digits - fraction.bit_length()
        return fraction << shift, 1 - self.bias - shift

    def multiply(self, a, b):
        # As many bits are kept as a significand has, wherever the product's leading one is.
        product = a[0] * b[0]
        excess = product.bit_length() - self.digits
        significand = nearest(product, excess)
        exponent = a[1] + b[1] + excess - self.fraction_bits
        if significand == 1 << self.digits:
            return self.hidden, exponent + 1
        return significand, exponent

    def bits_of_product(self, elements, total):
        negative = functools.reduce(lambda sign, bits: sign ^ bits & self.sign, elements, 0)
        magnitudes = [bits & self.magnitude for bits in elements]
        has_zero, has_infinity = 0 in magnitudes, self.infinity in magnitudes
        has_nan = any(magnitude > self.infinity for magnitude in magnitudes)
        if has_nan or (has_zero and has_infinity):
            return self.nan
        if has_infinity:
            return negative | self.infinity
        if has_zero:
            return negative
        significand, exponent = (self.hidden, 0) if total is None else total
        if exponent > self.bias:
            return negative | self.infinity
        if exponent > -self.bias:
            return negative | exponent + self.bias << self.fraction_bits | significand & self.fraction
        # In units of the smallest number; the hidden bit of them is the smallest normal number.
        return negative | nearest(significand, 1 - self.bias - exponent)

    # --- minimum and maximum ---

    def extremum(self, elements, largest):
        if not elements:
            return None
        if any(bits & self.magnitude > self.infinity for bits in elements):
            return self.nan
        # As integers, magnitudes are in order; -0 is below +0.
        key = lambda bits: -1 - (bits & self.magnitude) if bits & self.sign else bits
        return max(elements, key=key) if largest else min(elements, key=key)

    # --- variances: a run is (R, M, level) ---

    def scaled_difference(self, a, a_level, b, b_level):
        """RN(a / 2^a_level - b / 2^b_level), where b_level is not less."""
        if not (isinstance(a, int) and isinstance(b, int)):
            return self.add(a, negated(b))
        difference = (a << b_level - a_level) - b
        return with_sign(self.rounded_quotient(abs(difference), 1 << b_level), difference < 0)

    def scaled_square(self, x, exponent):
        """RN(x * x * 2^exponent)."""
        if x == NOT_A_NUMBER:
            return x
        if not isinstance(x, int):
            return PLUS_INFINITY
        if exponent >= 0:
            return self.rounded_quotient(x * x << exponent, 1 << self.unit)
        return self.rounded_quotient(x * x, 1 << self.unit - exponent)

    def run_of(self, x):
        return x, 0 if isinstance(x, int) else NOT_A_NUMBER, 0

    def merge_runs(self, left, right):
        (a, s, level), (b, t, right_level) = left, right
        assert level == right_level
        d = self.add(b, negated(a))
        squares = self.add(self.add(s, t), self.scaled_square(d, -(level + 1)))
        return self.add(a, b), squares, level + 1

    def squares_about_mean(self, runs, length):
        """M2 of the first elements."""
        begin, first, drift, squares = 0, None, 0, 0
        for level in reversed(range(length.bit_length())):
            if length >> level & 1 == 0:
                continue
            total, m, _ = runs.levels[level][begin >> level]
            begin += 1 << level
            if first is None:
                first, squares = (total, level), m
                continue
            e = self.scaled_difference(total, level, *first)
            drift = self.add(drift, times_power(e, level))
            squares = self.add(squares, self.add(m, self.scaled_square(e, level)))
        correction = self.product(self.mean(drift, length), drift)
        return self.add(squares, negated(correction))

    def variances(self, elements, lengths, degrees_lost):
        """Variances of the first elements, so many as each of `lengths` says, with one degree of freedom less, or not."""
        runs = Runs([self.run_of(self.number(bits)) for bits in elements], self.merge_runs)
        found = []
        for length in lengths:
            divisor = length - degrees_lost
            if length == 0 or divisor == 0:
                found.append(self.nan)
            else:
                found.append(self.bits_of(self.mean(self.squares_about_mean(runs, length), divisor)))
        return found
