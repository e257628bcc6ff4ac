// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/southern_islands/reference.h"

#include <cmath>

#include "tests/models/gpgpu/southern_islands/reference_parts.h"

namespace gvp::test {
namespace {

template <typename Real>
bool compare_reals(const std::string& name, Real x, Real y) {
  const bool unordered = std::isnan(x) || std::isnan(y);
  if (name == "f") return false;
  if (name == "tru") return true;
  if (name == "o") return !unordered;
  if (name == "u") return unordered;
  if (name[0] == 'n') return unordered || !compare_reals(name.substr(1), x, y);
  if (unordered) return false;
  if (name == "lt") return x < y;
  if (name == "eq") return x == y;
  if (name == "le") return x <= y;
  if (name == "gt") return x > y;
  return name == "lg" ? x != y : x >= y;
}
template <typename T>
bool compare_integers(const std::string& name, T x, T y) {
  if (name == "f" || name == "t") return name == "t";
  if (name == "lt") return x < y;
  if (name == "eq") return x == y;
  if (name == "le") return x <= y;
  if (name == "gt") return x > y;
  return name == "ne" || name == "lg" ? x != y : x >= y;
}
bool in_class(uint64_t bits, uint64_t classes) {
  const float x = number(bits);
  unsigned place = 0;
  if (std::isnan(x)) {
    place = signalling(bits) ? 0 : 1;
  } else {
    const int kind = std::fpclassify(x);
    const unsigned size = kind == FP_INFINITE    ? 3
                          : kind == FP_NORMAL    ? 2
                          : kind == FP_SUBNORMAL ? 1
                                                 : 0;
    place = std::signbit(x) ? 5 - size : 6 + size;
  }
  return (classes >> place & 1) != 0;
}

bool in_class_of_doubles(uint64_t bits, uint64_t classes) {
  const double x = double_number(bits);
  if (std::isnan(x)) return (classes >> (bits >> 51 & 1) & 1) != 0;
  const int order[] = {FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO};
  unsigned place = 0;
  while (order[place] != std::fpclassify(x)) ++place;
  return (classes >> (std::signbit(x) ? 2 + place : 9 - place) & 1) != 0;
}

// v_cmp_lt_f32, s_cmp_lg_i32, s_cmpk_ge_u32...: unit, kind, what, type.
Out comparison(const std::string& name, const In& in) {
  const std::size_t first = name.find('_', 2), last = name.rfind('_');
  const std::string kind = name.substr(2, first - 2);
  if (kind.substr(0, 3) != "cmp" || first == last) return {};
  const std::string what = name.substr(first + 1, last - first - 1), type = name.substr(last + 1);
  const uint64_t a = kind == "cmpk" ? in.old : in.a, b = kind == "cmpk" ? in.a : in.b;
  if (what == "class") return condition(type == "f64" ? in_class_of_doubles(a, b) : in_class(a, b));
  if (type == "f64") return condition(compare_reals(what, double_number(a), double_number(b)));
  if (type == "f32") return condition(compare_reals(what, input(a), input(b)));
  if (type == "i32") return condition(compare_integers(what, s(a), s(b)));
  if (type == "u32") return condition(compare_integers(what, u(a), u(b)));
  if (type == "i64")
    return condition(compare_integers(what, static_cast<int64_t>(a), static_cast<int64_t>(b)));
  return condition(compare_integers(what, a, b));
}

}  // namespace

ReferenceOutput reference(const std::string& mnemonic, const ReferenceInput& in) {
  static const Table table = [] {
    Table t;
    add_scalar(t);
    add_integer(t);
    add_float(t);
    add_double(t);
    return t;
  }();
  const auto found = table.find(mnemonic);
  return found != table.end() ? found->second(in) : comparison(mnemonic, in);
}

}  // namespace gvp::test
