//! A lock for the machine: most tests run in parallel, but some depend on timing and must run alone.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static MACHINE: RwLock<()> = RwLock::new(());

/// The lock of a test that may run in parallel with other tests.
pub(crate) fn lock_shared() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// The lock of a test that would fail on a busy machine.
pub(crate) fn lock_alone() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}
