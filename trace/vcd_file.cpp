// SPDX-License-Identifier: Apache-2.0
// Value change dump (IEEE 1800-2017 clause 21.7), with variables of text as GTKWave has them
// ("string", values "sTEXT ID").  A dump has all variables before its first value.  Those that come
// later go into room that is kept free between them, as spaces.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "models/base/error.h"
#include "trace/output_file.h"
#include "trace/wave_file.h"

namespace gvp::trace {
namespace {

constexpr std::string_view kBegin = "$version gpgpu-vp $end\n$timescale 1ps $end\n";
constexpr std::string_view kEnd = "$enddefinitions $end\n";
constexpr size_t kRoom = size_t{1} << 16;  // bytes, of definitions that come later
constexpr size_t kLine = 128;              // bytes that a value has at most, its text apart

class VcdFile : public WaveFile {
 public:
  explicit VcdFile(const std::string& path) : path_(path), file_(path) {}

  Variable add_bits(const std::string& scope, const std::string& name, unsigned bits) override {
    variables_.push_back({next_identifier(), bits});
    const std::string range = bits == 1 ? "" : " [" + std::to_string(bits - 1) + ":0]";
    define(scope, "$var wire " + std::to_string(bits) + ' ' + variables_.back().identifier + ' ' +
                      name + range + " $end");
    return static_cast<Variable>(variables_.size() - 1);
  }
  Variable add_text(const std::string& scope, const std::string& name) override {
    variables_.push_back({next_identifier(), 0});
    define(scope, "$var string 1 " + variables_.back().identifier + ' ' + name + " $end");
    return static_cast<Variable>(variables_.size() - 1);
  }

  void time(uint64_t picoseconds) override {
    if (!begun_) begin();
    char* at = put(file_.begin_record(kLine), '#');
    file_.end_record(put(put_number(at, picoseconds), '\n'));
  }
  void number(Variable variable, uint64_t value) override {
    const Known& known = variables_[variable];
    char* at = file_.begin_record(kLine);
    if (known.bits == 1) {
      at = put(at, value != 0 ? '1' : '0');
    } else {
      at = put(at, 'b');
      for (unsigned bit = value == 0 ? 1 : 64 - static_cast<unsigned>(__builtin_clzll(value));
           bit-- > 0;)
        *at++ = static_cast<char>('0' + (value >> bit & 1));
      at = put(at, ' ');
    }
    file_.end_record(put(put(at, known.identifier), '\n'));
  }
  void text(Variable variable, std::string_view value) override {
    const std::string escaped = wave_text(value);
    char* at = put(put(file_.begin_record(kLine + escaped.size()), 's'), escaped);
    file_.end_record(put(put(put(at, ' '), variables_[variable].identifier), '\n'));
  }

  void flush() override {
    if (!begun_) begin();
    file_.flush();
  }
  void close() override {
    if (!begun_) begin();
    file_.close();
  }
  const std::string& failure() const override {
    return failure_.empty() ? file_.failure() : failure_;
  }

 private:
  struct Known {
    std::string identifier;
    unsigned bits;
  };

  // "!", "\"", ... "~", "!!", ...
  std::string next_identifier() const {
    constexpr size_t kFirst = '!', kCount = '~' - '!' + 1;
    std::string identifier;
    for (size_t n = variables_.size() + 1; n > 0; n = (n - 1) / kCount)
      identifier += static_cast<char>(kFirst + (n - 1) % kCount);
    return identifier;
  }

  static std::string in_scope(const std::string& scope, const std::string& definition) {
    std::string text, ends;
    for (size_t at = 0; at < scope.size();) {
      const size_t dot = std::min(scope.find('.', at), scope.size());
      text += "$scope module " + scope.substr(at, dot - at) + " $end\n";
      ends += "$upscope $end\n";
      at = dot + 1;
    }
    return text + definition + '\n' + ends;
  }

  void define(const std::string& scope, const std::string& definition) {
    const std::string text = in_scope(scope, definition);
    if (!begun_) {
      definitions_ += text;
      return;
    }
    if (room_ < text.size()) {
      if (failure_.empty())
        failure_ = path_ +
                   ": too many variables come up after the beginning for a .vcd; a .fst "
                   "takes any number";
      return;
    }
    file_.flush();
    file_.overwrite(later_, text);
    later_ += text.size();
    room_ -= text.size();
  }
  void begin() {
    begun_ = true;
    const std::string header = std::string(kBegin) + definitions_;
    later_ = header.size();
    room_ = kRoom;
    const std::string all = header + std::string(room_, ' ') + '\n' + std::string(kEnd);
    file_.end_record(put(file_.begin_record(all.size()), all));
    definitions_.clear();
  }

  std::string path_;
  OutputFile file_;
  std::vector<Known> variables_;
  std::string definitions_;  // before the first value
  bool begun_ = false;
  uint64_t later_ = 0;  // where the next definition goes
  size_t room_ = 0;     // behind it
  std::string failure_;
};

}  // namespace

std::unique_ptr<WaveFile> make_vcd_file(const std::string& path) {
  return std::make_unique<VcdFile>(path);
}

std::string wave_text(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (character > ' ' && character <= '~' && character != '\\') {
      escaped += character;
      continue;
    }
    const auto value = static_cast<unsigned char>(character);
    escaped += '\\';
    for (unsigned shift : {6u, 3u, 0u}) escaped += static_cast<char>('0' + (value >> shift & 7));
  }
  return escaped;
}

}  // namespace gvp::trace
