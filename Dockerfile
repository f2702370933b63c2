# How to build and run it: docs/install.md

FROM debian:trixie-slim AS build
WORKDIR /tidegauge
COPY deploy/install-deps deploy/
COPY deploy/librdkafka deploy/librdkafka
RUN deploy/install-deps unit
COPY . .
RUN cmake --preset release -B /build -DTIDEGAUGE_TESTS=ON && cmake --build /build
RUN ctest --test-dir /build --output-on-failure --no-tests=error -L '^(unit|golden)$' \
 && cpack -G DEB --config /build/CPackConfig.cmake -B /package

FROM debian:trixie-slim
# The pages that alerts lead to are in the image, though slim leaves documentation out.
RUN --mount=type=bind,from=build,source=/package,target=/package \
    groupadd --gid 65532 tidegauge \
 && useradd --uid 65532 --gid 65532 --no-create-home --home-dir /var/lib/tidegauge \
      --shell /usr/sbin/nologin tidegauge \
 && install -d -o tidegauge -g tidegauge -m 0750 /var/lib/tidegauge \
 && apt-get update \
 && apt-get install -y --no-install-recommends \
      -o Dpkg::Options::="--path-include=/usr/share/doc/tidegauge/*" \
      /package/*.deb ca-certificates libsasl2-modules libsasl2-modules-gssapi-mit \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/*
COPY deploy/container/healthcheck /usr/local/bin/

LABEL org.opencontainers.image.title="tidegauge" \
      org.opencontainers.image.description="Watches the checkpoints of Spark Structured Streaming queries on Kafka" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.documentation="file:///usr/share/doc/tidegauge"
USER 65532:65532
VOLUME /var/lib/tidegauge
EXPOSE 10977
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["/usr/local/bin/healthcheck"]
ENTRYPOINT ["/usr/bin/tidegauge"]
