// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that branches, loops and ends take apart meet before barriers, and what those
// that end do comes before what the others do behind them.  At every level, loosely and
// approximately timed.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> result(count);
  for (uint32_t i = 0; i < count; ++i) result[i] = i * 7 + 3;
  return result;
}

void expect(const std::string& text, uint32_t threads, const std::vector<uint32_t>& in, uint32_t n,
            const std::vector<uint32_t>& expected) {
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), threads, in, n), expected)
        << "-O" << level << ", n = " << n << '\n'
        << text;
}

// Arms and loops that threads of a warp take apart, in which they may end, and do or do not: all
// that go on meet before the next barrier.
TEST(MeetingThreads, ThreadsThatMayEndMeetTheOthersBeforeBarriers) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    s[t] = 0;
    for (int round = 0; round < 2; ++round) {
      __syncthreads();
      if (t & 1) {
        int parts[2] = {in[t], t};
        for (int i = 0; i < (t >= 32 ? 40 : 2); ++i) {
          if ((r & 255) == n) { out[t] = 77; return; }
          r = r * 3 + parts[i & 1];
          if (t == 5) break;
        }
      }
      switch (r & 3) {  // both go back to one place
        case 0: if (r == n) return; break;
        case 2: if (r == n) return; r += 5; break;
        default: r += 1;
      }
      s[t] = r;
      __syncthreads();
      r += s[t ^ 32];
      __syncthreads();
    }
    out[t] = r;
  })";
  const std::vector<uint32_t> in = numbers(kThreads);
  for (const uint32_t n : {1000u, 31u, 66u, 73u, 45u, 52u}) {
    std::vector<uint32_t> expected(kThreads, 0), r = in, s(kThreads, 0);
    std::vector<bool> ended(kThreads, false);
    for (int round = 0; round < 2; ++round) {
      for (uint32_t t = 0; t < kThreads; ++t) {
        for (uint32_t i = 0; !ended[t] && t % 2 == 1 && i < (t >= 32 ? 40u : 2u); ++i) {
          if ((r[t] & 255) == n) {
            ended[t] = true;
            expected[t] = 77;
            break;
          }
          r[t] = r[t] * 3 + (i % 2 == 0 ? in[t] : t);
          if (t == 5) break;
        }
        const bool back = r[t] % 2 == 0 && r[t] == n;
        ended[t] = ended[t] || back;
        if (ended[t]) continue;
        r[t] += r[t] % 4 == 2 ? 5 : r[t] % 4 == 0 ? 0 : 1;
        s[t] = r[t];
      }
      for (uint32_t t = 0; t < kThreads; ++t) r[t] += s[t ^ 32];
    }
    for (uint32_t t = 0; t < kThreads; ++t)
      if (!ended[t]) expected[t] = r[t];
    EXPECT_EQ(std::count(ended.begin(), ended.end(), true) == 0, n == 1000) << n;
    expect(text, kThreads, in, n, expected);
  }
}

// The same before a loop whose last barrier is where threads leave it for the end of the kernel:
// that is another way past all barriers, and the one that they all take.
TEST(MeetingThreads, ThreadsThatMayEndMeetTheOthersBeforeLoopsThatLeadToTheEnd) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    s[t] = 0;
    if (t & 1) {
      r = r * 3 + 1;
      if (r == n) { out[t] = 77; return; }
      for (int i = 0; i < (t & 7); ++i) r ^= in[i] << i;
    }
    s[t] = r;
    for (int round = 0;; ++round) {
      __syncthreads();
      const int other = s[(t + 2 * round + 1) & 63];
      __syncthreads();
      if (round == 2) break;
      s[t] = r += other;
    }
    out[t] = r;
  })";
  const std::vector<uint32_t> in = numbers(kThreads);
  for (const uint32_t n : {0u, in[13] * 3 + 1}) {
    std::vector<uint32_t> expected(kThreads), r = in, s(kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) {
      if (t % 2 == 1) r[t] = r[t] * 3 + 1;
      if (t % 2 == 1 && r[t] == n) {
        expected[t] = 77;
        continue;
      }
      for (uint32_t i = 0; t % 2 == 1 && i < t % 8; ++i) r[t] ^= in[i] << i;
      s[t] = r[t];
    }
    for (uint32_t round = 0; round < 2; ++round) {
      const std::vector<uint32_t> before = s;
      for (uint32_t t = 0; t < kThreads; ++t)
        if (expected[t] == 0) s[t] = r[t] += before[(t + 2 * round + 1) % kThreads];
    }
    for (uint32_t t = 0; t < kThreads; ++t)
      if (expected[t] == 0) expected[t] = r[t];
    expect(text, kThreads, in, n, expected);
  }
}

// One side of a branch that all take alike may end threads, the other holds the barriers; the end
// of the kernel, which both come to, is taken apart for those that have no barrier behind them.
TEST(MeetingThreads, ThreadsMayEndOnOneSideOfABranchAndMeetOnTheOther) {
  constexpr uint32_t kThreads = 32;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    int r = in[t];
    if (n) {
      if (r & 4) { out[t] = 7; return; }
    } else {
      for (int i = 0; i < in[40]; ++i) {
        s[t] = r; __syncthreads();
        r += s[31 - t]; __syncthreads();
      }
    }
    out[t] = r; out[t + 32] = -r;
  })";
  std::vector<uint32_t> in(2 * kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = t * 7 + 3;
  in[40] = 2;
  for (const uint32_t n : {0u, 1u}) {
    std::vector<uint32_t> expected(2 * kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) {
      const bool ends = n != 0 && (in[t] & 4) != 0;
      expected[t] = ends ? 7 : n != 0 ? in[t] : 2 * (in[t] + in[31 - t]);
      expected[t + kThreads] = ends ? 0 : 0 - expected[t];
    }
    expect(text, kThreads, in, n, expected);
  }
}

// The last warp, of one thread, ends where the other waits for it; --check knows that its read came
// before what is behind the barrier.
TEST(MeetingThreads, AWarpMayEndWhereOthersWaitForIt) {
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[33];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t == 32) {
      int x = s[0];
      for (int i = 0; i < n; ++i) x += s[i & 3];
      out[t] = x;
      return;
    }
    __syncthreads();
    s[t] = 5;
    __syncthreads();
    out[t] = s[31 - t];
  })";
  std::vector<uint32_t> in(33), expected(33, 5);
  for (uint32_t t = 0; t < 33; ++t) in[t] = t + 1;
  expected[32] = 1 + 5 * (1 + 2 + 3 + 4);
  expect(text, 33, in, 20, expected);
}

// Threads that end are not waited for at a barrier, but what they do until then comes before what
// others do behind it, also of the same warp; whichever side of a branch it is on, and although
// LLVM puts the stores before both ends together.
TEST(MeetingThreads, WhatThreadsDoBeforeTheyEndComesBeforeTheNextBarrierOfOthers) {
  constexpr uint32_t kThreads = 32;
  const std::string begin = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
  )";
  const std::string end =
      "int x = s[31 - t]; for (int i = 0; i < (t & 3); ++i) x += s[i];\n"
      "if (x & 4) { out[t] = x; return; }\n out[t] = x + n; return;\n";
  const std::string go_on = "__syncthreads(); s[t] = 1000; out[t] = out[t ^ 1] * 3 + n;\n";
  const std::vector<uint32_t> in = numbers(kThreads);  // odd where t is even
  std::vector<uint32_t> expected(kThreads);
  for (uint32_t t = 0; t < kThreads; t += 2) {
    uint32_t x = in[31 - t];
    for (uint32_t i = 0; i < t % 4; ++i) x += in[i];
    expected[t] = (x & 4) != 0 ? x : x + 5;
    expected[t + 1] = expected[t] * 3 + 5;
  }
  for (const std::string& rest : {"if (in[t] & 1) {" + end + "}" + go_on,
                                  "if (!(in[t] & 1)) {" + go_on + "} else {" + end + "}"}) {
    expect(begin + rest + "}", kThreads, in, 5, expected);
  }
}

// As clang writes it unless told otherwise, the return leads to where the outer loop is left, with
// a note that it is a return.
TEST(MeetingThreads, ThreadsThatMayEndInABlockWithVariablesMeetTheOthersBeforeBarriers) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(__device__ __noinline__ void meet() { __syncthreads(); }
  extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    for (int round = 0; round < in[0]; ++round) {
      MEET();
      { int rest = t & 3; do {
        r = r * 5 + round;
        if (t == 30) break;
        if (r == n) return;
        if (r == n + 1) { s[t] = 1; return; }
      } while (rest-- > 0); }
      MEET();
      s[t] = r;
      MEET();
      r ^= s[t ^ 33];
    }
    MEET();
    out[t] = r;
  })";
  const std::vector<uint32_t> in = numbers(kThreads);
  std::vector<uint32_t> expected = in;
  for (uint32_t round = 0; round < in[0]; ++round) {
    for (uint32_t t = 0; t < kThreads; ++t)
      for (uint32_t i = 0; i <= (t == 30 ? 0 : t & 3); ++i) expected[t] = expected[t] * 5 + round;
    const std::vector<uint32_t> s = expected;
    for (uint32_t t = 0; t < kThreads; ++t) expected[t] ^= s[t ^ 33];
  }
  for (const std::string barrier : {"__syncthreads", "meet"}) {
    expect("#define MEET " + barrier + "\n" + text, kThreads, in, 1, expected);
  }
}

// What `continue` leaves out changes what the way back works out anew, so that it leads to two
// places; all threads are to have left the loop when they come to the barrier.
TEST(MeetingThreads, ThreadsMeetBehindLoopsWithTwoWaysBack) {
  const std::string text =
      R"(extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned sums[5];
    const unsigned own = threadIdx.x;
    const unsigned factor = in[own], chooses = in[own + 5];
    unsigned place = in[own + 10];
    unsigned values[8];
    for (int i = 0; i < 8; ++i) values[i] = chooses * i;
    sums[own] = factor;
    __syncthreads();
    for (int i = n; i-- > 0;) {
      sums[own * 4 % 5] += values[(place + 2) & 7];
      if ((chooses & 16) == 0) continue;
      place *= factor << 29;
    }
    __syncthreads();
    out[own] = sums[own];
  }
)";
  const std::vector<uint32_t> in{1, 31, 77, 5, 9, 16, 5, 0xffffffff, 1, 0x105, 3, 0, 5, 2, 1};
  std::vector<uint32_t> sums(in.begin(), in.begin() + 5);
  for (size_t own = 0; own < 5; ++own) {
    uint32_t place = in[own + 10];
    for (int i = 0; i < 6; ++i) {
      sums[own * 4 % 5] += ((place + 2) & 7) * in[own + 5];
      if ((in[own + 5] & 16) != 0) place *= in[own] << 29;
    }
  }
  sums.resize(in.size());
  expect(text, 5, in, 6, sums);
}

// Threads leave the loop by ending, and go on with it from two places; all are to come to its
// barriers together, else some count the rounds for others.
TEST(MeetingThreads, ThreadsMeetBeforeTheNextRoundOfLoopsThatTheyLeaveByEnding) {
  const std::string text =
      R"(extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ int rounds;
    const unsigned own = threadIdx.x;
    unsigned sum = 0;
    if (own == 0) rounds = 0;
    while (true) {
      __syncthreads();
      if (own == 0) rounds = rounds + 1;
      __syncthreads();
      if (rounds > n) break;
      if (own & 4) {
        unsigned x = in[own];
        do {
          x >>= 1;
          ++sum;
        } while (x > 1);
        out[own] = sum;
      }
    }
  }
)";
  std::vector<uint32_t> in(64), expected(64);
  for (uint32_t own = 0; own < 64; ++own) {
    in[own] = own * own;
    if ((own & 4) == 0) continue;
    uint32_t x = in[own];
    do {
      x >>= 1;
      expected[own] += 5;
    } while (x > 1);
  }
  expect(text, 64, in, 5, expected);
}

// Of the ways out of the loop the one that all take together is that which others do not leave them
// on, whatever there is to do behind those.
TEST(MeetingThreads, ThreadsMeetInLoopsWithEarlyReturnsAndAnEndThatAllTakeTogether) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    s[t] = r;
    for (int round = 0;; ++round) {
      __syncthreads();
      const int other = s[(t + round + 1) & 63];
      __syncthreads();
      if (round >= n) break;
      if (!(r & 1)) {
        if ((r & 31) == 2) { out[t] = 77; return; }
        r += other;
      }
      s[t] = r;
      if (((r + round) & 7) == 5) {
        int sum = 1;
        for (int i = 0; i < (r & 15); ++i) sum += in[i] & t;
        if (sum & 1) sum ^= in[sum & 31];
        out[t] = sum;
        return;
      }
    }
    out[t] = r;
  })";
  const std::vector<uint32_t> in = numbers(kThreads);
  for (const uint32_t n : {0u, 1u, 6u}) {
    std::vector<uint32_t> r = in, s = in, out(kThreads);
    std::vector<bool> ended(kThreads, false);
    for (uint32_t round = 0; round < n; ++round) {
      const std::vector<uint32_t> before = s;
      for (uint32_t t = 0; t < kThreads; ++t) {
        if (ended[t]) continue;
        if (r[t] % 2 == 0 && r[t] % 32 == 2) {
          ended[t] = true;
          out[t] = 77;
          continue;
        }
        if (r[t] % 2 == 0) r[t] += before[(t + round + 1) % kThreads];
        s[t] = r[t];
        if ((r[t] + round) % 8 != 5) continue;
        uint32_t sum = 1;
        for (uint32_t i = 0; i < r[t] % 16; ++i) sum += in[i] & t;
        if (sum % 2 == 1) sum ^= in[sum % 32];
        ended[t] = true;
        out[t] = sum;
      }
    }
    for (uint32_t t = 0; t < kThreads; ++t)
      if (!ended[t]) out[t] = r[t];
    expect(text, kThreads, in, n, out);
  }
}

// Where threads of a warp exchange values without a barrier, loads of shared memory are places
// where they meet, too; those that come to such before they end are none that come to the barrier.
TEST(MeetingThreads, ThreadsThatLoadSharedMemoryBeforeTheyEndAreNotWaitedForBehindBarriers) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int) {
    __shared__ int s[64];
    __shared__ volatile int x[64];
    const int t = threadIdx.x;
    int r = in[t];
    s[t] = r;
    x[t] = 3 * r;
    __syncthreads();
    if ((t & 31) < 5) {
      for (int i = 0; i < (r & 7); ++i) r = r * 3 ^ s[(t + i) & 63];
      out[t] = r;
      return;
    }
    for (int i = 0; i < (r & 3); ++i) r += in[(t + i) & 63];
    x[t] = r;
    r += x[t ^ 1];
    __syncthreads();
    out[t] = r + x[63 - t];
  })";
  const std::vector<uint32_t> in = numbers(kThreads);
  std::vector<uint32_t> out(kThreads), r = in, x(kThreads);
  const auto ends = [](uint32_t t) { return t % 32 < 5; };
  for (uint32_t t = 0; t < kThreads; ++t) {
    x[t] = 3 * r[t];
    if (ends(t)) {
      for (uint32_t i = 0; i < r[t] % 8; ++i) r[t] = r[t] * 3 ^ in[(t + i) % kThreads];
      out[t] = r[t];
      continue;
    }
    for (uint32_t i = 0; i < r[t] % 4; ++i) r[t] += in[(t + i) % kThreads];
    x[t] = r[t];
  }
  for (uint32_t t = 0; t < kThreads; ++t)
    if (!ends(t)) out[t] = r[t] + x[t ^ 1] + x[kThreads - 1 - t];
  expect(text, kThreads, in, 0, out);
}

}  // namespace
}  // namespace gvp::kcc
