// SPDX-License-Identifier: Apache-2.0
#include "platform/serial/stdio_line.h"

#include <poll.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "models/base/standard_streams.h"

namespace gvp::platform {
namespace {

constexpr size_t kOutputBuffer = 4096;
constexpr size_t kLongestLine = 4096;  // that can be shown again
constexpr size_t kInputBuffer = 4096;  // what is typed ahead of the guest

// For restore_terminal(), which a signal handler may call.
termios original_modes;
volatile std::sig_atomic_t modes_changed = 0;

int output_descriptor = STDOUT_FILENO;

bool is_foreground_terminal() {
  return isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

// A pipe, a socket or a file; not the null device, which never has anything to say.
bool is_redirected() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 &&
         (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

// Writes all of text; false, with errno, when that is not possible.
bool write_all(int descriptor, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count >= 0) {
      done += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

StdioLine::StdioLine() : descriptor_(output_descriptor) {
  survive_broken_pipes();
  input_open_ = is_redirected();
  if (!is_foreground_terminal() || tcgetattr(STDIN_FILENO, &original_modes) != 0) return;
  termios modes = original_modes;
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  modes.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IGNCR | IXON);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  modes_changed = 1;
  input_open_ = tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0;
}

StdioLine::~StdioLine() {
  flush();
  restore_terminal();
}

void StdioLine::leave_standard_output() { output_descriptor = STDERR_FILENO; }

int StdioLine::output() { return output_descriptor; }

void StdioLine::restore_terminal() {
  if (modes_changed == 0) return;
  tcsetattr(STDIN_FILENO, TCSANOW, &original_modes);
  modes_changed = 0;
}

void StdioLine::set_before_output(std::function<void()> before_output) {
  before_output_ = std::move(before_output);
}

void StdioLine::write(uint8_t character) {
  if (output_lost_) return;
  output_ += static_cast<char>(character);
  if (character == '\n' || output_.size() >= kOutputBuffer) flush();
}

std::optional<uint8_t> StdioLine::read() {
  if (input_.empty()) return std::nullopt;
  const uint8_t character = input_.front();
  input_.pop_front();
  return character;
}

void StdioLine::poll() {
  flush();
  if (input_open_) take_input();
}

void StdioLine::flush() {
  if (output_.empty()) return;
  if (before_output_) before_output_();
  const size_t end = output_.rfind('\n');
  if (end != std::string::npos) shown_.clear();
  shown_.append(output_, end == std::string::npos ? 0 : end + 1, std::string::npos);
  if (shown_.size() > kLongestLine) shown_.erase(0, shown_.size() - kLongestLine);
  output_lost_ = !write_all(descriptor_, output_);
  if (output_lost_ && errno != EPIPE)
    loss_ = std::string(descriptor_ == STDOUT_FILENO ? "standard output: " : "standard error: ") +
            std::strerror(errno);
  output_.clear();
}

void StdioLine::show_line_again() {
  if (!output_lost_) output_lost_ = !write_all(descriptor_, shown_);
}

void StdioLine::take_input() {
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  if (input_.size() >= kInputBuffer || ::poll(&ready, 1, 0) <= 0) return;
  std::array<uint8_t, 256> characters;
  const ssize_t count = ::read(STDIN_FILENO, characters.data(), characters.size());
  if (count > 0) {
    input_.insert(input_.end(), characters.begin(), characters.begin() + count);
  } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
    input_open_ = false;  // the terminal has gone
  }
}

}  // namespace gvp::platform
