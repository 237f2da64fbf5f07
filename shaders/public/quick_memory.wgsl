// The subgroups' totals where there is a quick way to a workgroup's. Twice: while lanes still look at those of one call, others may write the next
// one's. So no barrier stands between calls.

const QUICK_TOTALS = 16u;

var<workgroup> quick_totals: array<u32, QUICK_TOTALS>;
// Where those of the next call begin. All lanes come to all calls.
var<private> quick_begin: u32;
