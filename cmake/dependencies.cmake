# Every outside library, each used by one folder only (docs/architecture.md). deploy/install-deps
# installs them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(CURL REQUIRED)
find_package(Boost 1.81 REQUIRED)  # headers only: Asio, Beast, JSON

# The packaged librdkafka of Debian 12 and 13 must not be used: 2.0.2 has no topic ids, and 2.8.0 uses
# freed memory when a topic is recreated under a living client (fixed upstream in 2.10.0).
if(DEFINED ENV{TIDEGAUGE_DEPS})
  list(PREPEND CMAKE_PREFIX_PATH $ENV{TIDEGAUGE_DEPS}/librdkafka)
else()
  list(PREPEND CMAKE_PREFIX_PATH /opt/tidegauge-deps/librdkafka)
endif()
find_package(RdKafka CONFIG REQUIRED)
if(RdKafka_VERSION VERSION_LESS 2.14)
  message(FATAL_ERROR "librdkafka ${RdKafka_VERSION} found in ${RdKafka_DIR}, but 2.14 or later is "
                      "needed: run deploy/install-deps, which builds it.")
endif()
cmake_path(SET librdkafka NORMALIZE ${RdKafka_DIR}/../../..)
if(NOT EXISTS ${librdkafka}/patches/first_leader_query.patch)
  message(FATAL_ERROR "librdkafka in ${librdkafka} lacks a patch without which a broker's restart can "
                      "end the daemon: run deploy/install-deps, which builds it.")
endif()
