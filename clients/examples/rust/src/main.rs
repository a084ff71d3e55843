//! Searches a namespace of a running Anamnesis and prints the hits.
//!
//!     cargo run -- --namespace demo --user mara "what is Mara allergic to?"

use std::collections::HashMap;
use std::time::Duration;

use tonic::Request;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig};

use pb::anamnesis::common::v1::Caller;
use pb::anamnesis::retrieval::v1::SearchRequest;
use pb::anamnesis::retrieval::v1::retrieval_service_client::RetrievalServiceClient;

#[allow(clippy::all, dead_code)]
mod pb {
    include!(concat!(env!("OUT_DIR"), "/anamnesis.rs"));
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let (options, question) = arguments();
    if question.is_empty() {
        eprintln!("usage: search [--server HOST:PORT] [--namespace NAME] [--user ID] QUESTION");
        std::process::exit(2);
    }
    let option = |name: &str, default: &str| {
        options.get(name).map_or(default.to_owned(), String::clone)
    };

    let server = option("server", "127.0.0.1:50051");
    let channel = connect(&server, options.get("tls-ca")).await?;
    let mut request = Request::new(SearchRequest {
        namespace: option("namespace", "default"),
        query: question.join(" "),
        limit: option("limit", "3").parse()?,
        caller: Some(Caller { user_id: option("user", ""), ..Default::default() }),
        ..Default::default()
    });
    request.set_timeout(Duration::from_secs(10));
    if let Some(file) = options.get("api-key-file") {
        let key = std::fs::read_to_string(file)?;
        let header: MetadataValue<Ascii> = format!("Bearer {}", key.trim()).parse()?;
        request.metadata_mut().insert("authorization", header);
    }

    let answer = RetrievalServiceClient::new(channel).search(request).await?.into_inner();
    for result in answer.results {
        let memory = result.memory.unwrap_or_default();
        println!("{:6.2}  {}  {}", result.score, memory.pointer, memory.summary);
    }
    Ok(())
}

async fn connect(server: &str, roots: Option<&String>) -> Outcome<Channel> {
    let Some(file) = roots else {
        return Ok(Channel::from_shared(format!("http://{server}"))?.connect().await?);
    };
    let roots = Certificate::from_pem(std::fs::read(file)?);
    let tls = ClientTlsConfig::new().ca_certificate(roots);
    Ok(Channel::from_shared(format!("https://{server}"))?.tls_config(tls)?.connect().await?)
}

fn arguments() -> (HashMap<String, String>, Vec<String>) {
    let (mut options, mut question) = (HashMap::new(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            Some(name) => {
                options.insert(name.to_owned(), words.next().unwrap_or_default());
            }
            None => question.push(word),
        }
    }
    (options, question)
}
