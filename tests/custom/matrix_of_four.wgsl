// The product of matrices of four rows and four columns, modulo 2^32: sixteen words.
alias Row = vec4<u32>;

struct Matrix {
    a: Row,
    b: Row,
    c: Row,
    d: Row,
}

fn identity() -> Matrix {
    return Matrix(Row(1u, 0u, 0u, 0u), Row(0u, 1u, 0u, 0u), Row(0u, 0u, 1u, 0u), Row(0u, 0u, 0u, 1u));
}

fn lift(x: u32) -> Matrix {
    return Matrix(
        Row(x, 1u, 2u, x >> 7u),
        Row(x * x, 3u, 0u, 1u),
        Row(1u, x ^ 5u, 1u, 0u),
        Row(0u, 1u, x >> 1u, 7u),
    );
}

fn row_times(row: Row, matrix: Matrix) -> Row {
    return row.x * matrix.a + row.y * matrix.b + row.z * matrix.c + row.w * matrix.d;
}

fn combine(a: Matrix, b: Matrix) -> Matrix {
    return Matrix(row_times(a.a, b), row_times(a.b, b), row_times(a.c, b), row_times(a.d, b));
}
