"""Names that many texts speak of, with what they stand for: few, and none that is also a word.

Countries and large cities, languages of programming and tools, firms, assistants, feast days,
fields of study. In English they are looked up as written, in Chinese wherever they stand.
"""

import re
from collections.abc import Iterator

from anamnesis_ingestion.learning.knowledge import EntityKind

_PLACES = (
    "Afghanistan|Albania|Algeria|Argentina|Armenia|Australia|Austria|Azerbaijan|Bangladesh"
    "|Belarus|Belgium|Bolivia|Brazil|Bulgaria|Cambodia|Cameroon|Canada|Chile|China|Colombia"
    "|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Czechia|Denmark|Ecuador|Egypt|England|Estonia"
    "|Ethiopia|Finland|France|Germany|Ghana|Greece|Guatemala|Hungary|Iceland|India|Indonesia|Iran"
    "|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Kazakhstan|Kenya|Kuwait|Latvia|Lebanon|Lithuania"
    "|Luxembourg|Malaysia|Malta|Mexico|Mongolia|Morocco|Myanmar|Nepal|Netherlands|New Zealand"
    "|Nicaragua|Nigeria|Northern Ireland|Norway|Oman|Pakistan|Panama|Paraguay|Peru|Philippines"
    "|Poland|Portugal|Qatar|Romania|Russia|Saudi Arabia|Scotland|Senegal|Serbia|Singapore"
    "|Slovakia|Slovenia|South Africa|South Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria"
    "|Taiwan|Tanzania|Thailand|Tunisia|Uganda|Ukraine|United Arab Emirates|United Kingdom"
    "|United States|Uruguay|Uzbekistan|Venezuela|Vietnam|Wales|Yemen|Zambia|Zimbabwe|Europe"
    "|Africa|Antarctica|South America|North America|Amsterdam|Athens|Auckland|Baghdad|Bangkok"
    "|Barcelona|Beijing|Berlin|Bogotá|Boston|Brussels|Bucharest|Budapest|Buenos Aires|Cape Town"
    "|Caracas|Chengdu|Chicago|Copenhagen|Delhi|Dubai|Dublin|Edinburgh|Frankfurt|Geneva|Guangzhou"
    "|Hamburg|Hanoi|Helsinki|Hong Kong|Istanbul|Jakarta|Jerusalem|Johannesburg|Kyiv|Kyoto|Lagos"
    "|Lima|Lisbon|London|Los Angeles|Madrid|Manila|Melbourne|Mexico City|Miami|Montreal|Moscow"
    "|Mumbai|Munich|Nairobi|New Delhi|New York|New York City|Osaka|Oslo|Paris|Philadelphia|Porto"
    "|Prague|Quito|Reykjavik|Rio de Janeiro|Rome|Rotterdam|San Diego|San Francisco|Santiago"
    "|São Paulo|Seattle|Seoul|Shanghai|Shenzhen|Stockholm|Sydney|Taipei|Tallinn|Tel Aviv|Tokyo"
    "|Toronto|Vancouver|Vienna|Vilnius|Warsaw|Washington DC|Wellington|Zurich|Zürich|California"
    "|Texas|Florida|Oregon|Arizona|Colorado|Massachusetts|Michigan|Minnesota|Ohio|Pennsylvania"
    "|Ontario|Quebec|Bavaria|Catalonia|Tuscany|Silicon Valley|Manhattan|Brooklyn|USA|UK"
)
_TECHNOLOGIES = (
    "Python|JavaScript|TypeScript|Java|Kotlin|Rust|Golang|Haskell|Scala|Erlang|Elixir|Clojure"
    "|OCaml|Fortran|COBOL|PHP|Perl|MATLAB|C++|C#|SQL|GraphQL|HTML|CSS|Bash|PowerShell|Zig"
    "|Solidity|PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Redis|Cassandra|Elasticsearch"
    "|OpenSearch|ClickHouse|DuckDB|Snowflake|BigQuery|Neo4j|Milvus|Qdrant|Weaviate|Pinecone|FAISS"
    "|ChromaDB|DynamoDB|CouchDB|TiDB|Kafka|RabbitMQ|Docker|Docker Compose|Kubernetes|Podman|Helm"
    "|Terraform|Ansible|Jenkins|GitHub Actions|GitLab|GitHub|Bitbucket|Git|Linux|Ubuntu|Debian"
    "|Fedora|macOS|Windows|Android|iOS|Nginx|HAProxy|Grafana|Prometheus|Kibana|Sentry"
    "|OpenTelemetry|gRPC|React|React Native|Vue|Angular|Svelte|Next.js|Node.js|Deno|Electron"
    "|Tailwind|Webpack|Vite|Django|Flask|FastAPI|SQLAlchemy|Pydantic|Celery|Rails|Ruby on Rails"
    "|Laravel|Spring Boot|PyTorch|TensorFlow|Keras|scikit-learn|NumPy|pandas|SciPy|JAX|Jupyter"
    "|LangChain|LlamaIndex|Hugging Face|CUDA|OpenGL|Vulkan|WebAssembly|Unity|Godot|Blender"
    "|Photoshop|Figma|Excel|PowerPoint|LaTeX|Vim|Neovim|Emacs|Obsidian|Notion|Jira|Confluence"
    "|Trello|Slack|Airflow|Spark|Hadoop|Flink|dbt|AWS|GCP|Azure|Arduino|Raspberry Pi|Bluetooth"
    "|ROS|微信|支付宝|淘宝|抖音|微博|钉钉|飞书"
)
_ORGANISATIONS = (
    "Google|Microsoft|OpenAI|Anthropic|DeepMind|IBM|Intel|NVIDIA|Nvidia|AMD|Netflix|Spotify"
    "|Samsung|Sony|Nintendo|Toyota|Honda|BMW|Volkswagen|Siemens|Bosch|Airbus|Boeing|SpaceX|NASA"
    "|IKEA|UNESCO|UNICEF|Wikipedia|Reddit|YouTube|Instagram|Facebook|LinkedIn|Walmart|Starbucks"
    "|McDonald's|World Bank|Red Cross|United Nations|European Union|腾讯|阿里巴巴|华为|字节跳动"
    "|百度|京东|美团|网易|滴滴|拼多多|联合国|世界银行|中科院"
)
_AGENTS = "ChatGPT|Claude Code|GitHub Copilot|Siri|DeepSeek|豆包|文心一言|通义千问"
_EVENTS = (
    "Christmas|Thanksgiving|Halloween|Hanukkah|Diwali|Ramadan|Oktoberfest|World Cup|Olympics"
    "|春节|中秋节|国庆节|端午节|元宵节|清明节|圣诞节|感恩节|万圣节|元旦|双十一"
)
_TOPICS = (
    "machine learning|deep learning|artificial intelligence|computer vision"
    "|reinforcement learning|natural language processing|quantum computing|quantum mechanics"
    "|game theory|linear algebra|机器学习|深度学习|人工智能|计算机视觉|强化学习|自然语言处理"
    "|量子计算|量子力学|博弈论|线性代数"
)
_KINDS = {
    name: kind
    for kind, names in {
        EntityKind.PLACE: _PLACES,
        EntityKind.TECHNOLOGY: _TECHNOLOGIES,
        EntityKind.ORGANISATION: _ORGANISATIONS,
        EntityKind.AGENT: _AGENTS,
        EntityKind.EVENT: _EVENTS,
        EntityKind.TOPIC: _TOPICS,
    }.items()
    for name in names.split("|")
}
# Tools that people write small, and that are no words.
_SMALL = (
    "python|javascript|typescript|golang|postgres|postgresql|mysql|sqlite|mongodb|redis|docker"
    "|kubernetes|k8s|terraform|pytorch|tensorflow|numpy|django|fastapi|github|gitlab|nginx"
    "|graphql|elasticsearch|rabbitmq|neo4j|chatgpt|grafana"
)
_ALL = {**_KINDS, **dict.fromkeys(_SMALL.split("|"), EntityKind.TECHNOLOGY)}
_ALL["chatgpt"] = EntityKind.AGENT

_WORD = r"A-Za-z0-9_\u00c0-\u024f"
_HEAD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_HEADS = re.compile(rf"(?<![{_WORD}.@/\\-]){_HEAD.pattern}")
_END = re.compile(rf"(?![{_WORD}@/\\+#-]|\.[{_WORD}])")
_HAN = re.compile("|".join(name for name in _ALL if not _HEAD.match(name)))


def _by_head() -> dict[str, list[str]]:
    """The names in Latin script by their first word, the longest first."""
    found: dict[str, list[str]] = {}
    for name in sorted(_ALL, key=lambda name: (-len(name), name)):
        if head := _HEAD.match(name):
            found.setdefault(head.group(), []).append(name)
    return found


_BY_HEAD = _by_head()


def listed(text: str) -> Iterator[tuple[int, str, EntityKind]]:
    """Listed names of a text: position, name, and the kind that the name stands for."""
    for head in _HEADS.finditer(text):
        for name in _BY_HEAD.get(head.group(), ()):
            if text.startswith(name, head.start()) and _END.match(text, head.start() + len(name)):
                yield head.start(), name, _ALL[name]
                break
    if not text.isascii():
        for match in _HAN.finditer(text):
            yield match.start(), match.group(), _ALL[match.group()]
