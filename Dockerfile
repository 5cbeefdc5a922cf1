# odabot as an image; deploy/docker/README.md says how it is run.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
# Debian's releases keep their versions, and its corrections of security are wanted.
# hadolint ignore=DL3008
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-venv \
    && python3 -m venv /opt/venv
# First, for the reason that the Makefile gives. No quotes: it may hold options of pip's.
ARG TORCH=torch==2.13.0
# hadolint ignore=SC2086
RUN /opt/venv/bin/pip install --no-cache-dir ${TORCH}
# Then what we need of others, so that a change of our own code does not install it anew.
COPY pyproject.toml deploy/docker/requirements.py /requirements/
RUN /opt/venv/bin/python /requirements/requirements.py /requirements/pyproject.toml \
        minilm analysis > /requirements/requirements.txt \
    && /opt/venv/bin/pip install --no-cache-dir --requirement /requirements/requirements.txt
COPY . /source
RUN /opt/venv/bin/pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source \
    && /opt/venv/bin/pip install --no-cache-dir --no-deps /wheels/odabot-*.whl \
    && /opt/venv/bin/pip check

FROM ${BASE}
LABEL org.opencontainers.image.title="odabot" \
    org.opencontainers.image.licenses="Apache-2.0"
# hadolint ignore=DL3008
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
        bubblewrap ca-certificates python3 runsc tini \
    && apt-get clean \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 odabot \
    && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home odabot \
    && install -d -o 10001 -g 10001 -m 0700 /data \
    && install -d /lake
# Where it was installed: an environment cannot be moved, and /opt/odabot is taken in the sandbox.
COPY --from=build /opt/venv /opt/venv
COPY deploy/docker/healthcheck.py /usr/local/lib/odabot/healthcheck.py
# From outside, the address 127.0.0.1 of a container cannot be reached.
ENV PATH=/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/data \
    ODABOT_DATA=/data \
    ODABOT_RETRIEVAL__LAKE=/lake \
    ODABOT_PAGE__HOST=0.0.0.0 \
    ODABOT_HTTP__HOST=0.0.0.0 \
    ODABOT_HTTP__WORKER_PORT=8771
# A number, so that a cluster can tell that it is not root.
USER 10001:10001
VOLUME /data
# The page, the service, a worker.
EXPOSE 8765 8770 8771
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m --retries=3 \
    CMD ["python3", "-I", "/usr/local/lib/odabot/healthcheck.py"]
# The first process must collect what sandboxes leave behind, which odabot does not.
ENTRYPOINT ["tini", "--", "odabot"]
CMD ["demo"]
