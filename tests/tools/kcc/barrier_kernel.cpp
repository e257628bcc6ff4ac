// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/barrier_kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace gvp::kcc {
namespace {

constexpr uint32_t kWarp = 32;
// Odd and without a common factor with 64, 96 or 160: each thread has a place of its own.
constexpr uint32_t kFactors[] = {1, 7, 11, 13, 19, 23, 29, 31};

}  // namespace

BarrierKernel::BarrierKernel(unsigned seed) : random_(seed) {
  constexpr uint32_t kThreads[] = {64, 96, 160};
  threads_ = kThreads[below(3)];
  rounds_ = 1 + below(3);
  generate();
}

void BarrierKernel::generate() {
  state_.assign(kArrays + kFlags, {});
  const Statement barrier{Kind::kBarrier, 0, 0, 0, 0, 1, 0, 0};
  part_ = &before_;
  for (uint32_t array = 0; array < kArrays; ++array)
    add({Kind::kWrite, array, 0, array, array, kFactors[below(8)], below(threads_), 0});
  for (uint32_t flag = 0; flag < kFlags; ++flag)
    add({Kind::kClearFlag, 0, 0, kArrays + flag, kArrays + flag, 1, 0, 0});
  for (auto* part : {&before_, &loop_, &after_}) {
    part_ = part;
    // A loop comes again to its begin: nothing may be under way there.
    if (part != &before_) add(barrier);
    for (unsigned n = 0; n < 14; ++n) {
      const uint32_t kind = below(10);
      const bool flag = kind >= 7;
      const uint32_t array = flag ? kArrays + below(kFlags) : below(kArrays);
      constexpr Kind kKinds[] = {Kind::kWrite,     Kind::kRead,    Kind::kRead,  Kind::kReadElse,
                                 Kind::kCompute,   Kind::kFence,   Kind::kWrite, Kind::kClearFlag,
                                 Kind::kRaiseFlag, Kind::kReadFlag};
      add({kKinds[kind], below(kVariables), below(kVariables), array, below(kArrays),
           kFactors[below(8)], below(threads_), static_cast<uint32_t>(random_()) | 1u});
    }
  }
}

// With a barrier before it where it would race with what came since the last one.
void BarrierKernel::add(Statement statement) {
  if (!fits(statement)) {
    const Statement barrier{Kind::kBarrier, 0, 0, 0, 0, 1, 0, 0};
    part_->push_back(barrier);
    note(barrier);
  }
  part_->push_back(statement);
  note(statement);
}

bool BarrierKernel::fits(const Statement& s) const {
  switch (s.kind) {
    case Kind::kWrite:
    case Kind::kClearFlag:
    case Kind::kRaiseFlag:
      return !state_[s.array].read && !state_[s.array].written;
    case Kind::kReadElse:
      return !state_[s.array].written && !state_[s.second_array].written;
    case Kind::kRead:
    case Kind::kReadFlag:
      return !state_[s.array].written;
    default:
      return true;
  }
}

void BarrierKernel::note(const Statement& s) {
  switch (s.kind) {
    case Kind::kBarrier:
      state_.assign(state_.size(), {});
      break;
    case Kind::kWrite:
    case Kind::kClearFlag:
    case Kind::kRaiseFlag:
      state_[s.array].written = true;
      break;
    case Kind::kReadElse:
      state_[s.second_array].read = true;
      state_[s.array].read = true;
      break;
    case Kind::kRead:
    case Kind::kReadFlag:
      state_[s.array].read = true;
      break;
    default:
      break;
  }
}

std::string BarrierKernel::text_of(const Statement& s) const {
  const std::string at = fmt::format("[(t * {}u + {}u) % {}u]", s.factor, s.offset, threads_);
  const uint32_t flag = s.array - kArrays;
  switch (s.kind) {
    case Kind::kBarrier:
      return "__syncthreads();";
    case Kind::kFence:
      return s.constant & 2 ? "__threadfence();" : "__threadfence_block();";
    case Kind::kCompute:
      return fmt::format("v{0} = v{0} * {1}u + v{2};", s.variable, s.constant, s.other);
    case Kind::kWrite:
      return fmt::format("a{}{} = v{};", s.array, at, s.variable);
    case Kind::kRead:
      return fmt::format("v{} ^= a{}{};", s.variable, s.array, at);
    case Kind::kReadElse:
      return fmt::format("if (v{0} & 4) v{0} += a{1}{3}; else v{0} ^= a{2}{3};", s.variable,
                         s.array, s.second_array, at);
    case Kind::kClearFlag:
      return fmt::format("f{} = 0;", flag);
    case Kind::kRaiseFlag:
      return fmt::format("if ((v{} & {}u) == {}u) f{} = {}u;", s.variable, s.constant & 0xffu,
                         s.constant & 0x21u, flag, s.constant);
    case Kind::kReadFlag:
      return fmt::format("v{} += f{};", s.variable, flag);
  }
  return "";
}

std::string BarrierKernel::text() const {
  std::string text =
      "extern \"C\" __global__ void k(const unsigned* in, unsigned* out, int rounds) {\n";
  for (uint32_t array = 0; array < kArrays; ++array)
    text += fmt::format("  __shared__ unsigned a{}[{}];\n", array, threads_);
  for (uint32_t flag = 0; flag < kFlags; ++flag)
    text += fmt::format("  __shared__ unsigned f{};\n", flag);
  text += "  const unsigned t = threadIdx.x;\n";
  for (uint32_t v = 0; v < kVariables; ++v)
    text += fmt::format("  unsigned v{0} = in[t * {1} + {0}];\n", v, kVariables);
  for (const Statement& s : before_) text += "  " + text_of(s) + "\n";
  text += "  for (int round = 0; round < rounds; ++round) {\n";
  for (const Statement& s : loop_) text += "    " + text_of(s) + "\n";
  text += "  }\n";
  for (const Statement& s : after_) text += "  " + text_of(s) + "\n";
  for (uint32_t v = 0; v < kVariables; ++v)
    text += fmt::format("  out[t * {1} + {0}] = v{0};\n", v, kVariables);
  return text + "}\n";
}

std::vector<BarrierKernel::Statement> BarrierKernel::unrolled() const {
  std::vector<Statement> all = before_;
  for (uint32_t round = 0; round < rounds_; ++round)
    all.insert(all.end(), loop_.begin(), loop_.end());
  all.insert(all.end(), after_.begin(), after_.end());
  return all;
}

void BarrierKernel::execute(const Statement& s, uint32_t thread, std::vector<uint32_t>& variables,
                            std::vector<uint32_t>& shared) const {
  uint32_t& v = variables[thread * kVariables + s.variable];
  const auto word = [&](uint32_t array) -> uint32_t& {
    return shared[array * threads_ + (array < kArrays ? place(s, thread) : 0)];
  };
  switch (s.kind) {
    case Kind::kBarrier:
    case Kind::kFence:
      break;
    case Kind::kCompute:
      v = v * s.constant + variables[thread * kVariables + s.other];
      break;
    case Kind::kWrite:
      word(s.array) = v;
      break;
    case Kind::kRead:
      v ^= word(s.array);
      break;
    case Kind::kReadElse:
      v = (v & 4u) != 0 ? v + word(s.array) : v ^ word(s.second_array);
      break;
    case Kind::kClearFlag:
      word(s.array) = 0;
      break;
    case Kind::kRaiseFlag:
      if ((v & s.constant & 0xffu) == (s.constant & 0x21u)) word(s.array) = s.constant;
      break;
    case Kind::kReadFlag:
      v += word(s.array);
      break;
  }
}

std::vector<uint32_t> BarrierKernel::results(const std::vector<uint32_t>& in,
                                             std::mt19937& order) const {
  const std::vector<Statement> statements = unrolled();
  std::vector<uint32_t> variables = in;
  std::vector<uint32_t> shared((kArrays + kFlags) * threads_);
  std::vector<size_t> next(threads_ / kWarp, 0);  // by warp
  const auto waits = [&](size_t at) {
    return at == statements.size() || statements[at].kind == Kind::kBarrier;
  };
  for (;;) {
    std::vector<uint32_t> able;
    for (uint32_t warp = 0; warp < next.size(); ++warp)
      if (!waits(next[warp])) able.push_back(warp);
    if (able.empty()) {
      // All warps stand at the same barrier, or at the end.
      if (next[0] == statements.size()) return variables;
      for (size_t& at : next) ++at;
      continue;
    }
    const uint32_t warp = able[order() % able.size()];
    for (uint32_t lane = 0; lane < kWarp; ++lane)
      execute(statements[next[warp]], warp * kWarp + lane, variables, shared);
    ++next[warp];
  }
}

}  // namespace gvp::kcc
