//! Where the shared library is: in SPECROUTE_ROUTER_LIB_DIR, else where pkg-config says, else where
//! the linker looks by itself.

use std::env;
use std::process::Command;

/// The directories of `-L` that pkg-config gives for the package; none where it knows none.
fn directories_of_pkg_config() -> Vec<String> {
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_owned());
    let said = Command::new(program)
        .args(["--libs-only-L", "specroute-router"])
        .output();
    match said {
        Ok(said) if said.status.success() => String::from_utf8_lossy(&said.stdout)
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("-L"))
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["SPECROUTE_ROUTER_LIB_DIR", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    let directories = match env::var("SPECROUTE_ROUTER_LIB_DIR") {
        Ok(given) => vec![given],
        Err(_) => directories_of_pkg_config(),
    };
    for directory in directories {
        println!("cargo:rustc-link-search=native={}", directory);
    }
    println!("cargo:rustc-link-lib=dylib=specroute_router");
}
