// SPDX-License-Identifier: Apache-2.0
// A file of waveforms under construction: variables in a hierarchy of scopes, and their values as
// time goes on.  Variables may come at any time and have no value before their first.  After an
// error nothing more is written.  Times are picoseconds.
//
// Names have no spaces: whoever adds variables sees to it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gvp::trace {

class WaveFile {
 public:
  using Variable = uint32_t;

  virtual ~WaveFile() = default;
  // scope: names with a '.' between them.  A variable of up to 64 bits, or of text.
  virtual Variable add_bits(const std::string& scope, const std::string& name, unsigned bits) = 0;
  virtual Variable add_text(const std::string& scope, const std::string& name) = 0;

  // Times do not decrease.
  virtual void time(uint64_t picoseconds) = 0;
  virtual void number(Variable variable, uint64_t value) = 0;
  virtual void text(Variable variable, std::string_view value) = 0;

  virtual void flush() = 0;
  virtual void close() = 0;
  virtual const std::string& failure() const = 0;
};

// Throw Error (bad input) for a file that cannot be written.
std::unique_ptr<WaveFile> make_vcd_file(const std::string& path);
// Null where this program was built without the writer.
std::unique_ptr<WaveFile> make_fst_file(const std::string& path);

// Text as both formats have it: what is no visible character, and the backslash, as \ooo.
std::string wave_text(std::string_view text);

}  // namespace gvp::trace
