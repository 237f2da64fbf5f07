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
