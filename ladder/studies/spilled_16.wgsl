// Words of each lane's array.
const SPILLED = 16u;
