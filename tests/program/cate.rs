//! `ebmbook cate` on files, as a user runs it.
