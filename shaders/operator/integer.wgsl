// Folds of integers of one word, or of several components, each a word.

fn op_identity() -> Acc {
    if FOLD == FOLD_PRODUCT {
        return Acc(1u);
    }
    if FOLD == FOLD_AND {
        return ~Acc(0u);
    }
    return Acc(0u);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    if FOLD == FOLD_SUM {
        return a + b;
    }
    if FOLD == FOLD_PRODUCT {
        return a * b;
    }
    if FOLD == FOLD_AND {
        return a & b;
    }
    if FOLD == FOLD_OR {
        return a | b;
    }
    return a ^ b;
}
