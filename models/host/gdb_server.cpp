// SPDX-License-Identifier: Apache-2.0
#include "models/host/gdb_server.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio.hpp>
#include <chrono>
#include <optional>

#include "models/base/error.h"
#include "models/host/gdb_packet.h"
#include "models/host/log.h"

namespace gvp::host {

namespace asio = boost::asio;
using asio::ip::tcp;

struct GdbServer::Connection {
  explicit Connection(GdbSession& s) : session(s) {}

  void listen(uint16_t port) {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    try {
      acceptor.open(endpoint.protocol());
      acceptor.set_option(tcp::acceptor::reuse_address(true));
      acceptor.bind(endpoint);
      acceptor.listen(1);
    } catch (const boost::system::system_error& error) {
      throw bad_input(
          fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.code().message()), {"--gdb"},
          "choose another port");
    }
    accept();
  }

  void accept() {
    acceptor.async_accept([this](const boost::system::error_code& error, tcp::socket client) {
      if (error) return;
      boost::system::error_code ignored;
      client.set_option(tcp::no_delay(true), ignored);
      if (!socket) {
        parser = GdbPacketParser();
        no_acknowledgements = false;
        order.reset();
        attach_requested = true;
        halted = true;  // the processor will be, before it executes anything more
        socket.emplace(std::move(client));
        read();
      }  // a second client is turned away: its socket closes here
      accept();
    });
  }

  void read() {
    socket->async_read_some(asio::buffer(input),
                            [this](const boost::system::error_code& error, size_t size) {
                              if (error) {
                                drop();
                                return;
                              }
                              for (const GdbEvent& event : parser.feed(input.data(), size))
                                take(event);
                              if (socket) read();
                            });
  }

  // Without GDB the program runs on, without its breakpoints.
  void drop() {
    boost::system::error_code ignored;
    if (socket) socket->close(ignored);
    socket.reset();
    session.release();
    attach_requested = false;
    interrupt_requested = false;
    if (!order) order = Order::kRun;
  }

  void send_raw(const std::string& bytes) {
    if (!socket) return;
    boost::system::error_code error;
    asio::write(*socket, asio::buffer(bytes), error);  // an error shows in the pending read
  }
  void send(const std::string& text) {
    last = gdb_frame(text);
    send_raw(last);
  }

  void take(const GdbEvent& event) {
    switch (event.kind) {
      case GdbEvent::Kind::kInterrupt:
        interrupt_requested = true;
        return;
      case GdbEvent::Kind::kRetransmit:
        send_raw(last);
        return;
      case GdbEvent::Kind::kAcknowledge:
        return;
      case GdbEvent::Kind::kBadPacket:
        if (!no_acknowledgements) send_raw("-");
        return;
      case GdbEvent::Kind::kPacket:
        break;
    }
    if (!no_acknowledgements) send_raw("+");
    if (event.data == "QStartNoAckMode") {
      send("OK");
      no_acknowledgements = true;
      return;
    }
    if (!halted || order) return;  // while running only the interrupt byte counts
    act(session.handle(event.data));
  }

  void act(const GdbSession::Answer& answer) {
    if (answer.send) send(answer.text);
    switch (answer.action) {
      case GdbSession::Action::kNone:
        return;
      case GdbSession::Action::kContinue:
        order = Order::kRun;
        return;
      case GdbSession::Action::kStep:
        order = Order::kStep;
        return;
      case GdbSession::Action::kKill:
        order = Order::kKill;
        return;
      case GdbSession::Action::kDetach:
        drop();
        return;
    }
  }

  GdbSession& session;
  asio::io_context context;
  tcp::acceptor acceptor{context};
  std::optional<tcp::socket> socket;
  std::array<char, 4096> input{};
  GdbPacketParser parser;
  std::string last;  // for retransmission
  std::optional<Order> order;
  bool halted = false;
  bool no_acknowledgements = false;
  bool interrupt_requested = false;
  bool attach_requested = false;
};

namespace {

// How often a waiting server asks whether to give up.
constexpr std::chrono::milliseconds kPatience{50};

}  // namespace

GdbServer::GdbServer(uint16_t port, GdbSession& session)
    : connection_(std::make_unique<Connection>(session)) {
  connection_->listen(port);
}

GdbServer::~GdbServer() = default;

uint16_t GdbServer::port() const { return connection_->acceptor.local_endpoint().port(); }

bool GdbServer::attached() const { return connection_->socket.has_value(); }

void GdbServer::wait_for_client(const std::function<bool()>& give_up) {
  kLog.info("waiting for GDB on 127.0.0.1:{}", port());
  connection_->halted = true;  // the client may talk at once
  while (!attached() && !give_up()) connection_->context.run_one_for(kPatience);
  connection_->attach_requested = false;
}

bool GdbServer::interrupted() {
  connection_->context.poll();
  const bool wanted = connection_->interrupt_requested || connection_->attach_requested;
  connection_->interrupt_requested = false;
  return wanted;
}

GdbServer::Order GdbServer::halt(const std::string& stop_reply,
                                 const std::function<bool()>& give_up) {
  Connection& c = *connection_;
  // A client that has just attached asks with "?" and expects no stop reply of its own accord.
  if (!stop_reply.empty() && !c.attach_requested) c.send(stop_reply);
  c.attach_requested = false;
  c.halted = true;
  while (!c.order && attached() && !give_up()) c.context.run_one_for(kPatience);
  c.halted = false;
  const Order order = c.order.value_or(Order::kRun);
  c.order.reset();
  return order;
}

void GdbServer::report_exit(const std::string& reply) {
  if (!attached()) return;
  connection_->send(reply);
  connection_->context.poll();
}

}  // namespace gvp::host
