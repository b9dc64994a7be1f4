//! What a module refuses, and why.

use crate::sys;
use std::fmt;

/// The ABI's error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// The library does not serve version 1.
    Abi,
    /// The configuration is refused; [`Error::offset`] says where.
    Config,
    /// A record shorter than its type, or counts that cannot be.
    Argument,
    /// `now` is before the `now` of an earlier event.
    Time,
    /// A second bind of one (pairing, profile), or a snapshot that does not fit.
    State,
    /// Out of memory or room.
    Space,
    /// A code that this crate does not know.
    Other(i32),
}

/// A refusal. After one of [`Policy::on_event`](crate::Policy::on_event) nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: Code,
    text: String,
    offset: Option<usize>,
}

impl Error {
    pub(crate) fn new(status: i32, text: String) -> Self {
        let code = match status {
            sys::SRP_E_ABI => Code::Abi,
            sys::SRP_E_CONFIG => Code::Config,
            sys::SRP_E_ARG => Code::Argument,
            sys::SRP_E_TIME => Code::Time,
            sys::SRP_E_STATE => Code::State,
            sys::SRP_E_SPACE => Code::Space,
            other => Code::Other(other),
        };
        Error {
            code,
            text,
            offset: None,
        }
    }

    pub(crate) fn at(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Which kind of refusal it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The module's own words: every fault of a configuration, one a line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte of the configuration at which the first fault is; of a configuration alone.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(byte) => write!(out, "byte {}: {}", byte, self.text),
            None => out.write_str(&self.text),
        }
    }
}

impl std::error::Error for Error {}
