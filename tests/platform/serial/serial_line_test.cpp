// SPDX-License-Identifier: Apache-2.0
#include "platform/serial/serial_line.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <fstream>
#include <iterator>

#include "models/base/error.h"
#include "platform/serial/stdio_line.h"
#include "platform/serial/tcp_line.h"
#include "tests/support/temporary_file.h"

namespace gvp::platform {
namespace {

using boost::asio::ip::tcp;

void write(SerialLine& line, const std::string& text) {
  for (const char c : text) line.write(static_cast<uint8_t>(c));
}

std::string read_all(SerialLine& line) {
  std::string text;
  while (const auto character = line.read()) text += static_cast<char>(*character);
  return text;
}

tcp::socket connect(boost::asio::io_context& context, const TcpLine& line) {
  tcp::socket socket(context);
  socket.connect({boost::asio::ip::address_v4::loopback(), line.port()});
  return socket;
}

std::string receive(tcp::socket& socket, size_t size) {
  std::string text(size, '\0');
  boost::asio::read(socket, boost::asio::buffer(text));
  return text;
}

// Input crosses the loopback interface: poll until it is there.
std::string poll_until(SerialLine& line, size_t size) {
  std::string text;
  for (int i = 0; i < 2000 && text.size() < size; ++i) {
    line.poll();
    text += read_all(line);
    usleep(1000);
  }
  return text;
}

TEST(SerialLine, FileReceivesTheOutput) {
  const gvp::test::TemporaryFile file("line.txt");
  {
    const auto line = make_serial_line("file:" + file.path(), "uartlite");
    write(*line, "one\ntwo");
    EXPECT_FALSE(line->read());
  }
  std::ifstream stream(file.path());
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(stream), {}}), "one\ntwo");
}

TEST(SerialLine, OutputThatAFullDiskTookIsKnownToBeLost) {
  const auto line = make_serial_line("file:/dev/full", "uartlite");
  EXPECT_EQ(line->loss(), "");
  write(*line, "one\n");
  line->flush();
  EXPECT_EQ(line->loss(), "/dev/full: No space left on device");
}

TEST(SerialLine, AFileThatCannotBeCreatedIsRefused) {
  EXPECT_THROW(make_serial_line("file:/nowhere/at/all.txt", "uartlite"), Error);
}

TEST(SerialLine, TcpKeepsOutputUntilAClientConnects) {
  TcpLine line(0, "uart16550");
  write(line, "boot\n");
  line.poll();
  boost::asio::io_context context;
  tcp::socket client = connect(context, line);
  line.poll();
  EXPECT_EQ(receive(client, 5), "boot\n");
}

TEST(SerialLine, TcpPassesInputAndSurvivesReconnection) {
  TcpLine line(0, "uart16550");
  boost::asio::io_context context;
  for (const std::string text : {"first", "second"}) {
    tcp::socket client = connect(context, line);
    boost::asio::write(client, boost::asio::buffer(text));
    EXPECT_EQ(poll_until(line, text.size()), text);
    client.close();
    for (int i = 0; i < 20; ++i) line.poll();
  }
}

TEST(SerialLine, APortInUseIsRefused) {
  const TcpLine line(0, "uart16550");
  EXPECT_THROW(make_serial_line("tcp:" + std::to_string(line.port()), "uartlite"), Error);
}

// A pseudo-terminal in the place of stdin.
class Terminal {
 public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)), saved_(dup(STDIN_FILENO)) {
    grantpt(master_);
    unlockpt(master_);
    setsid();  // the terminal becomes this (test's own) process's controlling terminal
    const int slave = open(ptsname(master_), O_RDWR);
    dup2(slave, STDIN_FILENO);
    close(slave);
  }
  ~Terminal() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
    close(master_);
  }
  tcflag_t local_modes() const {
    termios modes;
    tcgetattr(STDIN_FILENO, &modes);
    return modes.c_lflag;
  }
  void type(const std::string& text) const {
    ASSERT_EQ(::write(master_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

 private:
  int master_;
  int saved_;
};

// Runs in a child process: it takes a controlling terminal of its own.
void check_terminal() {
  const Terminal terminal;
  const tcflag_t before = terminal.local_modes();
  bool passed = (before & ICANON) != 0;
  {
    StdioLine line;
    passed = passed && (terminal.local_modes() & (ICANON | ECHO)) == 0;
    passed = passed && (terminal.local_modes() & ISIG) != 0;
    terminal.type("a\r");
    passed = passed && poll_until(line, 2) == "a\r";
  }
  passed = passed && terminal.local_modes() == before;
  _exit(passed ? 0 : 1);
}

TEST(SerialLine, StdioReadsSingleKeysAndRestoresTheTerminal) {
  EXPECT_EXIT(check_terminal(), testing::ExitedWithCode(0), "");
}

// In a child process as well: it replaces stdin.
void check_redirected() {
  int ends[2];
  if (pipe(ends) != 0 || ::write(ends[1], "x", 1) != 1) _exit(2);
  dup2(ends[0], STDIN_FILENO);
  close(ends[1]);
  StdioLine line;
  bool passed = line.has_input();
  line.poll();
  passed = passed && line.read() == 'x' && !line.read();
  line.poll();  // the end
  _exit(passed && !line.has_input() ? 0 : 1);
}

TEST(SerialLine, StdioReadsAPipeToItsEnd) {
  EXPECT_EXIT(check_redirected(), testing::ExitedWithCode(0), "");
}

void check_null_input() {
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  _exit(StdioLine().has_input() ? 1 : 0);
}

TEST(SerialLine, StdioExpectsNothingOfTheNullDevice) {
  EXPECT_EXIT(check_null_input(), testing::ExitedWithCode(0), "");
}

void check_closed_output() {
  int ends[2];
  if (pipe(ends) != 0) _exit(2);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[0]);
  close(ends[1]);
  StdioLine line;
  write(line, "nobody reads this\nnor this\n");
  _exit(0);
}

TEST(SerialLine, StdioSurvivesAReaderThatHasGone) {
  EXPECT_EXIT(check_closed_output(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gvp::platform
