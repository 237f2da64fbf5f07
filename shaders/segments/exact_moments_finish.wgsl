// The end of exact sums of a segment's elements and of their squares: what is rounded is made of their limbs.

var<private> limbs: array<u32, LIMBS>;

// Elements of the segment.
var<private> segment_len: vec2<u32>;

fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let words = op_pack(total);
    limbs = array<u32, LIMBS>(
        words[0],
        words[1],
        words[2],
        words[3],
        words[4],
        words[5],
        words[6],
        words[7],
        words[8],
        words[9],
        words[10],
        words[11],
        words[12],
        words[13],
        words[14],
        words[15],
        words[16],
        words[17],
        words[18],
        words[19],
        words[20],
        words[21],
        words[22],
        words[23],
        words[24],
        words[25],
        words[26],
        words[27],
        words[28],
        words[29],
    );
    segment_len = len;
    return array<u32, OUT_WORDS>(exact_value(total.specials, len));
}
