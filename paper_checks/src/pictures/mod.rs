//! Pictures that the report shows beside an entry. In: a [`Context`](crate::context::Context). Out: figures and
//! tables of examples small enough to be seen whole.

pub(crate) mod approximation;
pub(crate) mod consistency;
pub(crate) mod effects;
pub(crate) mod identifiability;
pub(crate) mod intercept;
pub(crate) mod limit;
pub(crate) mod sufficiency;
