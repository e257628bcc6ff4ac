// SPDX-License-Identifier: Apache-2.0
// A client of GDB's remote serial protocol for tests: what gdb would send, without gdb (Debian's
// gdb-multiarch knows no MicroBlaze).  Every call ends with an exception where nobody answers for
// so long that no load of the machine explains it, so that a test does not hang.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::test {

class RspClient {
 public:
  explicit RspClient(int socket) : socket_(socket) {}  // connected; closed with the client
  // Waits until somebody listens.
  static RspClient connect_tcp(uint16_t port);  // on 127.0.0.1
  ~RspClient();
  RspClient(RspClient&& other) noexcept;
  RspClient(const RspClient&) = delete;
  RspClient& operator=(const RspClient&) = delete;

  // Sends a packet and returns the answer.
  std::string exchange(const std::string& packet);
  void send(const std::string& packet);
  std::string receive();
  void send_raw(const std::string& bytes);
  bool closed_by_peer();  // waits for it

  std::vector<uint32_t> registers();  // g, in the order of the target, little-endian words
  void set_registers(const std::vector<uint32_t>& words);  // G
  void set_register(unsigned number, uint32_t value);      // P
  uint32_t read_word(uint32_t address);
  std::vector<uint8_t> read_memory(uint32_t address, size_t bytes);
  void write_memory(uint32_t address, const std::vector<uint8_t>& bytes);

 private:
  char next_byte();

  int socket_ = -1;
  std::string buffer_;
};

std::string to_hex(const std::vector<uint8_t>& bytes);
std::vector<uint8_t> from_hex(const std::string& text);

}  // namespace gvp::test
