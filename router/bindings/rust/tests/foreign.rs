//! A module that is not the linked library: what the crate takes of a table, what it lends, and that
//! nothing unwinds through C.

use specroute_router::sys::*;
use specroute_router::{Code, Head, Module, Policy, Tick};
use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::ptr;
use std::sync::mpsc;
use std::time::Duration;

fn text(of: &'static str) -> srp_str {
    srp_str {
        ptr: of.as_ptr().cast(),
        len: of.len(),
    }
}

/// The instance of this module: its host, kept.
struct Kept {
    ctx: *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize),
    log: unsafe extern "C" fn(*mut c_void, i32, srp_str),
}

unsafe extern "C" fn create(
    host: *const srp_host,
    _: srp_str,
    out: *mut *mut srp_policy,
    _: *mut srp_error,
) -> i32 {
    let host = &*host;
    let (lend, free) = (host.alloc.unwrap(), host.free.unwrap());
    // What no allocator can give is refused, and does not end the program.
    assert!(lend(host.ctx, 8, 3).is_null());
    assert!(lend(host.ctx, usize::MAX, 8).is_null());
    free(host.ctx, ptr::null_mut(), 8, 8);
    let empty = lend(host.ctx, 0, 1);
    assert!(!empty.is_null());
    free(host.ctx, empty, 0, 1);
    let block = lend(host.ctx, size_of::<Kept>(), 4096).cast::<Kept>();
    assert_eq!(block as usize % 4096, 0);
    block.write(Kept {
        ctx: host.ctx,
        free,
        log: host.log.unwrap(),
    });
    *out = block.cast();
    SRP_OK
}

unsafe extern "C" fn destroy(policy: *mut srp_policy) {
    let kept = policy.cast::<Kept>().read();
    (kept.free)(kept.ctx, policy.cast(), size_of::<Kept>(), 4096);
}

/// Logs, and says nothing.
unsafe extern "C" fn on_event(
    policy: *mut srp_policy,
    _: *const srp_record,
    _: *mut c_void,
    _: usize,
    used: *mut usize,
) -> i32 {
    let kept = &*policy.cast::<Kept>();
    (kept.log)(kept.ctx, 2, text("heard"));
    *used = 0;
    SRP_OK
}

unsafe extern "C" fn validate(_: srp_str, _: *mut srp_error) -> i32 {
    SRP_OK
}
unsafe extern "C" fn snapshot(
    _: *const srp_policy,
    _: *mut c_void,
    _: usize,
    _: *mut usize,
) -> i32 {
    SRP_OK
}
unsafe extern "C" fn restore(
    _: *mut srp_policy,
    _: *const c_void,
    _: usize,
    _: *mut srp_error,
) -> i32 {
    SRP_E_STATE
}
unsafe extern "C" fn state_digest(_: *const srp_policy) -> u64 {
    7
}
unsafe extern "C" fn reason_code(_: u32) -> srp_str {
    text("")
}
unsafe extern "C" fn explain(
    _: *const srp_decision,
    _: *mut c_char,
    _: usize,
    _: *mut usize,
) -> i32 {
    SRP_E_ARG
}
unsafe extern "C" fn params_hash(_: u32, _: *const srp_sampling, _: *mut c_char) -> i32 {
    SRP_E_ARG
}
unsafe extern "C" fn judge(_: *const srp_case, _: *mut c_char, _: usize, _: *mut usize) -> i32 {
    SRP_E_ARG
}

fn table(struct_size: usize, abi: u32) -> &'static srp_module {
    Box::leak(Box::new(srp_module {
        struct_size: struct_size as u32,
        abi,
        name: text("foreign"),
        version: text("9"),
        config_schema: text("{}"),
        validate,
        create,
        destroy,
        on_event,
        snapshot,
        restore,
        state_digest,
        reason_code,
        explain,
        params_hash,
        judge,
    }))
}

fn module(struct_size: usize, abi: u32) -> Result<Module, Code> {
    // SAFETY: a table of static lifetime.
    unsafe { Module::from_table(table(struct_size, abi)) }.map_err(|refused| refused.code())
}

const WHOLE: usize = size_of::<srp_module>();

#[test]
fn a_table_is_taken_by_its_major_version_and_its_size() {
    assert!(module(WHOLE, SRP_ABI_V1).is_ok());
    // A newer minor version, whose table is longer.
    assert!(module(WHOLE + 16, SRP_ABI_V1 + 1).is_ok());
    assert_eq!(module(WHOLE - 8, SRP_ABI_V1).unwrap_err(), Code::Abi);
    assert_eq!(module(WHOLE, 2 << 16).unwrap_err(), Code::Abi);
    // SAFETY: null is allowed.
    let none = unsafe { Module::from_table(ptr::null()) };
    assert_eq!(none.unwrap_err().code(), Code::Abi);
}

#[test]
fn a_module_logs_to_its_host() {
    let (said, heard) = mpsc::channel();
    let log = move |level, words: &str| said.send((level, words.to_owned())).unwrap();
    let module = module(WHOLE, SRP_ABI_V1).unwrap();
    let mut policy = Policy::with_log(module, "{}", log).unwrap();
    policy
        .on_event(&Tick::new(Head::at(Duration::ZERO)))
        .unwrap();
    assert_eq!(heard.try_recv().unwrap(), (2, "heard".to_owned()));
    assert_eq!(policy.digest(), 7);
}

#[test]
fn a_log_that_panics_ends_in_the_host() {
    let module = module(WHOLE, SRP_ABI_V1).unwrap();
    let mut policy = Policy::with_log(module, "{}", |_, _| panic!("the log is full")).unwrap();
    for _ in 0..2 {
        let answer = policy
            .on_event(&Tick::new(Head::at(Duration::ZERO)))
            .unwrap();
        assert_eq!(answer.iter().count(), 0);
    }
}
