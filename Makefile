# Everything a developer does here. `make` alone prints this list.
# Needs Python 3.11 and make; the first target that needs an environment makes .venv.

SHELL := /bin/bash
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNS := $(VENV)/.runs
CODE := cli clients/python clients/tests libs services tests tools $(wildcard benchmarks)
# Ours to serve on; `make serve LISTEN=127.0.0.1:6000 DATA_DIR=/somewhere`
LISTEN ?= 127.0.0.1:50051
DATA_DIR ?= ./anamnesis-data
# The agent frameworks that adapters are tested against
FRAMEWORKS := build/frameworks
# Makes the locks; in an environment of its own, so that nothing of .venv decides what is pinned
LOCKER := build/locker
LOCK := env -u PIP_FIND_LINKS CUSTOM_COMPILE_COMMAND="make lock" $(LOCKER)/bin/pip-compile --quiet \
	--upgrade --generate-hashes --allow-unsafe --strip-extras --no-annotate --no-emit-index-url \
	--no-emit-trusted-host --no-emit-find-links --no-emit-options
# The image of all services can do all; a plain install goes without
IMAGE_EXTRAS := neo4j openai tokens
# a module's tests stay together, so that what they share is made once; the slow ones come first
TESTS := python -m pytest --dist loadscope --no-loadscope-reorder -n
CORES := $(shell getconf _NPROCESSORS_ONLN)
# where tests wait for processes and servers, one worker more than there are cores
MORE := $(shell expr $(CORES) + 1)
# what failed is run once more, alone: a fault fails twice, a crowded machine once; both runs are printed
AGAIN := python -m pytest -v --last-failed --last-failed-no-failures none
# pytest keeps its rewritten modules as bytecode; without it every run compiles them anew
unexport PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: $(shell grep -o '^[a-z-]*:' $(firstword $(MAKEFILE_LIST)) | tr -d :)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

env: $(BIN)/python ## make the virtual environment .venv

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not installed; install it, or name another: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

install: $(STAMP) ## install the suite and its tools into .venv

$(STAMP): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25"
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $(RUNS) $(STAMP)

# What runs it, without the tools of a developer
$(RUNS): pyproject.toml | $(BIN)/python
	@echo "Installing Anamnesis into $(VENV), once: some minutes, 730 MB on the disk, models included"
	@set -o pipefail; $(BIN)/python -m pip install --disable-pip-version-check --editable . \
		| awk '/^Collecting/ {printf "  %s\n", $$2; fflush()} /^Installing/ {print "  installing all of it"; fflush()}'
	@touch $(RUNS)

protos: $(STAMP) ## generate libs/pb from protos/
	buf lint protos
	python -m tools.protos

protos-check: $(STAMP) ## fail when protos/ is unclean, breaking, or newer than what is generated
	buf lint protos
	buf breaking protos --against protos/baseline.binpb
	python -m tools.protos --check
	python -m tools.client_stubs --check

clients: $(STAMP) ## generate the stubs of clients/go and clients/typescript; needs Go and Node
	python -m tools.client_stubs

test-clients: $(STAMP) ## build and run the examples of clients/ with the toolchains that are there; minutes
	python -m pytest -v clients/tests

protos-baseline: $(STAMP) ## at a release: freeze the contracts that later ones must not break
	buf build protos --output protos/baseline.binpb

settings: $(STAMP) ## write docs/settings.md from the settings
	python -m tools.settings_reference

lock: ## pin what the image installs, by version and hash, at the newest that pyproject.toml allows
	$(PYTHON) -m venv --clear $(LOCKER)
	$(LOCKER)/bin/python -m pip install --quiet "pip-tools==7.6.2"
	$(LOCK) $(patsubst %,--extra %,$(IMAGE_EXTRAS)) --output-file deploy/locks/suite.lock pyproject.toml
	$(LOCK) --build-deps-for wheel --only-build-deps --output-file deploy/locks/build.lock pyproject.toml
	for service in memory ingestion cluster retrieval; do \
		$(LOCKER)/bin/python -m tools.parts requirements $$service \
			| $(LOCK) --constraint deploy/locks/suite.lock --output-file deploy/locks/$$service.lock - || exit 1; \
	done
	rm -rf $(LOCKER)

fmt: $(STAMP) ## format the code and mend what can be mended
	ruff check --fix $(CODE)
	ruff format $(CODE)

lint: $(STAMP) protos-check ## style, types, imports, contracts
	ruff check $(CODE)
	ruff format --check $(CODE)
	mypy
	lint-imports

test: $(STAMP) ## what says if the suite works, on every backend; ten minutes
	$(TESTS) $(MORE) -m "not long"

test-all: $(STAMP) ## every test, the long walks too: seeds, kills, random lives, every fault
	$(TESTS) $(MORE) || { [ $$? = 1 ] && echo "once more, alone:" && $(AGAIN); }

test-fast: $(STAMP) ## tests without processes and servers; before each commit
	$(TESTS) $(CORES) -m "not slow and not long and not server" \
		--hypothesis-profile=fast $(patsubst %,--ignore tests/%,system sim deploy unit/benchmarks) \
		--ignore-glob "tests/unit/test_*_data.py"

test-frameworks: $(FRAMEWORKS) ## test the adapters against real agent frameworks; 260 MB more, in build/
	$</bin/python -m pytest tests/frameworks

# On top of .venv, whose packages it sees: it brings only what frameworks need
$(FRAMEWORKS): tests/frameworks/requirements.txt $(STAMP)
	$(BIN)/python -m venv --clear $@
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
		> "$$($@/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/suite.pth"
	$@/bin/python -m pip install --quiet --requirement $<
	@touch $@

sim: $(STAMP) ## simulate faults, crashes and power losses; SIM="--runs 100 --seed 5"
	python -m tests.sim $(or $(SIM),--runs 1000 --power 200)

mutate: $(STAMP) ## break the write path on purpose, see if the tests notice; MUTATE="--sample 30 --only memory/facts"
	python -m tools.mutate $(or $(MUTATE),--sample 100 --seed 0)

demo: $(RUNS) ## start the suite, ingest conversations, search them, learn from them, stop
	@python tools/demo.py

pictures: $(STAMP) ## draw docs/pictures/terminal-*.svg anew, out of what commands print
	python -m tools.pictures

serve: $(RUNS) ## run all four services on LISTEN, data in DATA_DIR
	anamnesis serve --listen $(LISTEN) --data-dir $(DATA_DIR)

neo4j: $(STAMP) ## run a Neo4j in the foreground; NEO4J="--data-dir DIR --port 7687"
	python -m tools.neo4j $(NEO4J)

bench-recall: $(STAMP) ## measure recall and contexts beside plain baselines; BENCH="--sets zh --json out.json"
	python -m benchmarks.recall $(BENCH)

bench-everyday: $(STAMP) ## ask small memories everyday questions; BENCH="--held", "--docs docs", "--logs", "--show"
	python -m benchmarks.everyday $(BENCH)

bench-longmemeval: $(STAMP) ## run a file of LongMemEval's; BENCH="longmemeval_s.json --limit 50", BENCH="--help"
	python -m benchmarks.longmemeval $(BENCH)

bench-segmentation: $(STAMP) ## measure where tasks are found to begin; BENCH="--json out.json"
	python -m benchmarks.segmentation $(BENCH)

bench-extraction: $(STAMP) ## measure what is learned without a model; BENCH="--show", "--held" for the other half
	python -m benchmarks.extraction $(BENCH)

bench-entities: $(STAMP) ## measure how names are matched to entities; BENCH="--show", "--held" for the other half
	python -m benchmarks.entities $(BENCH)

bench-dedup: $(STAMP) ## measure what is merged as one lesson; BENCH="--show", "--held" for the other half
	python -m benchmarks.dedup $(BENCH)

bench-clustering: $(STAMP) ## measure how lessons are sorted by topic; BENCH="--steps", "--held" for the other half
	python -m benchmarks.clustering $(BENCH)

bench-redaction: $(STAMP) ## measure what redaction finds and costs; BENCH="--show", "--presidio" beside it
	python -m benchmarks.redaction $(BENCH)

bench-portability: $(STAMP) ## move 20,000 memories from SQLite to Neo4j and back; BENCH="--memories 2000"
	python -m benchmarks.portability $(BENCH)

bench-index: $(STAMP) ## measure the forms of vectors by their number; BENCH="--sizes 10000,100000"
	python -m benchmarks.index $(BENCH)

bench-large: $(STAMP) ## one large scope, exact and from candidates; BENCH="--sizes 1000000", "--profile"
	python -m benchmarks.large $(BENCH)

bench-namespaces: $(STAMP) ## open thousands of namespaces in turn; BENCH="--count 500"
	python -m benchmarks.namespaces $(BENCH)

bench-users: $(STAMP) ## ask for one user among a thousand, and for the same one alone; BENCH="--users 100"
	python -m benchmarks.users $(BENCH)

bench-views: $(STAMP) ## ask for profiles out of 100,000 memories; BENCH="--memories 5000"
	python -m benchmarks.views $(BENCH)

bench-recovery: $(STAMP) ## kill -9 services and Neo4j, count what is left; BENCH="--kills 5 --only neo4j"
	python -m benchmarks.recovery $(BENCH)

bench-speed: $(STAMP) ## time each call at each size, its limit beside it; BENCH="--sizes 500,50000 --chroma"
	python -m benchmarks.speed $(BENCH)

bench-capacity: $(STAMP) ## add a fleet up from measured costs; BENCH="fleet --users 1000", "measure --json FILE", "moves"
	python -m benchmarks.capacity $(or $(BENCH),fleet)

bench-load: $(STAMP) ## 32 writers and 32 readers on one namespace; BENCH="--seconds 10 --backend neo4j"
	python -m benchmarks.load $(BENCH)

bench-hostile: $(STAMP) ## mutated calls, broken imports, forged page tokens; BENCH="--only tokens"
	python -m benchmarks.hostile $(BENCH)

bench-life: $(STAMP) ## a year of memories under each policy; BENCH="--memories 1000 --plots DIR"
	python -m benchmarks.life $(BENCH)

bench-sleep: $(STAMP) ## search while a namespace sleeps; BENCH="--memories 10000"
	python -m benchmarks.sleep $(BENCH)

bench-graph: $(STAMP) ## walk a graph of 100,000 edges on SQLite and Neo4j; BENCH="--backend sqlite"
	python -m benchmarks.graph $(BENCH)

clean: ## remove caches and builds; the environment and your data stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +
