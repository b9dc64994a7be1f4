//! One instance of a policy.

use crate::decision::{Decision, Decisions, Status};
use crate::error::Error;
use crate::event::Event;
use crate::host::{lent, Host, Log};
use crate::module::{filled, Module, Refusal};
use crate::sys;
use std::fmt;
use std::mem;
use std::ptr::{self, NonNull};

/// An instance, which may move between threads but is called by one at a time.
///
/// ```compile_fail
/// fn shared<T: Sync>() {}
/// shared::<specroute_router::Policy>();
/// ```
/// ```
/// fn moved<T: Send>() {}
/// moved::<specroute_router::Policy>();
/// ```
pub struct Policy {
    module: Module,
    instance: NonNull<sys::srp_policy>,
    /// Lent to the instance, which is destroyed before it.
    _host: Box<Host>,
    out: Vec<sys::srp_decision>,
    /// A record of foreign bytes, aligned.
    record: Vec<u64>,
}

// SAFETY: an instance has no thread of its own and no state outside of it; Log is Send.
unsafe impl Send for Policy {}

impl Policy {
    /// Room for the decisions of any event but a tick that wakes more pairings.
    const DECISIONS: usize = 64;

    /// Of the linked library, from its configuration in JSON.
    ///
    /// # Errors
    /// The library's words and the byte offset of the offence; a library of another ABI.
    pub fn new(config_json: &str) -> Result<Policy, Error> {
        Policy::of(Module::linked()?, config_json)
    }

    /// Of any module.
    ///
    /// # Errors
    /// As [`Policy::new`].
    pub fn of(module: Module, config_json: &str) -> Result<Policy, Error> {
        Policy::make(module, config_json, None)
    }

    /// The same with a place for what the module logs. A panic of `log` ends in it.
    ///
    /// # Errors
    /// As [`Policy::new`].
    pub fn with_log<F>(module: Module, config_json: &str, log: F) -> Result<Policy, Error>
    where
        F: FnMut(i32, &str) + Send + 'static,
    {
        Policy::make(module, config_json, Some(Box::new(log)))
    }

    fn make(module: Module, config_json: &str, log: Option<Log>) -> Result<Policy, Error> {
        let host = Host::new(log);
        let table = host.table();
        let mut refusal = Refusal::new();
        let mut made = ptr::null_mut();
        // SAFETY: all four are valid for the call; what the instance keeps of the host's table
        // (its box) lives as long as the policy.
        let status = unsafe {
            (module.table().create)(&table, lent(config_json), &mut made, refusal.as_mut_ptr())
        };
        match NonNull::new(made) {
            Some(instance) if status == sys::SRP_OK => Ok(Policy {
                module,
                instance,
                _host: host,
                out: vec![Default::default(); Policy::DECISIONS],
                record: Vec::new(),
            }),
            _ => Err(refusal.error(status)),
        }
    }

    /// Feeds one event.
    ///
    /// # Errors
    /// What cannot be: the policy's state is then as it was.
    pub fn on_event<E: Event>(&mut self, event: &E) -> Result<Decisions<'_>, Error> {
        // SAFETY: a record of this crate tells its own size.
        unsafe { self.feed(event.record()) }
    }

    /// Feeds one record as it stands in a trace, which may be of a newer host: of a type that the
    /// library does not know, or longer than this crate's.
    ///
    /// # Errors
    /// As [`on_event`](Policy::on_event), and where `bytes` end before the record does.
    pub fn on_record(&mut self, bytes: &[u8]) -> Result<Decisions<'_>, Error> {
        let size = match bytes.get(..4) {
            Some(head) => u32::from_ne_bytes([head[0], head[1], head[2], head[3]]) as usize,
            None => 0,
        };
        if size < mem::size_of::<sys::srp_record>() || size > bytes.len() {
            let why = format!("a record of {} bytes in {}", size, bytes.len());
            return Err(Error::new(sys::SRP_E_ARG, why));
        }
        self.record.clear();
        self.record.resize((size + 7) / 8, 0);
        let record: *const sys::srp_record = self.record.as_ptr().cast();
        // SAFETY: the copy is aligned, at least a head long, and as long as the head says.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.record.as_mut_ptr().cast(), size);
            self.feed(record)
        }
    }

    /// # Safety
    /// `event` is aligned, and valid for as many bytes as it says.
    unsafe fn feed(&mut self, event: *const sys::srp_record) -> Result<Decisions<'_>, Error> {
        let mut said = 0;
        loop {
            let room = &mut self.out[said..];
            let mut used = 0usize;
            let status = (self.module.table().on_event)(
                self.instance.as_ptr(),
                event,
                room.as_mut_ptr().cast(),
                mem::size_of_val(room),
                &mut used,
            );
            let found = (used / mem::size_of::<sys::srp_decision>()).min(room.len());
            said += found;
            let status = match status {
                sys::SRP_OK => Status::Applied,
                sys::SRP_IGNORED => Status::Ignored,
                sys::SRP_E_FULL => Status::Evicted,
                // A tick with more to say: what it said holds, and it is sent again.
                sys::SRP_E_SPACE if found > 0 => {
                    self.out.resize(self.out.len() * 2, Default::default());
                    continue;
                }
                refused => return Err(Error::new(refused, refusal_of(refused).to_owned())),
            };
            return Ok(Decisions::new(status, &self.out[..said]));
        }
    }

    /// The module that it is of.
    pub fn module(&self) -> Module {
        self.module
    }

    /// The name of a decision's reason: `params_differ`, `cooling_down`, ...
    pub fn reason(&self, decision: &Decision) -> &'static str {
        self.module.reason_code(decision.reason_number())
    }

    /// A decision as one English sentence with its numbers.
    pub fn explain(&self, decision: &Decision) -> String {
        // SAFETY: a decision is a whole record.
        unsafe { filled(self.module.table().explain, decision.record()).1 }
    }

    /// The whole state as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let write = self.module.table().snapshot;
        let mut need = 0usize;
        // SAFETY: nothing is written to no room; then as many bytes as there are.
        unsafe {
            write(self.instance.as_ptr(), ptr::null_mut(), 0, &mut need);
            let mut bytes = vec![0u8; need];
            write(
                self.instance.as_ptr(),
                bytes.as_mut_ptr().cast(),
                need,
                &mut need,
            );
            bytes
        }
    }

    /// Takes the state of a policy of the same configuration. Equal digests have equal futures.
    ///
    /// # Errors
    /// Bytes that are damaged, or of another configuration: the state is then as it was.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), Error> {
        let mut refusal = Refusal::new();
        // SAFETY: the bytes are valid for the call.
        let status = unsafe {
            (self.module.table().restore)(
                self.instance.as_ptr(),
                snapshot.as_ptr().cast(),
                snapshot.len(),
                refusal.as_mut_ptr(),
            )
        };
        match status {
            sys::SRP_OK => Ok(()),
            status => Err(refusal.error(status)),
        }
    }

    /// Equal digests, equal futures.
    pub fn digest(&self) -> u64 {
        // SAFETY: the instance is alive.
        unsafe { (self.module.table().state_digest)(self.instance.as_ptr()) }
    }
}

fn refusal_of(status: i32) -> &'static str {
    match status {
        sys::SRP_E_ARG => "a record shorter than its type, or counts that cannot be",
        sys::SRP_E_TIME => "its `now` is before that of an earlier event",
        sys::SRP_E_STATE => "a second bind of this pairing and profile",
        _ => "the module refuses the event",
    }
}

impl Drop for Policy {
    fn drop(&mut self) {
        // SAFETY: it is alive until here, and its host until after.
        unsafe { (self.module.table().destroy)(self.instance.as_ptr()) }
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Policy({:?}, {:016x})", self.module, self.digest())
    }
}
