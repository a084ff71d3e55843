"""The settings: one small class a stage, each field with its default and its meaning.

To add a setting, add a field here; its TOML key, its `ANAMNESIS_` variable, its check and the
refusal of misspelt names follow from it. Values come from `libs/anamnesis_libs/settings/config.py`.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from anamnesis_libs.logs import Form, Level
from anamnesis_libs.settings.group import MIB, Positive, Seconds, Share
from anamnesis_libs.settings.group import Group as Group
from anamnesis_libs.settings.models import Models as Models


class Server(Group):
    """The process: where it listens, where its data is, how much it takes on."""

    listen: str = Field("127.0.0.1:50051", description="host:port; port 0 takes a free one")
    http_listen: str = Field(
        "", description="host:port of JSON over HTTP and of gRPC-Web; empty: it is off"
    )
    http_origins: str = Field(
        "",
        description="origins of web pages that may call it, as https://app.example.com, parted by "
        "commas; *: all",
    )
    data_dir: Path = Field(Path("anamnesis-data"), description="the memory service's own files")
    message_bytes_max: Positive = Field(16 * MIB, description="largest gRPC message")
    concurrent_rpcs_max: Positive = Field(1024, description="calls at once; more are refused")
    grace_s: Seconds = Field(10.0, description="time for running calls to finish at a stop")
    keepalive_s: Seconds = Field(60.0, description="quiet time before a connection is probed")
    keepalive_timeout_s: Seconds = Field(
        20.0, description="time without an answer to a probe that closes the connection"
    )
    connection_age_s_max: float = Field(
        0.0,
        ge=0,
        description="age that rotates a connection, so that new replicas get calls; 0: never",
    )
    connections_max: Positive = Field(4096, description="connections at once; more are refused")
    connection_idle_s_max: Seconds = Field(
        900.0, description="time without a call after which a connection is closed"
    )
    handshake_s_max: Seconds = Field(
        20.0, description="time that a new connection has to begin to speak"
    )
    stream_idle_s_max: Seconds = Field(
        300.0, description="time that a stream of requests may stay silent before it is ended"
    )
    threads_max: Positive = Field(8, description="threads for what would block the event loop")


class Security(Group):
    """Access to this server: TLS, keys and tokens, and the limits of each."""

    tls_cert_file: Path | None = Field(None, description="PEM certificate chain of this server")
    tls_key_file: Path | None = Field(None, description="PEM key of that certificate")
    tls_ca_file: Path | None = Field(None, description="PEM roots of the peers' certificates")
    api_keys_file: Path | None = Field(
        None, description="API keys of operators and services, one a line; they may do everything"
    )
    agent_keys_file: Path | None = Field(
        None,
        description="API keys of agents: `KEY`, behind it `agent=NAME user=NAME` (*: any), "
        "`namespaces=NAME,NAME`, `rights=read,write,destroy,operate,work`, limits; see SECURITY.md",
    )
    jwt_issuer: str = Field("", description="`iss` of the tokens that are accepted beside keys")
    jwt_audience: str = Field("", description="`aud` of these tokens, which names this suite")
    jwt_jwks_file: Path | None = Field(
        None, description="JWKS: the public keys that sign these tokens"
    )
    calls_per_s_max: float = Field(
        0.0, ge=0, description="calls a second of one agent's key or token; 0: any number"
    )
    calls_at_once_max: int = Field(
        128, ge=0, description="calls running at once of one agent's key or token; 0: any number"
    )
    mib_per_day_max: int = Field(
        0, ge=0, description="MiB of requests a day of one agent's key or token; 0: any number"
    )
    namespaces_max: Positive = Field(
        256,
        description="namespaces that one agent's key or token may write to, where it names none",
    )
    open_calls_max: Positive = Field(
        64, description="streams of health and reflection at once, which need no key"
    )
    open_calls_by_peer_max: Positive = Field(
        16, description="such streams of one other machine at once"
    )
    open_call_s_max: Seconds = Field(600.0, description="age at which such a stream is ended")
    health_open: bool = Field(default=True, description="health answers without a key, for probes")
    reflection_open: bool = Field(default=False, description="reflection answers without a key")


class Peers(Group):
    """Addresses of the other services, for a process that does not run them itself."""

    memory: str = Field(
        "127.0.0.1:50051",
        description="host:port of the memory service, or ip:port of each replica, with commas",
    )
    memory_spread: Literal["namespaces", "calls"] = Field(
        "namespaces",
        description="what is spread over the addresses of that name: namespaces, so that the "
        "indexes of each are held in one place; calls, for few namespaces with many readers",
    )
    ingestion: str = Field("127.0.0.1:50051", description="host:port of the ingestion service")
    cluster: str = Field("127.0.0.1:50051", description="host:port of the cluster service")
    retrieval: str = Field("127.0.0.1:50051", description="host:port of the retrieval service")
    tls: bool = Field(default=False, description="speak TLS to peers (roots: security.tls_ca_file)")
    api_key_file: Path | None = Field(
        None, description="key shown to peers; without it the first of security.api_keys_file"
    )
    timeout_s: Seconds = Field(30.0, description="longest wait for one call to a peer")


class Storage(Group):
    """The store of the memory service."""

    backend: Literal["sqlite", "neo4j"] = Field(
        "sqlite",
        description="sqlite: files in server.data_dir; neo4j: a Neo4j server, 5.26 or later, that "
        "several replicas may share",
    )
    neo4j_uri: str = Field(
        "bolt://127.0.0.1:7687",
        pattern=r"^(bolt|neo4j)(\+s|\+ssc)?://",
        description="bolt://host:port of one server, neo4j:// of a cluster; bolt+s, neo4j+s: TLS",
    )
    neo4j_user: str = Field("", description="user of the server; empty: it asks for no password")
    neo4j_password_file: Path | None = Field(None, description="file that holds the password")
    neo4j_database: str = Field("neo4j", description="database of the server; best one of its own")
    neo4j_catalogue: str = Field(
        "anamnesis",
        description="name that keeps the namespaces of suites apart in a shared database",
    )
    writes_queued_max: Positive = Field(1024, description="writes waiting in one namespace")
    writes_batch_max: Positive = Field(256, description="writes committed in one transaction")
    namespaces_open_max: Positive = Field(
        256,
        description="namespaces kept open at once; with sqlite each may take 13 open files, and "
        "fewer are kept where the system allows fewer",
    )


class Index(Group):
    """The derived text and vector index."""

    memory_bytes_max: Positive = Field(2048 * MIB, description="indexes held in memory")
    exact_vectors_max: int = Field(
        60_000,
        ge=0,
        description="vectors of a namespace held exactly; when there are more, 8-bit numbers take "
        "a quarter of the memory and cosines are off by up to 0.003",
    )
    scored_whole_max: int = Field(
        100_000,
        ge=0,
        description="texts in the scope of a search, long ones counted by their pieces, that are "
        "scored one and all; of more, candidates are, found by FAISS and by words",
    )
    damaged_kept_s: Seconds = Field(
        86_400.0,
        description="time that a damaged snapshot is kept, set aside, before it is removed",
    )
    sync_every_s: Seconds = Field(0.2, description="period of the loop that follows the store")
    sync_batch_max: Positive = Field(512, description="records taken in one step")
    snapshot_every_s: Seconds = Field(60.0, description="period of snapshots of changed indexes")
    snapshot_changes_min: Positive = Field(1000, description="changes that are worth a snapshot")
    deleted_kept_s: Seconds = Field(
        600.0, description="time that words of deleted memories may stay in snapshots and the log"
    )


class Ingestion(Group):
    """From raw input to events."""

    file_bytes_max: Positive = Field(512 * MIB, description="largest file in one stream")
    document_bytes_max: Positive = Field(
        64 * MIB, description="largest file that is one JSON document, which is held undecoded"
    )
    held_bytes_max: Positive = Field(
        96 * MIB, description="memory of all files that are being read"
    )
    line_bytes_max: Positive = Field(8 * MIB, description="longest line of a file")
    append_batch_max: Positive = Field(256, description="events sent to memory in one call")
    session_idle_s: Positive = Field(
        1800, description="silence after which a session that is not ended is worked on"
    )
    lesson_score_min: Share = Field(
        0.7, description="least score of a task that lessons are learned from"
    )
    sft_score_min: Share = Field(
        0.8, description="least score of a task that is exported for training"
    )
    pipeline_every_s: Seconds = Field(1.0, description="period of the loop that looks for work")
    pipeline_parallel: Positive = Field(2, description="sessions worked on at once, at most 100")
    pipeline_lease_s: Positive = Field(
        60, description="time after which a claim that is not renewed expires"
    )
    segment_window_tokens: Positive = Field(
        191_808, description="window of a segmenter; never more than the chat model takes"
    )
    extract_window_tokens: int = Field(65_536, ge=256, description="window of an extractor")
    extract_overlap_events: int = Field(
        5, ge=0, description="events before a window that are shown as its context"
    )


class WriteGate(Group):
    """The least confidence and importance of learned items; refused ones are counted."""

    fact_confidence_min: Share = Field(0.55, description="least confidence of a fact")
    fact_importance_min: Share = Field(0.2, description="least importance of a fact")
    lesson_confidence_min: Share = Field(0.55, description="least confidence of a lesson")
    lesson_importance_min: Share = Field(0.3, description="least importance of a lesson")
    procedure_confidence_min: Share = Field(0.5, description="least confidence of a procedure")
    procedure_importance_min: Share = Field(0.3, description="least importance of a procedure")
    words_shared_min: Share = Field(
        0.5, description="share of a statement's words that the cited events must hold"
    )


class Dedup(Group):
    """Near duplicates of lessons: what is merged, and what may be one lesson."""

    merge_cosine_min: float | None = Field(
        None, ge=0, le=1, description="closeness that merges; none: as measured for the model"
    )
    candidate_cosine_min: float | None = Field(
        None,
        ge=0,
        le=1,
        description="closeness that marks a pair; none: as measured for the model; never more "
        "than merge_cosine_min",
    )
    check_timeout_s: Seconds = Field(
        5.0,
        description="longest that a lesson waits for its vectors and its neighbours; then it is "
        "stored, and looked at later",
    )


class Retrieval(Group):
    """From a question to a context."""

    candidates_max: Positive = Field(100, description="candidates asked of memory for a query")
    results_max: Positive = Field(100, description="results of one search")
    timeout_s: Seconds = Field(10.0, description="longest search when the caller sets no deadline")
    tokenizer: Literal["o200k_base", "cl100k_base"] = Field(
        "o200k_base", description="encoding that counts token budgets"
    )
    reranker: Literal["none", "cross_encoder", "chat_model"] = Field(
        "none",
        description="who reads the best hits again where a request asks for it; cross_encoder: a "
        "model in this process, in rerank_model_dir; chat_model: the one of models.chat_model",
    )
    rerank_model_dir: Path | None = Field(
        None, description="folder with the model.onnx and the tokenizer.json of a cross-encoder"
    )
    rerank_timeout_s: Seconds = Field(
        2.0, description="longest that a reranker reads; what it has not read keeps its place"
    )


class Clusters(Group):
    """From memories to topics."""

    join_cosine_min: float | None = Field(
        None,
        gt=0,
        le=1,
        description="closeness that joins a lesson to a topic; none: as measured for the model",
    )
    link_cosine_min: float | None = Field(
        None,
        gt=0,
        le=1,
        description="mean closeness that makes two groups one when all is grouped anew; none: as "
        "measured for the model",
    )
    regroup_lessons_max: int = Field(
        5_000,
        ge=0,
        description="lessons up to which a namespace is grouped anew by itself when it has grown "
        "by half; 0: never",
    )
    vector_wait_s: float = Field(
        10.0,
        ge=0,
        description="time without a new vector after which a grouping goes on without the lessons "
        "that have none",
    )
    assign_every_s: Seconds = Field(1.0, description="period of the assignment loop")
    assign_batch_max: Positive = Field(256, description="memories assigned in one step")
    namespaces_followed_max: Positive = Field(256, description="namespaces followed at once")
    quiet_s: Seconds = Field(
        300.0, description="time without news after which a namespace is let go"
    )
    lease_s: int = Field(
        60,
        ge=3,
        le=3600,
        description="silence after which a replica loses its namespaces to the others",
    )


class Sleep(Group):
    """The work while nobody waits: merge, reinforce, tier, forget."""

    enabled: bool = Field(
        default=True, description="sleep by itself; off, only `anamnesis sleep` does it"
    )
    every_s: Seconds = Field(
        3600.0, description="time from a change or use of a namespace to its sleep"
    )
    idle_every_s: Seconds = Field(
        86_400.0,
        description="period of sleep of a namespace at rest: time alone makes memories fade",
    )
    page_memories_max: Positive = Field(
        100, description="memories read at once; a read holds up the calls that are served"
    )
    batch_memories_max: Positive = Field(100, description="memories changed in one transaction")
    refine_max: int = Field(
        100,
        ge=0,
        le=10_000,
        description="memories about which a chat model is asked in one run of refining; 0: none",
    )
    lease_s: int = Field(
        120, ge=3, le=3600, description="silence after which a replica loses its phase"
    )


class Budgets(Group):
    """A namespace's budget for models in an hour, embedding apart."""

    model_calls_per_hour_max: int = Field(2_000, ge=0, description="calls of models")
    model_tokens_per_hour_max: int = Field(2_000_000, ge=0, description="tokens sent and received")


class Retention(Group):
    """The time for which the ledger is kept."""

    ledger_days: int = Field(
        14,
        ge=0,
        le=36_500,
        description="a session's events are deleted so many days after its pipeline has finished; "
        "memories stay; 0: never",
    )


class Log(Group):
    """The log, on standard error."""

    level: Level = Field("info", description="least level logged")
    format: Form = Field("console", description="console for people, json for collectors")
