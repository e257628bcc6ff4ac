// SPDX-License-Identifier: Apache-2.0
// Structures by value whose bit fields or alignment LLVM does not pass by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/kcc/cuda_text.h"
#include "tools/kcc/front_end/aligned_values.h"
#include "tools/kcc/front_end/bit_field_units.h"
#include "tools/kcc/front_end/union_values.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// At every level, thread t writes expected[t], with 32 words of t * 0x9e3779b9 to read.
void expect(const std::string& text, const std::vector<uint32_t>& expected) {
  std::vector<uint32_t> in(32);
  for (uint32_t i = 0; i < 32; ++i) in[i] = i * 0x9e3779b9U;
  for (const unsigned level : {0U, 1U, 2U})
    EXPECT_EQ(results(compiled(text, level), 32, in, 5), expected) << "-O" << level;
}

template <typename Value>
std::vector<uint32_t> of_all(Value value) {
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 32; ++i) expected.push_back(value(i * 0x9e3779b9U));
  return expected;
}

uint32_t folded(uint64_t x, unsigned bits) {
  const uint64_t field = x & ((uint64_t{1} << bits) - 1);
  return static_cast<uint32_t>(field ^ field >> 32U);
}

TEST(StructureValues, MayBeBitFieldsOfAnyLength) {
  const std::string text = R"(
  template <int n> struct Bits { unsigned long long e : n; };
  template <int n> __device__ __noinline__ Bits<n> made(unsigned x) {
    Bits<n> b;
    b.e = x * 0x100000001ull;
    return b;
  }
  template <int n> __device__ __noinline__ Bits<n> less(Bits<n> b, unsigned by) {
    b.e -= by;
    return b;
  }
  template <int n> __device__ unsigned value(unsigned x) {
    const Bits<n> b = less(made<n>(x), 5);
    const unsigned long long e = b.e;
    return (unsigned)(e ^ e >> 32);
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const unsigned x = in[threadIdx.x];
    unsigned sum = value<16>(x) * 3 + value<17>(x) * 5 + value<20>(x) * 7 + value<24>(x) * 9;
    sum += value<25>(x) * 11 + value<33>(x) * 13 + value<40>(x) * 15 + value<41>(x) * 17;
    out[threadIdx.x] = sum + value<50>(x) * 19 + value<56>(x) * 21 + value<57>(x) * 23;
  })";
  expect(text, of_all([](uint32_t x) {
           uint32_t sum = 0;
           uint32_t factor = 1;
           for (const unsigned bits : {16U, 17U, 20U, 24U, 25U, 33U, 40U, 41U, 50U, 56U, 57U})
             sum += folded(x * uint64_t{0x100000001} - 5, bits) * (factor += 2);
           return sum;
         }));
}

// In structures, unions, arrays and shared memory, beside members, with a sign, of two words and
// more, which are beyond a single number.
TEST(StructureValues, MayHaveBitFieldsAmongOthers) {
  const std::string text = R"(
  struct Mixed { unsigned long long first : 40; unsigned short middle; int last : 20; };
  struct Long { unsigned long long a : 40, b : 24, c : 40; };
  union Either { unsigned short half; struct { int bits : 19; } s; };
  struct Nested { char before; Mixed mixed[2]; Either either; Long three; unsigned char after; };
  __device__ __noinline__ Nested made(unsigned x) {
    Nested r;
    r.before = x;
    for (int i = 0; i < 2; ++i) {
      r.mixed[i].first = x * 0x1000001ull + i;
      r.mixed[i].middle = x >> i;
      r.mixed[i].last = x >> 9 >> i;
    }
    r.either.s.bits = x >> 3;
    r.three.a = ~x;
    r.three.b = x >> 5;
    r.three.c = x * 0x100000001ull;
    r.after = x >> 7;
    return r;
  }
  __device__ __noinline__ Either twice(Either e) { e.s.bits *= 2; return e; }
  __device__ __noinline__ Mixed moved(Mixed m, int by) { m.last += by; m.first += by; return m; }
  __device__ __noinline__ unsigned sum(Nested n) {
    unsigned s = n.before;
    for (int i = 0; i < 2; ++i)
      s = s * 3 + (unsigned)(n.mixed[i].first >> 8) + n.mixed[i].middle * 5 + n.mixed[i].last;
    s = s * 7 + n.either.s.bits;
    return s + n.three.a + n.three.b * 3 + (unsigned)(n.three.c >> 8) * 9 + n.after;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ Nested all[32];
    Nested& own = all[threadIdx.x];
    own = made(in[threadIdx.x]);
    own.either = twice(own.either);
    own.mixed[n & 1] = moved(own.mixed[n & 1], n);
    own.mixed[0].last = moved(own.mixed[0], 1).last;
    __shared__ Mixed one;
    if (threadIdx.x == 0) one = moved(own.mixed[0], 2);
    __syncthreads();
    out[threadIdx.x] = sum(own) + one.last;
  })";
  expect(text, of_all([](uint32_t x) {
           const auto narrow = [](int64_t value, unsigned bits) {
             const auto high = static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - bits));
             return static_cast<int32_t>(high >> (64 - bits));
           };
           auto s = static_cast<uint32_t>(static_cast<int8_t>(x));
           for (uint32_t i = 0; i < 2; ++i) {
             const uint64_t first = x * uint64_t{0x1000001} + i + (i == 1 ? 5 : 0);
             const int32_t last = narrow((x >> 9U >> i) + (i == 1 ? 5 : 1), 20);
             s = s * 3 + static_cast<uint32_t>((first & 0xffffffffffU) >> 8U) +
                 (x >> i & 0xffffU) * 5 + static_cast<uint32_t>(last);
           }
           s = s * 7 + static_cast<uint32_t>(narrow(narrow(x >> 3U, 19) * 2, 19));
           const uint64_t c = x * uint64_t{0x100000001} & 0xffffffffffU;
           s += ~x + (x >> 5U & 0xffffffU) * 3 + static_cast<uint32_t>(c >> 8U) * 9;
           return s + (x >> 7U & 0xffU) + 3;
         }));
}

TEST(StructureValues, MayBeMembersOfPackedOnes) {
  const std::string text = R"(
  #pragma pack(push, 1)
  struct Three { int a, b; float c; };
  #pragma pack(pop)
  #pragma pack(push, 2)
  struct Wide { long long a; int b; };
  #pragma pack(pop)
  struct Around { unsigned char x; Three v; unsigned short y; Wide w; };
  struct Made {
    int value;
    __device__ __noinline__ Made(Three t) : value(t.a * 5 + t.b) {}
  };
  __device__ __noinline__ int first(Three t) { return t.a * 3 + t.b + (int)t.c; }
  __device__ __noinline__ int second(Wide w) { return (int)(w.a >> 20) + w.b; }
  __device__ __noinline__ int third(Three t, char, Wide w) { return first(t) + second(w); }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    Around all[3];
    for (int i = 0; i < 3; ++i) {
      const int x = in[threadIdx.x] >> i;
      const Around a = {(unsigned char)x, {x, x * 7, (float)(x & 0xffff)}, (unsigned short)x,
                        {x * 0x100001ll, i}};
      all[i] = a;
    }
    const Around& one = all[in[threadIdx.x] % 3];
    unsigned sum = first(one.v) + second(one.w) * 3 + third(one.v, 1, one.w) * 5;
    sum += Made(one.v).value;
    out[threadIdx.x] = sum;
  })";
  expect(text, of_all([](uint32_t in) {
           const uint32_t i = in % 3;
           const auto x = static_cast<int32_t>(in >> i);
           const auto u = static_cast<uint32_t>(x);
           const uint32_t first = u * 3 + u * 7 + (u & 0xffffU);
           const uint32_t second = static_cast<uint32_t>(x * int64_t{0x100001} >> 20) + i;
           return first + second * 3 + (first + second) * 5 + u * 5 + u * 7;
         }));
}

// Also of packed ones that lie anywhere in global memory.
TEST(StructureValues, MayBePackedOnesInGlobalMemory) {
  const std::string text = R"(
  struct __attribute__((packed)) Three { int a, b, c; };
  __device__ __noinline__ int sum(Three t) { return t.a + t.b * 3 + t.c * 5; }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    out[threadIdx.x] = sum(*(const Three*)((const char*)in + threadIdx.x));
  })";
  std::vector<uint32_t> in(32);
  for (uint32_t i = 0; i < 32; ++i) in[i] = i * 0x9e3779b9U;
  const auto word = [&](uint32_t at) {
    const uint64_t both = in[at / 4] | static_cast<uint64_t>(in[at / 4 + 1]) << 32U;
    return static_cast<uint32_t>(both >> at % 4 * 8);
  };
  std::vector<uint32_t> expected;
  for (uint32_t t = 0; t < 32; ++t) expected.push_back(word(t) + word(t + 4) * 3 + word(t + 8) * 5);
  expect(text, expected);
}

// A hole within a word, which nobody wrote unless a round copied it: --check, which watches all
// that tests run, has nothing to say of it.
TEST(StructureValues, HaveHolesThatAreSetOnSomeWaysOnly) {
  const std::string text = R"(
  struct Thing { unsigned char a; unsigned short b; };
  __device__ Thing made(unsigned x) {
    Thing t;
    t.a = x;
    t.b = x >> 8;
    return t;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    Thing t = made(in[threadIdx.x]);
    for (unsigned i = 0; i < (in[threadIdx.x] & 3); ++i) t = ((const Thing*)in)[i];
    ((Thing*)out)[threadIdx.x] = t;
  })";
  expect(text, of_all([](uint32_t x) {
           if (x % 4 != 0) return (x % 4 - 1) * 0x9e3779b9U;
           return (x & 0xffU) | (x >> 8U & 0xffffU) << 16U;
         }));
}

// The last word, of which clang does not tell because of the field.
TEST(StructureValues, HaveWholeWordsOfHolesThatAreSetOnSomeWaysOnly) {
  const std::string text = R"(
  struct Thing { unsigned long long a; unsigned char b; unsigned c : 3; unsigned d, e; };
  __device__ Thing made(unsigned x) {
    Thing t;
    t.a = x;
    t.b = x;
    t.c = x;
    t.d = x >> 3;
    t.e = 7;
    return t;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    Thing t = made(in[threadIdx.x]);
    for (unsigned i = 0; i < (in[threadIdx.x] & 3); ++i) t = ((const Thing*)in)[i];
    if (threadIdx.x < 5) ((Thing*)out)[threadIdx.x] = t;
  })";
  std::vector<uint32_t> expected;
  for (uint32_t thread = 0; thread < 5; ++thread) {
    const uint32_t x = thread * 0x9e3779b9U;
    const uint32_t rounds = x % 4;
    const std::vector<uint32_t> made{x, 0, (x & 0xffU) | (x & 7U) << 8U, x >> 3U, 7, 0};
    for (uint32_t word = 0; word < 6; ++word)
      expected.push_back(rounds == 0 ? made[word] : (6 * (rounds - 1) + word) * 0x9e3779b9U);
  }
  expected.resize(32);
  expect(text, expected);
}

TEST(StructureValues, AreRefusedByNameWhereClangStops) {
  const std::string text = R"(
  struct Bits { unsigned long long a : 40, b : 24, c : 40, d : 24, e : 50, f : 14, g : 33; };
  __device__ __noinline__ Bits changed(Bits b) { b.e += b.a; return b; }
  extern "C" __global__ void k(Bits* all) { all[0] = changed(all[1]); })";
  for (const unsigned level : {0U, 2U}) {
    CudaOptions options;
    options.optimise = level;
    const std::string message = refusal(text, options);
    EXPECT_THAT(message, HasSubstr("clang cannot generate code for changed(Bits)")) << message;
    EXPECT_THAT(message, HasSubstr("pass pointers"));
    EXPECT_THAT(message, Not(HasSubstr("are above")));
  }
}

// Addresses and values of units have the types that they had, whatever is done with them.
TEST(StructureValues, KeepWhatIsDoneWithTheirUnits) {
  const std::string before =
      "%\"struct.A<B, C>\" = type <{ i8, i24 }>\n"
      "%struct.Other = type { i24 }\n"
      "%struct.Around = type { [2 x %\"struct.A<B, C>\"], %struct.Other* }\n"
      "define %struct.Around @f(%struct.Other* %0) {\n";
  const std::string after =
      "%\"struct.A<B, C>\" = type <{ i8, i32 }>\n"
      "%struct.Other = type { i24 }\n"
      "%struct.Around = type { [2 x %\"struct.A<B, C>\"], %struct.Other* }\n"
      "define %struct.Around @f(%struct.Other* %0) {\n";
  const std::string address =
      "getelementptr inbounds %struct.Around, %struct.Around addrspace(3)* %1, i32 0, i32 0, i32 "
      "%2, i32 1";
  EXPECT_EQ(with_whole_units(before + "  %3 = " + address + ", !dbg !5\n}\n"),
            after + "  %kcc.unit.0 = " + address +
                ", !dbg !5\n"
                "  %3 = bitcast i32 addrspace(3)* %kcc.unit.0 to i24 addrspace(3)*, !dbg !5\n}\n");
  EXPECT_EQ(with_whole_units(before + "  %4 = extractvalue %struct.Around %3, 0, 1, 1\n}\n"),
            after +
                "  %kcc.unit.0 = extractvalue %struct.Around %3, 0, 1, 1\n"
                "  %4 = trunc i32 %kcc.unit.0 to i24\n}\n");
  const std::string constant =
      "getelementptr inbounds (%\"struct.A<B, C>\", %\"struct.A<B, C>\"* @a, i64 0, i32 1)";
  EXPECT_EQ(with_whole_units(before + "  store i24 %3, i24* " + constant + ", align 4\n}\n"),
            after + "  store i24 %3, i24* bitcast (i32* " + constant + " to i24*), align 4\n}\n");
  for (const char* line :
       {"  %3 = getelementptr inbounds %struct.Other, %struct.Other* %0, i32 0, i32 0\n",
        "  %3 = getelementptr inbounds %struct.Around, %struct.Around* %1, i32 0, i32 1\n",
        "  %3 = getelementptr inbounds %struct.Around, %struct.Around* %1, i32 0, i32 0, i32 1, "
        "i32 0\n",
        "  %3 = load i24, i24* %2\n"})
    EXPECT_EQ(with_whole_units(before + line), after + line);
}

TEST(StructureValues, StayAsTheyAreWhereNobodyPassesThem) {
  const std::string text =
      "%struct.A = type { i24 }\n"
      "define void @k(%struct.A* byval(%struct.A) align 4 %0) {\n"
      "  %1 = call i32 @f(%struct.A* %0)\n}\n";
  EXPECT_EQ(with_whole_units(text), text);
}

// What is passed is a place of its own already, or becomes one.
TEST(StructureValues, AreAlignedWhereTheirNumbersWouldNotBe) {
  const auto function = [](const char* place, const std::string& call) {
    return std::string("%struct.A = type { i32, i8* }\n%struct.B = type { [9 x i8] }\n") +
           "define void @f(%struct.A* byval(%struct.A) align 1 %0) {\n  %1 = alloca %struct.A, " +
           place + "\n" + call + "}\n";
  };
  EXPECT_EQ(
      with_aligned_values(function(
          "align 1", "  call void @g(%struct.A* byval(%struct.A) align 1 %1, i32 1) #5\n")),
      function("align 4", "  call void @g(%struct.A* byval(%struct.A) align 4 %1, i32 1) #5\n"));
  const std::string copied = with_aligned_values(
      function("align 1", "  call void @g(%struct.A* byval(%struct.A) align 1 %0), !dbg !3\n"));
  EXPECT_THAT(copied, HasSubstr("{\n  %kcc.aligned.0 = alloca %struct.A, align 4\n  %1 = "));
  EXPECT_THAT(copied, HasSubstr("(i8* align 4 %kcc.aligned.0.to, i8* align 1 %kcc.aligned.0.from"));
  EXPECT_THAT(copied, HasSubstr("i1 false), !dbg !3\n  call void @g(%struct.A* byval(%struct.A) "
                                "align 4 %kcc.aligned.0), !dbg !3\n}\n"));
  EXPECT_THAT(copied, HasSubstr("declare void @llvm.memcpy"));
  for (const char* call : {"  call void @g(%struct.A* byval(%struct.A) align 4 %0)\n",
                           "  call void @g(%struct.B* byval(%struct.B) align 1 %2)\n",
                           "  call void @g(%struct.A* %1)\n"})
    EXPECT_EQ(with_aligned_values(function("align 1", call)), function("align 1", call));
}

// Whatever clang keeps them in: a double, a structure with holes.
TEST(UnionValues, KeepAllTheirBytes) {
  const std::string text = R"(
  union Real { double d; unsigned w[2]; };
  union Holes { struct { char a; int b; } s; unsigned w[2]; };
  union Longer { double d; unsigned char bytes[12]; };
  struct Around { char first; Real real; Holes holes[2]; };
  __device__ __noinline__ Real real(unsigned a, unsigned b) { Real r; r.w[0] = a; r.w[1] = b; return r; }
  __device__ __noinline__ Holes swapped(Holes h) {
    Holes other;
    other.w[0] = h.w[1];
    other.w[1] = h.w[0];
    return other;
  }
  __device__ __noinline__ Longer longer(unsigned a) {
    Longer l;
    for (int i = 0; i < 12; ++i) l.bytes[i] = a >> i;
    return l;
  }
  __device__ __noinline__ Around around(Real r, Holes h) {
    Around a;
    a.first = 1;
    a.real = r;
    a.holes[0] = h;
    a.holes[1] = swapped(h);
    return a;
  }
  __device__ __noinline__ unsigned sum(Around a, Longer l, int n) {
    unsigned s = a.first + a.real.w[0] * 3 + a.real.w[1] * 5 + a.holes[0].w[0] * 7;
    s += a.holes[1].w[0] * 11 + (unsigned)a.holes[1].s.b * 13;
    for (int i = 0; i < 12; ++i) s = s * 3 + l.bytes[(i + n) % 12];
    return s;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const unsigned x = in[threadIdx.x];
    Holes h;
    h.w[0] = x * 0x1010101u;
    h.w[1] = ~x;
    out[threadIdx.x] = sum(around(real(x, x << 7 | 3), h), longer(x), n);
  })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) {
    const uint32_t x = in[t] = t * 2654435761U;
    uint32_t s = 1 + x * 3 + (x << 7 | 3) * 5 + x * 0x1010101U * 7 + ~x * 11 + x * 0x1010101U * 13;
    for (uint32_t i = 0; i < 12; ++i) s = s * 3 + (x >> (i + 5) % 12 & 0xffU);
    expected[t] = s;
  }
  for (const unsigned level : {0U, 1U, 2U})
    EXPECT_EQ(results(compiled(text, level), 32, in, 5), expected) << "-O" << level;
}

TEST(UnionValues, MayBeComputedWithAsDoubles) {
  const std::string text = R"(
  union Real { double d; unsigned w[2]; };
  __device__ __noinline__ Real half(Real r) { r.d *= 0.5; return r; }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    Real r;
    r.d = in[threadIdx.x];
    out[threadIdx.x] = (unsigned)(half(r).d * 4.0);
  })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) expected[t] = 2 * (in[t] = t * 77);
  for (const unsigned level : {0U, 1U, 2U})
    EXPECT_EQ(results(compiled(text, level), 32, in, 5), expected) << "-O" << level;
}

TEST(UnionValues, AreAsLongAndAlignedAsBefore) {
  const std::string call = "define void @k() {\n  %1 = call %union.U @f()\n  ret void\n}\n";
  const std::pair<const char*, const char*> members[] = {{"<{ i8, i32 }>", "[5 x i8]"},
                                                         {"{ i8, i32 }", "[2 x i32]"},
                                                         {"{ i16, [3 x i8] }", "[3 x i16]"}};
  for (const auto& [structure, integers] : members) {
    const std::string first = "%struct.S = type " + std::string(structure) + "\n%union.U = type { ";
    EXPECT_EQ(with_unions_of_integers(first + "%struct.S }\n" + call),
              first + integers + " }\n" + call);
  }
}

// Constants say what it is kept in, and so may addresses.
TEST(UnionValues, StayWhereClangLooksIntoThem) {
  const std::string type = "%union.U = type { double }\n";
  const std::string call = "define void @k() {\n  %1 = call %union.U @f()\n  ret void\n}\n";
  EXPECT_EQ(with_unions_of_integers(type + call), "%union.U = type { [1 x i64] }\n" + call);
  for (const std::string other :
       {"@u = global %union.U { double 1.0 }\n",
        "@p = global double* getelementptr (%union.U, %union.U* @u, i32 0, i32 0)\n"})
    EXPECT_EQ(with_unions_of_integers(type + other + call), type + other + call);
  const std::string used =
      "define void @g() {\n  %1 = call %union.U @f()\n  %2 = extractvalue %union.U %1, 0\n"
      "  %3 = fadd double %2, 1.0\n  ret void\n}\n";
  EXPECT_EQ(with_unions_of_integers(type + used), type + used);
  const std::string stored =
      "define void @g() {\n  %1 = call %union.U @f()\n"
      "  %2 = getelementptr inbounds %union.U, %union.U* %0, i32 0, i32 0, !dbg !1\n"
      "  %3 = extractvalue %union.U %1, 0\n  store ";
  const std::string behind = ", align 8, !dbg !1\n  ret void\n}\n";
  EXPECT_EQ(with_unions_of_integers(type + stored + "double %3, double* %2" + behind),
            "%union.U = type { [1 x i64] }\n" + stored + "[1 x i64] %3, [1 x i64]* %2" + behind);
}

}  // namespace
}  // namespace gvp::kcc
