# syntax=docker/dockerfile:1
# One image for every role: the command is web, worker, db upgrade, or up.

FROM python:3.11-slim-bookworm AS build
RUN python -m venv /opt/tilework
WORKDIR /src
# With --build-arg LOCK=tracing, the image can also send traces.
ARG LOCK=run
COPY requirements/run.txt requirements/tracing.txt ./
RUN /opt/tilework/bin/pip install --no-cache-dir --require-hashes --requirement $LOCK.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY core core
COPY migrations migrations
COPY tilework tilework
COPY web web
COPY worker worker
RUN /opt/tilework/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 tilework \
    && useradd --uid 10001 --gid tilework --home-dir /data --no-create-home \
       --shell /usr/sbin/nologin tilework \
    && install --directory --owner tilework --group tilework /data /databases
COPY --from=build /opt/tilework /opt/tilework
# docker-compose.yml mounts the data of the workers on /databases of the web.
# Kernels are compiled on first use, for the processor of the host; /data stores the result.
ENV PATH=/opt/tilework/bin:$PATH \
    TILEWORK_DATA_DIR=/data \
    NUMBA_CACHE_DIR=/data/numba
USER tilework
WORKDIR /data
VOLUME /data
EXPOSE 8000
# The first start compiles kernels. docker-compose.yml has a check for each role.
HEALTHCHECK --interval=5s --timeout=5s --retries=3 --start-period=120s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["tilework"]
CMD ["up", "--host", "0.0.0.0", "--port", "8000"]
