// SPDX-License-Identifier: Apache-2.0
#include "platform/serial/tcp_line.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <optional>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/base/standard_streams.h"

namespace gvp::platform {
namespace {

using boost::asio::ip::tcp;

constexpr size_t kKeptOutput = 1u << 20;
constexpr size_t kInputBuffer = 65536;  // beyond this the client has to wait

const Log logger("uart");

}  // namespace

struct TcpLine::Connection {
  std::string purpose;
  boost::asio::io_context context;
  tcp::acceptor acceptor{context};
  std::optional<tcp::socket> client;
  std::deque<uint8_t> output;
  std::deque<uint8_t> input;
  bool dropped = false;

  void accept();
  void send();
  void receive();
  void lose_client();
};

void TcpLine::Connection::accept() {
  boost::system::error_code error;
  tcp::socket socket(context);
  acceptor.accept(socket, error);
  if (error) return;  // nobody there
  socket.non_blocking(true);
  socket.set_option(tcp::no_delay(true), error);
  client = std::move(socket);
  logger.info("{}: client connected", purpose);
}

void TcpLine::Connection::lose_client() {
  client.reset();
  logger.info("{}: client disconnected", purpose);
}

void TcpLine::Connection::send() {
  while (client && !output.empty()) {
    std::array<uint8_t, 4096> bytes;
    const size_t size = std::min(bytes.size(), output.size());
    std::copy_n(output.begin(), size, bytes.begin());
    boost::system::error_code error;
    const size_t sent = client->write_some(boost::asio::buffer(bytes.data(), size), error);
    output.erase(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(sent));
    if (error == boost::asio::error::would_block) return;
    if (error) lose_client();
  }
}

void TcpLine::Connection::receive() {
  while (client && input.size() < kInputBuffer) {
    std::array<uint8_t, 4096> bytes;
    boost::system::error_code error;
    const size_t count = client->read_some(boost::asio::buffer(bytes), error);
    input.insert(input.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    if (error == boost::asio::error::would_block) return;
    if (error) lose_client();
  }
}

TcpLine::TcpLine(uint16_t port, const std::string& purpose, bool wait)
    : connection_(std::make_unique<Connection>()), wait_(wait) {
  connection_->purpose = purpose;
  boost::system::error_code error;
  const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), port);
  tcp::acceptor& acceptor = connection_->acceptor;
  acceptor.open(tcp::v4(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(1, error);
  if (!error) acceptor.non_blocking(true, error);
  if (error)
    throw bad_input(fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.message()),
                    {purpose}, "choose another port, or 0 for a free one");
  write_standard_error(fmt::format("gpgpu-vp: {} is at 127.0.0.1:{}{}\n", purpose, this->port(),
                                   wait ? ", waiting for a client" : ""));
}

TcpLine::~TcpLine() = default;

uint16_t TcpLine::port() const { return connection_->acceptor.local_endpoint().port(); }

void TcpLine::write(uint8_t character) {
  std::deque<uint8_t>& output = connection_->output;
  if (output.size() == kKeptOutput) {
    output.pop_front();
    if (!connection_->dropped)
      logger.warning("{}: nobody reads, the oldest output is dropped", connection_->purpose);
    connection_->dropped = true;
  }
  output.push_back(character);
}

std::optional<uint8_t> TcpLine::read() {
  if (connection_->input.empty()) return std::nullopt;
  const uint8_t character = connection_->input.front();
  connection_->input.pop_front();
  return character;
}

void TcpLine::poll() {
  if (!connection_->client) connection_->accept();
  connection_->send();
  connection_->receive();
}

void TcpLine::await_client() {
  if (!wait_ || connection_->client) return;
  connection_->acceptor.non_blocking(false);
  connection_->accept();
  connection_->acceptor.non_blocking(true);
}

void TcpLine::flush() {
  if (!connection_->client) connection_->accept();
  if (!connection_->client || connection_->output.empty()) return;
  connection_->client->non_blocking(false);
  connection_->send();
  if (connection_->client) connection_->client->non_blocking(true);
}

}  // namespace gvp::platform
