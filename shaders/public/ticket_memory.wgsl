var<workgroup> ticket_is_last: u32;
