// SPDX-License-Identifier: Apache-2.0
// Logging by module: --log LEVEL[:MODULE].  Each part of the platform owns one static Log with
// its module name ("host", "gpgpu", "warp", "axi"...).  A level that is off costs one relaxed
// load; arguments are formatted only when it is on.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gvp {

enum class LogLevel : int { kError = 0, kWarning, kInfo, kDebug, kTrace, kOff = -1 };

class Log {
 public:
  explicit Log(const char* module);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool enabled(LogLevel level) const {
    return static_cast<int>(level) <= level_.load(std::memory_order_relaxed);
  }
  template <typename... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) const {
    write(LogLevel::kError, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) const {
    write(LogLevel::kWarning, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) const {
    write(LogLevel::kInfo, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void debug(fmt::format_string<Args...> format, Args&&... args) const {
    write(LogLevel::kDebug, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void trace(fmt::format_string<Args...> format, Args&&... args) const {
    write(LogLevel::kTrace, format, std::forward<Args>(args)...);
  }

  const char* module() const { return module_; }

  // Applies "LEVEL" or "LEVEL:MODULE"; throws Error (bad input) naming the known levels and
  // modules.  Later calls override earlier ones.
  static void configure(std::string_view specification);
  // Every module that exists in this program, in alphabetical order.
  static std::vector<std::string> modules();
  // Where lines go; the default is stderr.  For tests and for the progress line.
  static void set_sink(std::function<void(LogLevel, const std::string&)> sink);

 private:
  template <typename... Args>
  void write(LogLevel level, fmt::format_string<Args...> format, Args&&... args) const {
    if (enabled(level)) emit(level, fmt::format(format, std::forward<Args>(args)...));
  }
  void emit(LogLevel level, const std::string& text) const;

  const char* module_;
  std::atomic<int> level_;
};

}  // namespace gvp
