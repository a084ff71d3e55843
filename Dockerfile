# One image for every target: `docker run IMAGE serve --target memory`. Or a smaller one that holds
# what one service needs and nothing else: `docker build --build-arg SERVICE=retrieval .`, which runs
# `serve --target retrieval` alone.
# Stage 1 installs what the locks name, each file of it checked by its hash, and then a wheel of the
# checkout alone; stage 2 takes only the result, so that no compiler, cache, installer or source
# stays in the environment. `make lock` makes the locks anew.
#
# The tag of the base moves with its security updates. Who wants the same base each time pins it in
# both FROM lines: `docker pull python:3.11-slim` prints its digest, and `python@sha256:DIGEST` is it.

FROM python:3.11-slim AS build
ARG SERVICE=suite
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
RUN python -m venv --without-pip /opt/anamnesis
COPY deploy/locks ./deploy/locks
RUN pip install --require-hashes -r deploy/locks/build.lock \
    && pip --python /opt/anamnesis/bin/python install --require-hashes \
        -r deploy/locks/${SERVICE}.lock
COPY pyproject.toml README.md LICENSE ./
COPY cli ./cli
COPY libs ./libs
COPY services ./services
COPY tools/parts.py ./tools/
RUN folders=$([ "$SERVICE" = suite ] && echo . || python tools/parts.py folders "$SERVICE") \
    && for folder in $folders; do \
        pip wheel --no-deps --no-build-isolation --wheel-dir /dist "./$folder" || exit 1; done \
    && pip --python /opt/anamnesis/bin/python install --no-deps /dist/*.whl \
    && pip --python /opt/anamnesis/bin/python check

FROM python:3.11-slim
LABEL org.opencontainers.image.title="Anamnesis" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --system --gid 10001 anamnesis \
    && useradd --system --uid 10001 --gid anamnesis --no-create-home --home-dir /data anamnesis \
    && install -d -o anamnesis -g anamnesis -m 0700 /data
COPY --from=build /opt/anamnesis /opt/anamnesis
ENV PATH=/opt/anamnesis/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ANAMNESIS_SERVER__DATA_DIR=/data \
    ANAMNESIS_LOG__FORMAT=json
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 50051
# It handles SIGTERM and starts no children, so it needs no init process.
STOPSIGNAL SIGTERM
# It listens on loopback, like everywhere. To be reached from outside the container, give it
# ANAMNESIS_SERVER__LISTEN=0.0.0.0:50051 together with a certificate and API keys.
ENTRYPOINT ["anamnesis"]
CMD ["serve"]
