// SPDX-License-Identifier: Apache-2.0
// The program around its statements: types, functions, variables, memory.
#include "tests/tools/kcc/programs/program_generator.h"

#include <cstring>

namespace gvp::kcc {
namespace {

constexpr uint32_t kInput = 256;       // nothing is at address 0
constexpr uint32_t kThingBytes = 192;  // the most that its members take

uint32_t aligned(uint32_t bytes) { return (bytes + 255) / 256 * 256; }

constexpr uint32_t kRow = 40;  // elements of the texture of one dimension
constexpr uint32_t kSheetColumns = 8;
constexpr uint32_t kSheetRows = 5;

// Reading files with textures takes clang longer, so they are together in every fourth file.
bool has_textures(uint32_t seed) { return seed / 48 % 4 == 0; }

// A descriptor as a driver fills it (docs/kcc.md, "Textures"): elements as they are, the nearest
// one, clamped.
std::vector<uint32_t> descriptor(uint32_t address, uint32_t columns, uint32_t rows) {
  return {0, 0, 1, 1, 1, 0, 0, 0, 0, 0, address, columns, rows, 4 * columns};
}

}  // namespace

RandomProgram ProgramGenerator::run() {
  program_.seed = seed_;
  program_.threads = std::vector<uint32_t>{33, 64, 96, 120, 5, 32}[pick(6)];
  // The first that divides, so that some blocks stay lines.
  const uint32_t columns = std::vector<uint32_t>{3, 8, 16, 32}[pick(4)];
  program_.columns = program_.threads % columns == 0 && chance(2) ? columns : program_.threads;
  program_.grid = 1 + pick(3);
  textures_ = has_textures(seed_);
  declare_types();
  declare_textures();
  declare_functions();
  declare_variables();
  barrier(program_.statements);
  // Most are short: they take half the time, and what goes wrong takes few statements.
  top(program_.statements, chance(4) ? 5 + pick(9) : 2 + pick(4), false);
  const bool meets = !chance(4);
  if (!meets) {
    last_choice(program_.statements);
  } else if (chance(3)) {
    last_rounds(program_.statements);
  } else {
    barrier(program_.statements);
  }
  finish(meets);
  lay_out_memory();
  return std::move(program_);
}

void ProgramGenerator::declare_types() {
  const uint32_t count = 2 + pick(4);
  for (uint32_t i = 0; i < count; ++i) {
    Variable member{choose({"unsigned", "int", "short", "unsigned short", "signed char",
                            "unsigned char", "float", "long long", "unsigned long long"}),
                    fmt::format("m{}", i), 0, 0};
    if (member.type == "unsigned" && chance(2)) member.bits = 1 + pick(31);
    if (member.bits == 0 && chance(4)) member.elements = 2 + pick(3);
    members_.push_back(member);
  }
  members_.push_back({"unsigned", "words", 0, 2});
  std::string& text = program_.before;
  text += fmt::format(
      "namespace program{} {{\n"
      "struct Pair {{ unsigned low; {} high; {} tag, flag; }};\nstruct Thing {{\n",
      seed_, choose({"short", "unsigned short"}), choose({"signed char", "unsigned char"}));
  for (const Variable& member : members_) {
    text += fmt::format("  {} {}", member.type, member.name);
    if (member.bits != 0) text += fmt::format(" : {}", member.bits);
    if (member.elements != 0) text += fmt::format("[{}]", member.elements);
    text += ";\n";
  }
  text +=
      "  Pair both;\n  __device__ Thing operator+(const Thing& other) const;\n};\n"
      "struct Setting { int count; short step; unsigned char mask; signed char bias; float rest; "
      "};\n"
      "__constant__ unsigned table[16] = {";
  for (unsigned i = 0; i < 16; ++i) text += fmt::format("{}{}u", i == 0 ? "" : ", ", interesting());
  text += "};\n__constant__ Setting presets[3] = {";
  for (unsigned i = 0; i < 3; ++i)
    text += fmt::format("{}{{{}, {}, {}, {}, {}.5f}}", i == 0 ? "" : ", ",
                        static_cast<int>(pick(1000)) - 500, static_cast<int>(pick(60000)) - 30000,
                        pick(256), static_cast<int>(pick(256)) - 128, 1 + pick(99));
  text += "};\n__device__ unsigned weights[8] = {";
  for (unsigned i = 0; i < 8; ++i) text += fmt::format("{}{}u", i == 0 ? "" : ", ", interesting());
  text += "};\n";
}

void ProgramGenerator::declare_textures() {
  if (!textures_) return;
  program_.before +=
      "texture<unsigned, 1, cudaReadModeElementType> row;\n"
      "texture<float, 2, cudaReadModeElementType> sheet;\n";
}

void ProgramGenerator::declare_functions() {
  in_function_ = true;
  std::string& text = program_.before;
  // Of what other files may call clang makes code besides what it inlines.
  text += fmt::format("#define FUNCTION {}__device__\n", chance(4) ? "" : "static ");
  text += "FUNCTION " + separate() +
          "float limited(float x) {\n"
          "  const float size = fabsf(x);\n"
          "  return size > 1e-4f && size < 1e4f ? x : 1.5f;\n}\n"
          "FUNCTION " +
          separate() + "void meet() { __syncthreads(); }\n";
  text += fmt::format(
      "FUNCTION {}unsigned mixed(unsigned a, unsigned b) {{\n"
      "  for (int n = 0; n < {}; ++n) {{\n    if ({}) return {};\n    a = {};\n    b ^= {};\n  }}\n"
      "  return {};\n}}\n",
      separate(), 1 + pick(4), condition(1), unsigned_number(1), unsigned_number(2),
      unsigned_number(2), unsigned_number(2));
  text +=
      "template <int bits>\n__device__ unsigned turned(unsigned a) {\n"
      "  return a << bits | a >> (32 - bits);\n}\n"
      "FUNCTION " +
      separate() + "void bump(unsigned* p, unsigned b) {\n  unsigned a = *p;\n";
  text += fmt::format("  if ({}) *p = {};\n  else *p += {};\n}}\n", condition(1),
                      unsigned_number(1), unsigned_number(1));
  // Threads leave it at different times, and call what others are in meanwhile.
  text += fmt::format(
      "FUNCTION {}unsigned long long folded(const unsigned* p, unsigned a, unsigned long long w) "
      "{{\n"
      "  const unsigned b = p[a & 3u];\n"
      "  for (unsigned n = 0; n <= (a & 3u); ++n) {{\n"
      "    if ((b >> n & 1u) != 0 && {}) return w ^ mixed(a, b);\n"
      "    w = w * 31u + threadIdx.x;\n    if ({}) a = mixed({}, n);\n  }}\n"
      "  return w + a;\n}}\n",
      separate(), condition(1), condition(1), unsigned_number(1));
  // Parameters of all widths, of which not all are read on each way.
  text += fmt::format(
      "FUNCTION {}unsigned sifted(bool q, signed char c, short h, unsigned char d, long long l, "
      "unsigned a, int i) {{\n"
      "  unsigned b = mixed(a, (unsigned)c);\n  switch ((b >> {}) & 3u) {{\n"
      "    case 0: return {};\n    case 1: q = l > i; break;\n"
      "    case 2: b ^= (unsigned)(l >> (h & 63)) * {};{}\n    default: b += (unsigned)c * {};\n  "
      "}}\n"
      "  return ((unsigned)(h % ((int)d | 1)) + (q ? 3u : 0u)) ^ (b + (unsigned)l * a - "
      "(unsigned)i);\n}}\n",
      separate(), pick(9), unsigned_number(1), unsigned_number(1), chance(2) ? " break;" : "",
      unsigned_number(1));
  text += fmt::format(
      "FUNCTION {}Pair paired(unsigned a, unsigned b) {{\n  Pair p = {{a, 5, 6, 7}};\n"
      "  p.high = {};\n  p.tag = {};\n  p.flag = {};\n  return p;\n}}\n"
      "FUNCTION {}unsigned unpaired(Pair p) {{\n"
      "  return p.low ^ (unsigned)p.high * 3u + (unsigned)p.tag * 5u - (unsigned)p.flag;\n}}\n",
      separate(), unsigned_number(1), unsigned_number(1), unsigned_number(1), separate());
  text += "FUNCTION " + separate() +
          "Thing made(unsigned a, float x) {\n  const unsigned b = a >> 7;\n  Thing t;\n";
  for (const Variable& member : members_) {
    const uint32_t elements = member.elements == 0 ? 1 : member.elements;
    for (uint32_t i = 0; i < elements; ++i) {
      const std::string place = member.elements == 0 ? "" : fmt::format("[{}]", i);
      text += fmt::format("  t.{}{} = ", member.name, place);
      text +=
          member.is_float() ? "x;\n" : fmt::format("({}){};\n", member.type, unsigned_number(1));
    }
  }
  text +=
      "  t.both = paired(a, b);\n  return t;\n}\n"
      "__device__ " +
      separate() +
      "Thing Thing::operator+(const Thing& other) const {\n"
      "  Thing t = *this;\n";
  for (const Variable& member : members_) {
    if (member.elements != 0) continue;
    if (member.is_float()) {
      text += fmt::format("  t.{0} = limited({0} + other.{0});\n", member.name);
    } else {
      text += fmt::format("  t.{0} = (unsigned){0} {1} (unsigned)other.{0};\n", member.name,
                          choose({"+", "-", "*", "^"}));
    }
  }
  text += "  t.words[0] += other.words[1];\n  return t;\n}\n";
  const auto change = [&](const char* parameter, const char* access) {
    text +=
        fmt::format("FUNCTION {}void change(Thing{} t, unsigned a) {{\n", separate(), parameter);
    text += "  const unsigned b = a * 3u;\n";
    for (const Variable& member : members_) {
      if (member.is_float() || chance(2)) continue;
      const std::string place =
          member.elements == 0 ? "" : fmt::format("[{}]", pick(member.elements));
      text += fmt::format("  t{}{}{} = ({}){};\n", access, member.name, place, member.type,
                          unsigned_number(1));
    }
    text += fmt::format("  t{}words[a & 1u] ^= b;\n}}\n", access);
  };
  change("&", ".");
  change("*", "->");
  declare_passed();
  text += "#undef FUNCTION\n";
  in_function_ = false;
}

void ProgramGenerator::declare_variables() {
  variables_ = {{"unsigned", "u0", 0, 0},
                {"unsigned", "u1", 0, 0},
                {"unsigned", "u2", 0, 0},
                {"int", "i0", 0, 0},
                {"int", "i1", 0, 0},
                {"short", "h0", 0, 0},
                {"unsigned short", "w0", 0, 0},
                {"signed char", "c0", 0, 0},
                {"unsigned char", "b0", 0, 0},
                {"long long", "l0", 0, 0},
                {"unsigned long long", "v0", 0, 0},
                {"float", "f0", 0, 0},
                {"float", "f1", 0, 0},
                {"float", "f2", 0, 0},
                {"double", "d0", 0, 0},
                {"bool", "q0", 0, 0},
                {"bool", "q1", 0, 0}};
  arrays_ = {{"unsigned", "local0", 0, 8},
             {choose({"short", "unsigned char", "signed char", "unsigned short", "float", "double",
                      "unsigned long long"}),
              "local1", 0, 4}};
  shared_ = {{"unsigned", "shared0", false, ""},
             {choose({"int", "short", "unsigned char", "unsigned", "signed char", "long long"}),
              "shared1", false, ""},
             {choose({"float", "double", "unsigned", "unsigned short"}), "shared2", false, ""}};
  pairs_ = {"Pair", "pairs", false, ""};
  flags_ = {{"flag0", false, 0}, {"flag1", false, 0}};
  std::string& text = program_.before;
  text += fmt::format(
      "extern \"C\" __global__ void {}(const unsigned* in, unsigned* out, unsigned char* bytes,\n"
      "    short* halves, float* floats, uint4* quads, Thing* things, int n, float scale,\n"
      "    Setting setting, unsigned* counters) {{\n",
      program_.kernel());
  const bool dynamic = chance(2);
  for (SharedArray& array : shared_) {
    if (dynamic && array.name == "shared2") {
      array.name = fmt::format("dynamic{}", seed_);  // one name has one type, in all of a file
      text += fmt::format("  DYNAMIC_SHARED({}, {});\n", array.type, array.name);
      program_.dynamic_shared = (array.type == "double" ? 8 : 4) * program_.threads;
    } else {
      text += fmt::format("  __shared__ {} {}[{}];\n", array.type, array.name, program_.threads);
    }
  }
  text += fmt::format("  __shared__ Pair pairs[{}];\n", program_.threads);
  text +=
      "  __shared__ unsigned flag0, flag1, counts[7], limits[4];\n"
      "  const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;\n"
      "  const unsigned me = blockIdx.x * (blockDim.x * blockDim.y) + own;\n"
      "  unsigned u0 = in[me * 4u], u1 = in[me * 4u + 1u], u2 = in[me * 4u + 2u];\n"
      "  int i0 = (int)in[me * 4u + 3u], i1 = (int)(me * 77u);\n"
      "  short h0 = halves[me * 4u];\n  unsigned short w0 = (unsigned short)u1;\n"
      "  signed char c0 = (signed char)bytes[me * 8u + 1u];\n"
      "  unsigned char b0 = bytes[me * 8u];\n"
      "  long long l0 = (long long)i0 * h0;\n"
      "  unsigned long long v0 = (unsigned long long)u2 << 32 | u0;\n"
      "  Pair both = paired(u0, u1);\n  pairs[own] = both;\n"
      "  float f0 = limited((float)i0), f1 = floats[me], f2 = scale;\n"
      "  double d0 = f1;\n"
      "  bool q0 = u0 < u1, q1 = h0 > 0;\n"
      "  Thing t0 = made(u2, f1), t1 = made(u0, f0);\n  things[me] = t1;\n"
      "  uint4 quad = make_uint4(u0, u1, u2, 9u);\n  quads[me] = quad;\n"
      "  uchar4 small = make_uchar4(1, b0, 3, 255);\n  float2 pair = make_float2(f1, 2.5f);\n";
  for (const Variable& array : arrays_) {
    text += fmt::format("  {} {}[{}];\n", array.type, array.name, array.elements);
    text += fmt::format("  for (int n = 0; n < {}; ++n) {}[n] = ({})(u1 {} (unsigned)n);\n",
                        array.elements, array.name, array.type, array.is_float() ? "& 15u &" : "*");
  }
  for (const SharedArray& array : shared_)
    text += fmt::format("  {}[own] = ({}){};\n", array.name, array.type,
                        array.is_float() ? "f1" : "u0");
  text +=
      "  flag0 = 1u;\n  flag1 = 2u;\n"
      "  for (unsigned n = own; n < 7u; n += blockDim.x * blockDim.y)\n"
      "    counts[n] = n == 3u ? ~0u : 0u;\n"
      "  if (own < 4u) limits[own] = table[(own + blockIdx.x) & 15u];\n";
}

// All bits of a value in a word.
std::string ProgramGenerator::word_of(const Variable& variable, const std::string& place) {
  if (variable.is_float()) return fmt::format("__float_as_uint({} + 0.0f)", place);
  if (variable.is_wide()) return fmt::format("((unsigned){0} ^ (unsigned)({0} >> 32) * 5u)", place);
  return "(unsigned)" + place;
}

// Everything that a thread knows goes to where the host reads it.
void ProgramGenerator::finish(bool others) {
  std::vector<std::string> words;
  for (const Variable& variable : variables_) {
    words.push_back(word_of(variable, variable.name));
  }
  for (const char* thing : {"t0", "t1", "things[me]"}) {
    for (const Variable& member : members_) {
      for (uint32_t i = 0; i < (member.elements == 0 ? 1 : member.elements); ++i) {
        std::string place = fmt::format("{}.{}", thing, member.name);
        if (member.elements != 0) place += fmt::format("[{}]", i);
        words.push_back(word_of(member, place));
      }
    }
    words.push_back(fmt::format("unpaired({}.both)", thing));
  }
  words.emplace_back("unpaired(both)");
  if (others) words.push_back(fmt::format("unpaired(pairs[(own + 37u) % {}u])", program_.threads));
  for (const char* part : {"quad.x", "quad.y", "quad.z", "quad.w"}) words.emplace_back(part);
  words.emplace_back(
      "(unsigned)(small.x + small.y * 256 + small.z * 65536) ^ (unsigned)small.w << 24");
  words.emplace_back("__float_as_uint(pair.x + 0.0f) ^ __float_as_uint(pair.y + 0.0f) >> 3");
  for (const SharedArray& array : shared_) {
    if (!others) break;
    const std::string place = fmt::format("{}[(own + 35u) % {}u]", array.name, program_.threads);
    words.push_back(word_of({array.type, "", 0, 0}, place));
  }
  if (others) words.emplace_back("flag0 ^ flag1 * 5u ^ counts[own % 7u]");
  std::string& text = program_.after;
  for (const Variable& array : arrays_) {
    const std::string element = fmt::format("{}[n]", array.name);
    text += fmt::format(
        "  unsigned sum_{0} = 0;\n  for (int n = 0; n < {1}; ++n) sum_{0} = sum_{0} * 31u + {2};\n",
        array.name, array.elements, word_of(array, element));
    words.push_back("sum_" + array.name);
  }
  out_words_ = static_cast<uint32_t>(words.size());
  for (uint32_t i = 0; i < out_words_; ++i)
    text += fmt::format("  out[me * {}u + {}u] = {};\n", out_words_, i, words[i]);
  text += "}\n}\n";
}

void ProgramGenerator::lay_out_memory() {
  const uint32_t all = program_.grid * program_.threads;
  uint32_t end = kInput;
  const auto region = [&](uint32_t bytes) {
    const uint32_t begin = end;
    end = aligned(end + bytes);
    return begin;
  };
  const uint32_t in = region(all * 16);
  const uint32_t out = region(all * out_words_ * 4);
  const uint32_t bytes = region(all * 8);
  const uint32_t halves = region(all * 8);
  const uint32_t floats = region(all * 4);
  const uint32_t quads = region(all * 16);
  const uint32_t counters = region(7 * 4);
  const uint32_t row = textures_ ? region(kRow * 4) : end;
  const uint32_t sheet = textures_ ? region(kSheetColumns * kSheetRows * 4) : end;
  const uint32_t things = region(all * kThingBytes);
  program_.memory.resize(end);
  program_.compared = things;
  const auto set = [&](uint32_t at, const auto& value) {
    std::memcpy(&program_.memory.at(at), &value, sizeof value);
  };
  for (uint32_t at = in; at < out; at += 4) set(at, interesting());
  for (uint32_t at = bytes; at < floats; at += 4) set(at, interesting());
  for (uint32_t at = floats; at < quads; at += 4)
    set(at, static_cast<float>(pick(100000)) / 64.0F + 0.25F);
  set(counters + 3 * 4, ~0U);  // what bits are taken from
  for (uint32_t at = row; at < sheet; at += 4) set(at, interesting());
  for (uint32_t at = sheet; at < things; at += 4)
    set(at, static_cast<float>(pick(10000)) / 64.0F + 0.25F);
  const auto count = static_cast<int32_t>(pick(7));
  const float scale = static_cast<float>(1 + pick(1000)) / 16.0F;
  uint32_t scale_bits = 0;
  std::memcpy(&scale_bits, &scale, 4);
  const uint32_t setting[2] = {pick(9), static_cast<uint32_t>(random_())};
  program_.parameters = {in,         out,        bytes,      halves,
                         floats,     quads,      things,     static_cast<uint32_t>(count),
                         scale_bits, setting[0], setting[1], 0,
                         counters};
  if (textures_) {
    program_.textures = {{"row", descriptor(row, kRow, 1)},
                         {"sheet", descriptor(sheet, kSheetColumns, kSheetRows)}};
    program_.call = fmt::format(
        "program{0}::row.bind(memory + {1}, {2}, 1); program{0}::sheet.bind(memory + {3}, {4}, "
        "{5});\n",
        seed_, row, kRow, sheet, kSheetColumns, kSheetRows);
  }
  program_.call += fmt::format(
      "{}((const unsigned*)(memory + {}), (unsigned*)(memory + {}), memory + {},\n"
      "    (short*)(memory + {}), (float*)(memory + {}), (uint4*)(memory + {}),\n"
      "    (program{}::Thing*)(memory + {}), {}, __uint_as_float({}u),\n"
      "    program{}::Setting{{{}, (short)0x{:x}, 0x{:x}, (signed char)0x{:x}, 0}},\n"
      "    (unsigned*)(memory + {}))",
      fmt::format("program{}::{}", seed_, program_.kernel()), in, out, bytes, halves, floats, quads,
      seed_, things, count, scale_bits, seed_, setting[0], setting[1] & 0xffff,
      setting[1] >> 16 & 0xff, setting[1] >> 24, counters);
}

RandomProgram random_program(uint32_t seed) { return ProgramGenerator(seed).run(); }

}  // namespace gvp::kcc
