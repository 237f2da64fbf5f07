// Where the element with the greatest key is.
alias Acc = Place;
alias Total = Acc;

const ACC_WORDS = PLACE_WORDS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = ACC_WORDS;

fn op_identity() -> Acc {
    return place_of_none();
}

fn op_lift_at(value: Elem, number: vec2<u32>) -> Acc {
    return Place(arg_key(value), number);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return place_combine(a, b);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < PLACE_WORDS; i++) {
        words[i] = place_word(acc, i);
    }
    return words;
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return place_of_words(words[0], words[1], words[2], words[PLACE_WORDS - 1u]);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(Place(arg_bits(total.key), total.number));
}

alias Leads = Lead;

const LEADS = 1u;

fn leads_start(vector: u32) -> Leads {
    return Lead(key_identity(), vector);
}

fn arg_keys(values: Quad) -> Keys {
    return Keys(arg_key(values.x), arg_key(values.y), arg_key(values.z), arg_key(values.w));
}

fn leads_include(leads: Leads, values: Quad, vector: u32) -> Leads {
    return lead_include(leads, arg_keys(values), vector);
}

// The vector that the lead of this number is in,
fn leads_vector(leads: Leads, i: u32) -> u32 {
    return leads.vector;
}

// and where its element is, of the vector's, of which the first one has this number.
fn leads_place(leads: Leads, i: u32, values: Quad, number: vec2<u32>) -> Acc {
    return lead_place(leads, arg_keys(values), number);
}

// Which end of the order is meant.
@if(end) override TAKES_LEAST: bool = false;

@if(end) fn arg_key(value: Elem) -> Key {
    if TAKES_LEAST {
        return least_key(value);
    }
    return largest_key(value);
}

@if(end) fn arg_bits(key: Key) -> Key {
    if TAKES_LEAST {
        return least_bits(key);
    }
    return largest_bits(key);
}

// Where the smallest and the largest element are.
@if(both) struct Acc {
    least: Place,
    largest: Place,
}
@if(both) alias Total = Acc;

@if(both) const ACC_WORDS = 2u * PLACE_WORDS;
@if(both) const SHUFFLED_WORDS = ACC_WORDS;
@if(both) const OUT_WORDS = ACC_WORDS;

@if(both) fn op_identity() -> Acc {
    return Acc(place_of_none(), place_of_none());
}

@if(both) fn op_lift_at(value: Elem, number: vec2<u32>) -> Acc {
    return Acc(Place(least_key(value), number), Place(largest_key(value), number));
}

@if(both) fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(place_combine(a.least, b.least), place_combine(a.largest, b.largest));
}

@if(both) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < PLACE_WORDS; i++) {
        words[i] = place_word(acc.least, i);
        words[PLACE_WORDS + i] = place_word(acc.largest, i);
    }
    return words;
}

@if(both) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        place_of_words(words[0], words[1], words[2], words[PLACE_WORDS - 1u]),
        place_of_words(
            words[PLACE_WORDS],
            words[PLACE_WORDS + 1u],
            words[PLACE_WORDS + 2u],
            words[2u * PLACE_WORDS - 1u],
        ),
    );
}

@if(both) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(Acc(
        Place(least_bits(total.least.key), total.least.number),
        Place(largest_bits(total.largest.key), total.largest.number),
    ));
}

@if(both) struct Leads {
    least: Lead,
    largest: Lead,
}

@if(both) const LEADS = 2u;

@if(both) fn leads_start(vector: u32) -> Leads {
    return Leads(Lead(key_identity(), vector), Lead(key_identity(), vector));
}

@if(both) fn least_keys(values: Quad) -> Keys {
    return Keys(least_key(values.x), least_key(values.y), least_key(values.z), least_key(values.w));
}

@if(both) fn largest_keys(values: Quad) -> Keys {
    return Keys(
        largest_key(values.x),
        largest_key(values.y),
        largest_key(values.z),
        largest_key(values.w),
    );
}

@if(both) fn leads_include(leads: Leads, values: Quad, vector: u32) -> Leads {
    return Leads(
        lead_include(leads.least, least_keys(values), vector),
        lead_include(leads.largest, largest_keys(values), vector),
    );
}

// The vector that the lead of this number is in,
@if(both) fn leads_vector(leads: Leads, i: u32) -> u32 {
    return select(leads.least.vector, leads.largest.vector, i == 1u);
}

// and where its element is, of the vector's, of which the first one has this number.
@if(both) fn leads_place(leads: Leads, i: u32, values: Quad, number: vec2<u32>) -> Acc {
    if i == 0u {
        return Acc(lead_place(leads.least, least_keys(values), number), place_of_none());
    }
    return Acc(place_of_none(), lead_place(leads.largest, largest_keys(values), number));
}

// An element by its key, and its number in the whole sequence: the first or the last of those with the greatest key.

// Which of them.
@if(place) override TAKES_LAST: bool = false;

@if(place) struct Place {
    key: Key,
    // The low word first.
    number: vec2<u32>,
}

@if(place) const PLACE_WORDS = KEY_WORDS + 2u;

// Of no elements: it comes after all, or before all.
@if(place) fn place_of_none() -> Place {
    return Place(key_identity(), select(vec2<u32>(0xffffffffu), vec2<u32>(0u), TAKES_LAST));
}

@if(place) fn number_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}

@if(place) fn place_combine(a: Place, b: Place) -> Place {
    let takes_other = number_less(b.number, a.number) != TAKES_LAST;
    let takes_b = key_less(a.key, b.key) | (key_equal(a.key, b.key) & takes_other);
    return Place(select(a.key, b.key, takes_b), select(a.number, b.number, takes_b));
}

// A word of a place in memory: the number, then the key.
@if(place) fn place_word(place: Place, i: u32) -> u32 {
    if i < 2u {
        return select(place.number.x, place.number.y, i == 1u);
    }
    return key_word(place.key, i - 2u);
}

@if(place) fn place_of_words(number_low: u32, number_high: u32, key_low: u32, key_high: u32) -> Place {
    return Place(key_of_words(key_low, key_high), vec2<u32>(number_low, number_high));
}

// What a lane knows while it goes through its vectors: the best key, and which vector has it. So it does no more for an element
// than an extremum does.
@if(place) struct Lead {
    key: Key,
    vector: u32,
}

// The keys of a vector's four elements.
@if(place) struct Keys {
    x: Key,
    y: Key,
    z: Key,
    w: Key,
}

// Vectors come in the order of their elements.
@if(place) fn lead_include(lead: Lead, keys: Keys, vector: u32) -> Lead {
    let best = key_larger(key_larger(keys.x, keys.y), key_larger(keys.z, keys.w));
    var takes = key_less(lead.key, best);
    if TAKES_LAST {
        takes = !key_less(best, lead.key);
    }
    return Lead(select(lead.key, best, takes), select(lead.vector, vector, takes));
}

// Which of the vector's elements it is. `number` is that of the first of them.
@if(place) fn lead_place(lead: Lead, keys: Keys, number: vec2<u32>) -> Place {
    var i = 0u;
    if TAKES_LAST {
        i = select(i, 1u, key_equal(keys.y, lead.key));
        i = select(i, 2u, key_equal(keys.z, lead.key));
        i = select(i, 3u, key_equal(keys.w, lead.key));
    } else {
        i = select(3u, 2u, key_equal(keys.z, lead.key));
        i = select(i, 1u, key_equal(keys.y, lead.key));
        i = select(i, 0u, key_equal(keys.x, lead.key));
    }
    return Place(lead.key, number_plus(number, i));
}

@if(place) fn number_plus(number: vec2<u32>, addend: u32) -> vec2<u32> {
    let low = number.x + addend;
    return vec2<u32>(low, number.y + select(0u, 1u, low < addend));
}
