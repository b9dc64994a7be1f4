//! The table of functions behind the one export.

use crate::error::Error;
use crate::fingerprint::{Sampling, Side};
use crate::host::{borrowed, lent};
use crate::sys;
use std::fmt;
use std::mem;
use std::os::raw::c_char;
use std::ptr;
use std::str;

/// Where a module writes why it refused.
pub(crate) struct Refusal {
    text: Vec<u8>,
    said: sys::srp_error,
}

impl Refusal {
    const ROOM: usize = 4096;

    pub(crate) fn new() -> Self {
        let mut text = vec![0u8; Self::ROOM];
        let said = sys::srp_error {
            struct_size: mem::size_of::<sys::srp_error>() as u32,
            cap: Self::ROOM as u32,
            buf: text.as_mut_ptr().cast(),
            len: 0,
            config_offset: 0,
        };
        Refusal { text, said }
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut sys::srp_error {
        &mut self.said
    }

    pub(crate) fn error(&self, status: i32) -> Error {
        let len = (self.said.len as usize).min(self.text.len());
        let error = Error::new(
            status,
            String::from_utf8_lossy(&self.text[..len]).into_owned(),
        );
        match status {
            sys::SRP_E_CONFIG => error.at(self.said.config_offset as usize),
            _ => error,
        }
    }
}

/// The answer to one question put to the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether the acceptance may be acted on: the rule's LOCK, else REBIND.
    pub accepted: bool,
    /// The rule's sentence where it may not; else empty.
    pub why: String,
}

/// A policy module: the linked library, or one that the host has loaded by itself.
#[derive(Clone, Copy)]
pub struct Module {
    table: &'static sys::srp_module,
}

impl Module {
    /// The library that this program is linked with.
    ///
    /// # Errors
    /// [`Code::Abi`](crate::Code::Abi) where it does not serve version 1.
    pub fn linked() -> Result<Module, Error> {
        // SAFETY: the export has this type, and its table has static lifetime.
        unsafe { Module::from_table(sys::srp_module_get(sys::SRP_ABI_V1)) }
    }

    /// A module whose `srp_module_get(SRP_ABI_V1)` gave `table`.
    ///
    /// # Errors
    /// [`Code::Abi`](crate::Code::Abi) where `table` is null, of another major version, or shorter
    /// than version 1.
    ///
    /// # Safety
    /// A non-null `table` is that of a policy module, which stays loaded for good.
    pub unsafe fn from_table(table: *const sys::srp_module) -> Result<Module, Error> {
        let refused = |why: &str| Err(Error::new(sys::SRP_E_ABI, why.to_owned()));
        if table.is_null() {
            return refused("the module does not serve version 1 of the ABI");
        }
        // An older table may be shorter than the type, so its head is read before the rest.
        let size = ptr::addr_of!((*table).struct_size).read() as usize;
        let abi = ptr::addr_of!((*table).abi).read();
        if abi >> 16 != sys::SRP_ABI_V1 >> 16 || size < mem::size_of::<sys::srp_module>() {
            return refused("the module's table is not that of version 1 of the ABI");
        }
        Ok(Module { table: &*table })
    }

    pub(crate) fn table(&self) -> &'static sys::srp_module {
        self.table
    }

    /// The module's name and version: `specroute`, `0.1.0`.
    pub fn name_and_version(&self) -> (&'static str, &'static str) {
        (text_of(self.table.name), text_of(self.table.version))
    }

    /// The JSON Schema (draft-07) of a configuration.
    pub fn config_schema(&self) -> &'static str {
        text_of(self.table.config_schema)
    }

    /// Checks a configuration without making an instance.
    ///
    /// # Errors
    /// All its faults, and the byte of the first.
    pub fn validate(&self, config_json: &str) -> Result<(), Error> {
        let mut refusal = Refusal::new();
        // SAFETY: both are valid for the call.
        let status = unsafe { (self.table.validate)(lent(config_json), refusal.as_mut_ptr()) };
        match status {
            sys::SRP_OK => Ok(()),
            status => Err(refusal.error(status)),
        }
    }

    /// The name of a reason; empty where the module has none.
    pub fn reason_code(&self, reason: u32) -> &'static str {
        // SAFETY: any number may be asked for.
        text_of(unsafe { (self.table.reason_code)(reason) })
    }

    /// `params_hash` of version 1 or 2 as 16 hex digits.
    ///
    /// # Errors
    /// [`Code::Argument`](crate::Code::Argument) where the version is another.
    pub fn params_hash(&self, version: u32, sampling: &Sampling) -> Result<String, Error> {
        let mut digits: [c_char; 17] = [0; 17];
        let asked = sampling.to_abi();
        // SAFETY: `asked` borrows from `sampling`; 17 bytes are what it writes.
        let status = unsafe { (self.table.params_hash)(version, &asked, digits.as_mut_ptr()) };
        if status != sys::SRP_OK {
            let why = format!("there is no params_hash of version {}", version);
            return Err(Error::new(status, why));
        }
        Ok(digits[..16]
            .iter()
            .map(|digit| *digit as u8 as char)
            .collect())
    }

    /// The rule put to two sides and two rates: any double is taken, as the rule's code does.
    pub fn judge(
        &self,
        (draft, target): (&Side, &Side),
        pre_acceptance: f64,
        post_acceptance: f64,
        forwarded_logits: bool,
    ) -> Judgement {
        let case = sys::srp_case {
            draft: draft.to_abi(),
            target: target.to_abi(),
            pre_acceptance,
            post_acceptance,
            forwarded_logits: u32::from(forwarded_logits),
            reserved: 0,
        };
        // SAFETY: `case` is valid for the call.
        let (status, why) = unsafe { filled(self.table.judge, &case) };
        Judgement {
            accepted: status == i32::from(sys::SRP_LOCK),
            why,
        }
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, version) = self.name_and_version();
        write!(out, "Module({} {})", name, version)
    }
}

/// A text that a module lends for good; empty where it is no UTF-8.
fn text_of(text: sys::srp_str) -> &'static str {
    // SAFETY: a module's texts have static lifetime.
    str::from_utf8(unsafe { borrowed(text) }).unwrap_or("")
}

type Fill<T> = unsafe extern "C" fn(*const T, *mut c_char, usize, *mut usize) -> i32;

/// What `fill` says of `subject`: its status, and its whole text.
///
/// # Safety
/// `fill` is a module's, and `subject` what it takes.
pub(crate) unsafe fn filled<T>(fill: Fill<T>, subject: &T) -> (i32, String) {
    let mut bytes = vec![0u8; 512];
    loop {
        let mut need = 0usize;
        let status = fill(subject, bytes.as_mut_ptr().cast(), bytes.len(), &mut need);
        if need <= bytes.len() {
            let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(0);
            return (status, String::from_utf8_lossy(&bytes[..len]).into_owned());
        }
        bytes.resize(need, 0);
    }
}
