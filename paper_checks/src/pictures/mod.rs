//! Pictures and tables that notebooks and the report share. In: a [`Context`](crate::context::Context). Out: figures and
//! tables of examples small enough to be seen whole.

pub mod approximation;
pub mod committed;
pub mod consistency;
pub mod effects;
pub mod identifiability;
pub mod intercept;
pub mod limit;
pub mod sufficiency;
