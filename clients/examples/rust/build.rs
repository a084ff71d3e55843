//! Generates the code for the contracts in `protos/`. protox compiles them, so that no protoc has
//! to be installed.

use std::path::Path;

const PROTOS: &str = "../../../protos";
const SERVICES: [&str; 1] = ["anamnesis/retrieval/v1/retrieval_service.proto"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={PROTOS}");
    let files = SERVICES.map(|name| Path::new(PROTOS).join(name));
    let descriptors = protox::compile(files, [PROTOS])?;
    tonic_prost_build::configure()
        .build_server(false)
        .include_file("anamnesis.rs")
        .compile_fds(descriptors)?;
    Ok(())
}
