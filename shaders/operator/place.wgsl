// An element by its key, and its number in the whole sequence: the first or the last of those with the greatest key.

// Which of them.
override TAKES_LAST: bool = false;

struct Place {
    key: Key,
    // The low word first.
    number: vec2<u32>,
}

const PLACE_WORDS = KEY_WORDS + 2u;

// Of no elements: it comes after all, or before all.
fn place_of_none() -> Place {
    return Place(key_identity(), select(vec2<u32>(0xffffffffu), vec2<u32>(0u), TAKES_LAST));
}

fn number_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}

fn place_combine(a: Place, b: Place) -> Place {
    let takes_other = number_less(b.number, a.number) != TAKES_LAST;
    let takes_b = key_less(a.key, b.key) | (key_equal(a.key, b.key) & takes_other);
    return Place(select(a.key, b.key, takes_b), select(a.number, b.number, takes_b));
}

// A word of a place in memory: the number, then the key.
fn place_word(place: Place, i: u32) -> u32 {
    if i < 2u {
        return select(place.number.x, place.number.y, i == 1u);
    }
    return key_word(place.key, i - 2u);
}

fn place_of_words(number_low: u32, number_high: u32, key_low: u32, key_high: u32) -> Place {
    return Place(key_of_words(key_low, key_high), vec2<u32>(number_low, number_high));
}

// What a lane knows while it goes through its vectors: the best key, and which vector has it. So it does no more for an element
// than an extremum does.
struct Lead {
    key: Key,
    vector: u32,
}

// The keys of a vector's four elements.
struct Keys {
    x: Key,
    y: Key,
    z: Key,
    w: Key,
}

// Vectors come in the order of their elements.
fn lead_include(lead: Lead, keys: Keys, vector: u32) -> Lead {
    let best = key_larger(key_larger(keys.x, keys.y), key_larger(keys.z, keys.w));
    var takes = key_less(lead.key, best);
    if TAKES_LAST {
        takes = !key_less(best, lead.key);
    }
    return Lead(select(lead.key, best, takes), select(lead.vector, vector, takes));
}

// Which of the vector's elements it is. `number` is that of the first of them.
fn lead_place(lead: Lead, keys: Keys, number: vec2<u32>) -> Place {
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

fn number_plus(number: vec2<u32>, addend: u32) -> vec2<u32> {
    let low = number.x + addend;
    return vec2<u32>(low, number.y + select(0u, 1u, low < addend));
}
