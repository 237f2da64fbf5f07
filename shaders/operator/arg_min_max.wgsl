// Where the smallest and the largest element are.
struct Acc {
    least: Place,
    largest: Place,
}
alias Total = Acc;

const ACC_WORDS = 2u * PLACE_WORDS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = ACC_WORDS;

fn op_identity() -> Acc {
    return Acc(place_of_none(), place_of_none());
}

fn op_lift_at(value: Elem, number: vec2<u32>) -> Acc {
    return Acc(Place(least_key(value), number), Place(largest_key(value), number));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(place_combine(a.least, b.least), place_combine(a.largest, b.largest));
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < PLACE_WORDS; i++) {
        words[i] = place_word(acc.least, i);
        words[PLACE_WORDS + i] = place_word(acc.largest, i);
    }
    return words;
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
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

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(Acc(
        Place(least_bits(total.least.key), total.least.number),
        Place(largest_bits(total.largest.key), total.largest.number),
    ));
}

struct Leads {
    least: Lead,
    largest: Lead,
}

const LEADS = 2u;

fn leads_start(vector: u32) -> Leads {
    return Leads(Lead(key_identity(), vector), Lead(key_identity(), vector));
}

fn least_keys(values: Quad) -> Keys {
    return Keys(least_key(values.x), least_key(values.y), least_key(values.z), least_key(values.w));
}

fn largest_keys(values: Quad) -> Keys {
    return Keys(
        largest_key(values.x),
        largest_key(values.y),
        largest_key(values.z),
        largest_key(values.w),
    );
}

fn leads_include(leads: Leads, values: Quad, vector: u32) -> Leads {
    return Leads(
        lead_include(leads.least, least_keys(values), vector),
        lead_include(leads.largest, largest_keys(values), vector),
    );
}

// The vector that the lead of this number is in,
fn leads_vector(leads: Leads, i: u32) -> u32 {
    return select(leads.least.vector, leads.largest.vector, i == 1u);
}

// and where its element is, of the vector's, of which the first one has this number.
fn leads_place(leads: Leads, i: u32, values: Quad, number: vec2<u32>) -> Acc {
    if i == 0u {
        return Acc(lead_place(leads.least, least_keys(values), number), place_of_none());
    }
    return Acc(place_of_none(), lead_place(leads.largest, largest_keys(values), number));
}
