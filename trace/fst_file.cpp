// SPDX-License-Identifier: Apache-2.0
// Fast signal trace, the compressed waveforms of GTKWave.
#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "models/base/error.h"
#include "trace/fst_writer.h"
#include "trace/wave_file.h"

namespace gvp::trace {
namespace {

constexpr unsigned kSection = 1000000;  // values, after which what there is goes into the file
constexpr unsigned kFlushes = 64;       // or calls of flush()

class FstFile : public WaveFile {
 public:
  explicit FstFile(const std::string& path) : path_(path), writer_(path) {
    std::signal(SIGXFSZ, SIG_IGN);
    if (!writer_.ok())
      throw bad_input(fmt::format("cannot write the trace: {}", std::strerror(writer_.error())),
                      {path}, "check the directory and its permissions");
  }

  Variable add_bits(const std::string& scope, const std::string& name, unsigned bits) override {
    return add(scope, bits == 1 ? name : fmt::format("{} [{}:0]", name, bits - 1), bits);
  }
  Variable add_text(const std::string& scope, const std::string& name) override {
    return add(scope, name, 0);
  }

  void time(uint64_t picoseconds) override {
    if (!failure_.empty()) return;
    if (values_ >= kSection) {
      writer_.flush();
      values_ = 0;
    }
    writer_.time(picoseconds);
    check();
  }
  void number(Variable variable, uint64_t value) override {
    if (!failure_.empty()) return;
    ++values_;
    writer_.number(known_[variable].handle, known_[variable].bits, value);
  }
  void text(Variable variable, std::string_view value) override {
    if (!failure_.empty()) return;
    ++values_;
    writer_.text(known_[variable].handle, value);
  }

  void flush() override {
    if (++flushes_ % kFlushes == 0 && failure_.empty()) writer_.flush();
  }
  void close() override {
    writer_.close();
    check();
  }
  const std::string& failure() const override { return failure_; }

 private:
  struct Known {
    uint32_t handle;
    unsigned bits;
  };

  Variable add(const std::string& scope, const std::string& name, unsigned bits) {
    unsigned depth = 0;
    for (size_t at = 0; at < scope.size(); ++depth) {
      const size_t dot = std::min(scope.find('.', at), scope.size());
      writer_.begin_scope(scope.substr(at, dot - at));
      at = dot + 1;
    }
    known_.push_back({writer_.add(name, bits), bits});
    for (; depth > 0; --depth) writer_.end_scope();
    return static_cast<Variable>(known_.size() - 1);
  }
  void check() {
    if (writer_.error() != 0 && failure_.empty())
      failure_ = fmt::format("{}: cannot write: {}", path_, std::strerror(writer_.error()));
  }

  std::string path_;
  FstWriter writer_;
  std::vector<Known> known_;
  unsigned values_ = 0, flushes_ = 0;
  std::string failure_;
};

}  // namespace

std::unique_ptr<WaveFile> make_fst_file(const std::string& path) {
  return std::make_unique<FstFile>(path);
}

}  // namespace gvp::trace
