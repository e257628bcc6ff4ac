// SPDX-License-Identifier: Apache-2.0
#include "platform/serial/serial_line.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "platform/serial/file_line.h"
#include "platform/serial/stdio_line.h"
#include "platform/serial/tcp_line.h"

namespace gvp::platform {
namespace {

class UnconnectedLine : public SerialLine {
 public:
  void write(uint8_t) override {}
  std::optional<uint8_t> read() override { return std::nullopt; }
  bool has_input() const override { return false; }
};

}  // namespace

std::unique_ptr<SerialLine> make_serial_line(const std::string& line, const std::string& purpose) {
  if (line == "none") return std::make_unique<UnconnectedLine>();
  if (line == "stdio") return std::make_unique<StdioLine>();
  if (line.rfind("tcp:", 0) == 0)
    return std::make_unique<TcpLine>(static_cast<uint16_t>(std::stoul(line.substr(4))), purpose,
                                     line.find(",wait") != std::string::npos);
  if (line.rfind("file:", 0) == 0) return std::make_unique<FileLine>(line.substr(5), purpose);
  throw bad_input(fmt::format("unknown serial line \"{}\"", line), {purpose},
                  "none, stdio, tcp:PORT[,wait] or file:PATH");
}

}  // namespace gvp::platform
