//! The pages, made of what one observer may see. Each file is a page or a part of one; `layout` is what all have around them.

pub(crate) mod art;
pub(crate) mod layout;
pub(crate) mod points;
pub(crate) mod problem;
pub(crate) mod table;
pub(crate) mod tell;

pub(crate) use layout::page;
