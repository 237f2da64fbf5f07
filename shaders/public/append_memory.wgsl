var<workgroup> append_begin: u32;
