// One client's connection, for session.cc alone: who includes this compiles Beast.
#pragma once

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core.hpp>
#include <optional>
#include <string>
#include <utility>

#include "daemon/http/tls_context.h"

namespace tidegauge {

/// A TCP connection that may become one of TLS. What its own deadline ends, ends for both.
class Connection {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;

  explicit Connection(boost::asio::ip::tcp::socket socket) : tcp_(std::move(socket)) {}

  executor_type get_executor() { return tcp_.get_executor(); }
  boost::beast::tcp_stream& transport() { return tcp_; }
  /// Whose turn its password checks take: an address, or a network of IPv6, in which one host may
  /// have as many addresses as it likes.
  std::string client() const {
    boost::system::error_code ignored;
    const auto address = tcp_.socket().remote_endpoint(ignored).address();
    if (address.is_v4() || address.to_v6().is_v4_mapped()) return address.to_string();
    auto bytes = address.to_v6().to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), 0);
    return boost::asio::ip::address_v6(bytes).to_string();
  }
  /// Null: it is none of TLS.
  const TlsContext& tls_context() const { return tls_context_; }

  template <typename Buffers, typename Handler>
  void BeginTls(TlsContext context, const Buffers& received, Handler&& handler) {
    tls_context_ = std::move(context);
    tls_.emplace(tcp_, SSL_new(tls_context_.get()));
    tls_->async_handshake(boost::asio::ssl::stream_base::server, received,
                          std::forward<Handler>(handler));
  }
  template <typename Handler>
  void EndTls(Handler&& handler) {
    tls_->async_shutdown(std::forward<Handler>(handler));
  }

  // As Asio names what its streams have.
  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) return tls_->async_read_some(buffers, std::forward<Handler>(handler));
    tcp_.async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) return tls_->async_write_some(buffers, std::forward<Handler>(handler));
    tcp_.async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  boost::beast::tcp_stream tcp_;
  TlsContext tls_context_;
  std::optional<boost::asio::ssl::stream<boost::beast::tcp_stream&>> tls_;
};

}  // namespace tidegauge
