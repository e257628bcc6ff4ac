// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/trace-report/synthetic_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tools/trace-report/trace_file.h"
#include "trace/sink.h"

namespace gvp::test {
namespace {

using trace_report::Span;
using trace_report::Transaction;

constexpr uint64_t kNanosecond = 1000;
constexpr unsigned kBanks = 8;
constexpr unsigned kRead = 0, kWrite = 1, kOkay = 0, kAddressError = 3;
constexpr uint32_t kNobody = 0;

// The recorder's own writer of a format, taking records as trace-report reads them.
class File {
 public:
  explicit File(const std::string& path) : sink_(trace::find_format(path)->make(path, names_)) {}

  uint32_t number(const std::string& text) { return names_.number(text); }
  const std::string& text(uint32_t number) const { return names_.text(number); }
  void track(unsigned id, trace::Subject subject, const char* place, const std::string& name) {
    sink_->track(id, {subject, number(place), number(name)});
  }
  void transaction(const Transaction& t) {
    trace::Transaction out;
    out.number = t.number;
    out.parent = t.parent;
    out.root = t.root;
    out.port = t.port;
    out.initiator = t.initiator;
    out.target = t.target;
    out.origin = t.origin;
    out.command = static_cast<trace::Command>(t.command);
    out.response = static_cast<trace::Response>(t.response);
    out.kernel = t.kernel;
    out.length = static_cast<uint32_t>(t.bytes);
    out.outstanding = static_cast<uint32_t>(t.outstanding);
    out.address = t.address;
    out.begin = t.begin;
    out.response_begin = t.response_begin;
    out.end = t.end;
    sink_->transaction(out);
  }
  void span(const Span& s, uint32_t origin) {
    sink_->span({static_cast<trace::TrackId>(s.track), s.name, origin, s.begin, s.end, s.detail});
  }
  void close() {
    sink_->close();
    if (!sink_->failure().empty()) throw std::runtime_error(sink_->failure());
  }

 private:
  trace::Names names_;
  std::unique_ptr<trace::Sink> sink_;
};

class Writer {
 public:
  Writer(const std::string& path, const TraceOptions& options)
      : options_(options), file_(path), random_(options.seed) {
    for (const char* port : {"host_instruction", "host_data", "gpgpu"})
      ports_.push_back(file_.number(port));
    memory_ = file_.number("ddr3");
    for (const char* function : {"main", "memcpy", "printf"})
      functions_.push_back(file_.number(function));
    for (const char* kernel : {"transpose", "matrix_multiply"})
      kernels_.push_back(file_.number(kernel));
    now_ = options.begin_ps;
    file_.track(0, trace::Subject::kKernels, "gpgpu", "kernels");
    for (unsigned bank = 0; options.banks && bank < kBanks; ++bank)
      file_.track(1 + bank, trace::Subject::kBanks, "ddr3", fmt::format("bank {}", bank));
    for (unsigned warp = 0; warp < options.warps; ++warp)
      file_.track(100 + warp, trace::Subject::kWarps, "gpgpu", fmt::format("SM 0 warp {}", warp));
  }

  TraceSums write() {
    const uint64_t part = options_.records / (2 * uint64_t{options_.launches} + 1) + 1;
    for (unsigned launch = 0; sums_.records < options_.records; ++launch) {
      const bool kernel = launch % 2 == 1;
      const uint32_t name = kernels_[launch / 2 % kernels_.size()];
      const uint64_t begin = now_;
      const uint64_t end = std::min(options_.records, sums_.records + part);
      while (sums_.records < end) one(kernel ? name : kNobody);
      if (kernel) file_.span({0, name, begin, now_, "grid 4x4x1, block 16x16x1"}, name);
      for (unsigned warp = 0; kernel && warp < options_.warps; ++warp)
        write_warp(warp, name, begin);
    }
    file_.close();
    return sums_;
  }

 private:
  uint64_t random(uint64_t below) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return (random_ >> 33) % below;
  }

  void one(uint32_t kernel) {
    const bool by_kernel = kernel != kNobody && random(4) != 0;
    Transaction t;
    t.number = t.root = ++number_;
    t.port = t.initiator = ports_[by_kernel ? 2 : random(2)];
    t.target = memory_;
    t.origin = by_kernel ? kernel : functions_[random(functions_.size())];
    t.kernel = by_kernel;
    t.command = t.port != ports_[0] && random(3) == 0 ? kWrite : kRead;
    t.bytes = by_kernel ? 128 : 4;
    t.address = 0x50000000 + (by_kernel ? 0x100000 + number_ % 4096 * 128 : random(16384) * 4);
    t.begin = now_;
    t.outstanding = 1 + static_cast<uint32_t>(random(by_kernel ? 8 : 1));
    if (random(1000) == 0) t.response = kAddressError;
    const uint64_t waits = random(8) == 0 ? random(200) * kNanosecond : 0;
    const uint64_t arrives = t.begin + 20 * kNanosecond + waits;
    uint64_t leaves = 0;
    if (by_kernel) {
      for (uint64_t burst = 0; burst < 2; ++burst) {
        Transaction part = t;
        part.number = ++number_;
        part.parent = t.number;
        part.bytes = t.bytes / 2;
        part.address = t.address + burst * part.bytes;
        leaves = access(part, arrives + burst * 10 * kNanosecond);
      }
    } else {
      leaves = access(t, arrives);
    }
    t.response_begin = leaves + 10 * kNanosecond;
    t.end = t.response_begin + t.bytes / 4 * kNanosecond;
    if (t.number % 5 == 0) t.response_begin = t.end;  // some formats leave that out
    put(t);
    now_ += (5 + random(20)) * kNanosecond + random(10);
  }

  // At the memory; returns the end.
  uint64_t access(Transaction t, uint64_t at) {
    t.port = memory_;
    t.outstanding = 1 + static_cast<uint32_t>(random(4));
    t.begin = at;
    t.response_begin = at + options_.memory_ns * kNanosecond;
    t.end = t.response_begin + t.bytes / 8 * kNanosecond;
    if (options_.banks) {
      const char* const states[] = {"hit", "miss", "conflict"};
      const auto bank = static_cast<size_t>(t.address >> 10 & (kBanks - 1));
      file_.span({1 + bank, file_.number(states[random(3)]), t.begin, t.end, ""}, t.origin);
    }
    put(t);
    return t.end;
  }

  void put(const Transaction& t) {
    file_.transaction(t);
    const auto add = [&](Sums& sums) {
      ++sums.transactions;
      sums.bytes += t.bytes;
      sums.errors += t.response != kOkay;
      sums.latency_ps += t.latency();
      sums.longest_ps = std::max(sums.longest_ps, t.latency());
    };
    ++sums_.records;
    add(sums_.ports[file_.text(t.port)][t.command]);
    if (t.port != memory_) {
      add(sums_.begun);
      add(sums_.origins[file_.text(t.origin)]);
    }
    sums_.begin_ps = std::min(sums_.begin_ps, t.begin);
    sums_.end_ps = std::max(sums_.end_ps, t.end);
  }

  void write_warp(unsigned warp, uint32_t kernel, uint64_t begin) {
    uint64_t time = begin + warp * 40 * kNanosecond;
    for (unsigned pc = 0; pc < 40; ++pc) {
      const uint64_t end = time + (20 + random(100)) * kNanosecond;
      file_.span({100 + warp, file_.number(fmt::format("pc {:#06x}", pc * 8)), time, end,
                  "block (0, 0, 0)"},
                 kernel);
      time = end + random(60) * kNanosecond;
    }
  }

  TraceOptions options_;
  File file_;
  std::vector<uint32_t> ports_, functions_, kernels_;
  uint32_t memory_ = kNobody;
  uint64_t random_;
  uint64_t now_ = 0;
  uint64_t number_ = 0;
  TraceSums sums_;
};

}  // namespace

TraceSums write_trace(const std::string& path, const TraceOptions& options) {
  return Writer(path, options).write();
}

}  // namespace gvp::test
