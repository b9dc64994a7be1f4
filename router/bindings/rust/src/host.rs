//! What a policy borrows from its host: memory from Rust's allocator, and a place to log.
//! The callbacks are called from C: none of them may unwind.

use crate::sys;
use std::alloc::{alloc, dealloc, Layout};
use std::cell::UnsafeCell;
use std::mem;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::slice;

/// Receives what a module logs: its level and its words.
pub(crate) type Log = Box<dyn FnMut(i32, &str) + Send>;

/// The table and the log behind it, at one address for as long as the instance lives.
pub(crate) struct Host {
    log: UnsafeCell<Log>,
}

impl Host {
    pub(crate) fn new(log: Option<Log>) -> Box<Self> {
        Box::new(Host {
            log: UnsafeCell::new(log.unwrap_or_else(|| Box::new(|_, _| {}))),
        })
    }

    pub(crate) fn table(&self) -> sys::srp_host {
        sys::srp_host {
            struct_size: mem::size_of::<sys::srp_host>() as u32,
            abi: sys::SRP_ABI_V1,
            ctx: self as *const Host as *mut c_void,
            alloc: Some(lend),
            free: Some(take_back),
            log: Some(log),
        }
    }
}

/// None where the allocator could not be asked: an alignment that is no power of two, or too much.
fn layout_of(size: usize, align: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), align).ok()
}

unsafe extern "C" fn lend(_: *mut c_void, size: usize, align: usize) -> *mut c_void {
    match layout_of(size, align) {
        Some(layout) => alloc(layout).cast(),
        None => ptr::null_mut(),
    }
}

unsafe extern "C" fn take_back(_: *mut c_void, lent: *mut c_void, size: usize, align: usize) {
    if lent.is_null() {
        return;
    }
    if let Some(layout) = layout_of(size, align) {
        dealloc(lent.cast(), layout);
    }
}

unsafe extern "C" fn log(ctx: *mut c_void, level: i32, text: sys::srp_str) {
    // A log that panics is the host's own affair, and ends here.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let host = &*(ctx as *const Host);
        let bytes = borrowed(text);
        (*host.log.get())(level, &String::from_utf8_lossy(bytes));
    }));
}

/// The bytes of a text that C lends.
///
/// # Safety
/// `text` is null and empty, or valid for as long as the caller says.
pub(crate) unsafe fn borrowed<'a>(text: sys::srp_str) -> &'a [u8] {
    if text.ptr.is_null() {
        return &[];
    }
    slice::from_raw_parts(text.ptr.cast(), text.len)
}

/// A text as C borrows it.
pub(crate) fn lent(text: &str) -> sys::srp_str {
    sys::srp_str {
        ptr: text.as_ptr().cast(),
        len: text.len(),
    }
}
