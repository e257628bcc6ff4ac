// SPDX-License-Identifier: Apache-2.0
#include "models/compare/inside.h"

#include <map>
#include <utility>

namespace gvp::compare {
namespace {

std::map<std::string, MakeInside>& insides() {
  static std::map<std::string, MakeInside> all;
  return all;
}

}  // namespace

void register_inside(const std::string& type, MakeInside make) {
  insides()[type] = std::move(make);
}

std::unique_ptr<Inside> make_inside(const std::string& type, const Subjects& subjects) {
  const auto found = insides().find(type);
  return found == insides().end() ? nullptr : found->second(subjects);
}

bool has_inside(const std::string& type) { return insides().count(type) != 0; }

}  // namespace gvp::compare
