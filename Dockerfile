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
# Kernels for every processor of this level (`ld.so --help` lists those of a machine).
ARG KERNEL_CPU=x86-64-v3
COPY tools/devtools/compile_kernels.py ./
RUN NUMBA_CACHE_DIR=/opt/tilework NUMBA_CPU_NAME=$KERNEL_CPU NUMBA_CPU_FEATURES= \
    /opt/tilework/bin/python compile_kernels.py
# With --build-arg PICTURES=false, the image is smaller and reads no pictures of boards.
ARG PICTURES=true
RUN if [ "$PICTURES" = false ]; then \
      /opt/tilework/bin/pip uninstall --yes opencv-python-headless pillow; \
    fi
# What only the build needs, tests of packages, and languages without a translation.
RUN /opt/tilework/bin/pip uninstall --yes hatchling setuptools pip \
    && find /opt/tilework -type d -name tests -prune -exec rm -r {} + \
    && find /opt/tilework -path '*/locale-data/*.dat' \
       ! -name 'root.dat' ! -name 'en*.dat' ! -name 'pt*.dat' -delete
COPY deploy/image /opt/tilework/start

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 tilework \
    && useradd --uid 10001 --gid tilework --home-dir /data --no-create-home \
       --shell /usr/sbin/nologin tilework \
    && install --directory --owner tilework --group tilework /data /databases
COPY --from=build /opt/tilework /opt/tilework
# docker-compose.yml mounts the data of the workers on /databases of the web.
ARG KERNEL_CPU=x86-64-v3
ENV PATH=/opt/tilework/start:/opt/tilework/bin:$PATH \
    KERNEL_CPU=$KERNEL_CPU \
    TILEWORK_DATA_DIR=/data \
    NUMBA_CACHE_DIR=/data/numba
USER tilework
WORKDIR /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --retries=3 --start-period=120s CMD ["health"]
ENTRYPOINT ["tilework"]
CMD ["up", "--host", "0.0.0.0", "--port", "8000"]
