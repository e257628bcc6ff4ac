// SPDX-License-Identifier: Apache-2.0
#include "models/rtl/verilated_output.h"

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "verilated.h"

namespace gvp::rtl {

std::string& verilated_output() {
  static thread_local std::string text;
  return text;
}

void verilated_printf(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    std::string& text = verilated_output();
    const size_t before = text.size();
    text.resize(before + static_cast<size_t>(length) + 1);
    std::vsnprintf(&text[before], static_cast<size_t>(length) + 1, format, again);
    text.pop_back();
  }
  va_end(again);
}

}  // namespace gvp::rtl

namespace {

[[noreturn]] void give_up(const char* what, const char* file, int line, const char* text) {
  std::string message = what;
  if (text != nullptr && *text != '\0') message += std::string(": ") + text;
  if (file != nullptr && *file != '\0')
    message += std::string(" (") + file + ':' + std::to_string(line) + ')';
  throw std::runtime_error(message);
}

}  // namespace

void vl_finish(const char* file, int line, const char*) {
  give_up("the RTL has ended the simulation ($finish)", file, line, nullptr);
}
void vl_stop(const char* file, int line, const char*) {
  give_up("an assertion of the RTL has failed, or it said $stop", file, line, nullptr);
}
void vl_fatal(const char* file, int line, const char*, const char* text) {
  give_up("the RTL cannot go on", file, line, text);
}
