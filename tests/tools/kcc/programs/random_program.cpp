// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/programs/random_program.h"

#include <algorithm>

namespace gvp::kcc {
namespace {

void write(const Statement& statement, unsigned indent, std::string& text) {
  const std::string space(2 * indent, ' ');
  if (!statement.head.empty()) text += space + statement.head + "\n";
  for (const Statement& inner : statement.body) write(inner, indent + 1, text);
  if (!statement.tail.empty()) text += space + statement.tail + "\n";
}

size_t size(const Statement& statement) {
  size_t sum = 1;
  for (const Statement& inner : statement.body) sum += size(inner);
  return sum;
}

using Path = std::vector<size_t>;  // which statement of the kernel, which one in it...
struct Candidate {
  Path path;
  size_t size;
};

void collect(const std::vector<Statement>& statements, const Path& path,
             std::vector<Candidate>& found) {
  for (size_t i = 0; i < statements.size(); ++i) {
    Path here = path;
    here.push_back(i);
    if (!statements[i].fixed) found.push_back({here, size(statements[i])});
    collect(statements[i].body, here, found);
  }
}

}  // namespace

std::string RandomProgram::text() const {
  std::string result = before;
  for (const Statement& statement : statements) write(statement, 1, result);
  return result + after;
}

std::vector<RandomProgram> with_one_less(const RandomProgram& program) {
  std::vector<Candidate> candidates;
  collect(program.statements, {}, candidates);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.size > b.size; });
  std::vector<RandomProgram> result;
  for (const Candidate& candidate : candidates) {
    RandomProgram smaller = program;
    std::vector<Statement>* statements = &smaller.statements;
    for (size_t i = 0; i + 1 < candidate.path.size(); ++i)
      statements = &(*statements)[candidate.path[i]].body;
    statements->erase(statements->begin() + static_cast<std::ptrdiff_t>(candidate.path.back()));
    result.push_back(std::move(smaller));
  }
  return result;
}

}  // namespace gvp::kcc
