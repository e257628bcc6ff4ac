// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rsp_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace gvp::test {
namespace {

constexpr int kPatienceMs = 240000;
constexpr int kPauseMs = 50;

int connect_when_ready(const sockaddr_in& address) {
  for (int waited = 0; waited < kPatienceMs; waited += kPauseMs) {
    const int handle = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return handle;
    close(handle);
    usleep(kPauseMs * 1000);
  }
  throw std::runtime_error("nobody listens");
}

std::string word_text(uint32_t value) {
  std::vector<uint8_t> bytes(4);
  std::memcpy(bytes.data(), &value, 4);
  return to_hex(bytes);
}

}  // namespace

std::string to_hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::vector<uint8_t> from_hex(const std::string& text) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

RspClient RspClient::connect_tcp(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int handle = connect_when_ready(address);
  const int on = 1;
  setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return RspClient(handle);
}

RspClient::RspClient(RspClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), buffer_(std::move(other.buffer_)) {}

RspClient::~RspClient() {
  if (socket_ >= 0) close(socket_);
}

void RspClient::send_raw(const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n <= 0) throw std::runtime_error("connection lost while sending");
    done += static_cast<size_t>(n);
  }
}

void RspClient::send(const std::string& packet) {
  unsigned sum = 0;
  for (const char c : packet) sum += static_cast<uint8_t>(c);
  send_raw(fmt::format("${}#{:02x}", packet, sum & 0xff));
}

char RspClient::next_byte() {
  if (buffer_.empty()) {
    pollfd wait{socket_, POLLIN, 0};
    if (poll(&wait, 1, kPatienceMs) <= 0) throw std::runtime_error("no answer");
    char bytes[4096];
    const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
    if (n <= 0) throw std::runtime_error("connection closed by the server");
    buffer_.assign(bytes, static_cast<size_t>(n));
  }
  const char c = buffer_.front();
  buffer_.erase(0, 1);
  return c;
}

std::string RspClient::receive() {
  while (next_byte() != '$') {
  }
  std::string packet;
  for (char c = next_byte(); c != '#'; c = next_byte()) packet += c;
  next_byte();
  next_byte();
  send_raw("+");
  return packet;
}

std::string RspClient::exchange(const std::string& packet) {
  send(packet);
  return receive();
}

bool RspClient::closed_by_peer() {
  pollfd wait{socket_, POLLIN, 0};
  char bytes[256];
  while (poll(&wait, 1, kPatienceMs) > 0)
    if (recv(socket_, bytes, sizeof bytes, 0) <= 0) return true;
  return false;
}

std::vector<uint32_t> RspClient::registers() {
  const std::vector<uint8_t> bytes = from_hex(exchange("g"));
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

void RspClient::set_registers(const std::vector<uint32_t>& words) {
  std::string text = "G";
  for (const uint32_t word : words) text += word_text(word);
  const std::string answer = exchange(text);
  if (answer != "OK") throw std::runtime_error("G refused: " + answer);
}

void RspClient::set_register(unsigned number, uint32_t value) {
  const std::string answer = exchange(fmt::format("P{:x}={}", number, word_text(value)));
  if (answer != "OK") throw std::runtime_error("P refused: " + answer);
}

std::vector<uint8_t> RspClient::read_memory(uint32_t address, size_t bytes) {
  return from_hex(exchange(fmt::format("m{:x},{:x}", address, bytes)));
}

uint32_t RspClient::read_word(uint32_t address) {
  uint32_t word = 0;
  std::memcpy(&word, read_memory(address, 4).data(), 4);
  return word;
}

void RspClient::write_memory(uint32_t address, const std::vector<uint8_t>& bytes) {
  const std::string answer =
      exchange(fmt::format("M{:x},{:x}:{}", address, bytes.size(), to_hex(bytes)));
  if (answer != "OK") throw std::runtime_error("M refused: " + answer);
}

}  // namespace gvp::test
