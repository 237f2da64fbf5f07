// Words of each lane's array.
const SPILLED = 256u;
