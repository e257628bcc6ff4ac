// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/equal_functions.h"

#include <set>
#include <string_view>
#include <unordered_map>

#include "tools/kcc/front_end/intermediate_code.h"
#include "tools/kcc/front_end/text_lines.h"
#include "tools/kcc/front_end/text_pieces.h"

namespace gvp::kcc {
namespace {

// What the nodes behind a text's functions say.
struct Nodes {
  struct Function {
    bool kernel = false;
    std::string text;  // of all that is said, without its name
  };
  std::unordered_map<std::string_view, Function> functions;
  // Of "!9 = distinct !{!9, !10}", as loops have them: ", !10}" by "!9".
  std::unordered_map<std::string_view, std::string_view> loops;

  void read(std::string_view line) {
    constexpr std::string_view kDistinct = " = distinct !{";
    const std::string_view number = word_at(line, 0);
    const std::string_view rest = line.substr(number.size());
    if (begins_with(rest, kDistinct) && begins_with(rest.substr(kDistinct.size()), number))
      loops[number] = rest.substr(kDistinct.size() + number.size());
    //   !2 = !{void (i32*)* @_Z3addPi, !"kernel", i32 1}
    for_each_name(line, [&](std::string_view name) {
      Function& function = functions[name];
      function.kernel |= rest.find(", !\"kernel\"") != std::string_view::npos;
      function.text += line.substr(line.find('@') + 1 + name.size());
    });
  }
};

class Comparison {
 public:
  explicit Comparison(const std::string& text)
      : pieces_(pieces_of(text)), apart_(separate_functions(text)), first_(pieces_.size()) {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (!pieces_[i].function.empty()) function_[pieces_[i].function] = i;
      if (pieces_[i].text[0] == '!') nodes_.read(pieces_[i].text);
    }
    std::vector<State> states(pieces_.size(), State::kNew);
    for (size_t i = 0; i < pieces_.size(); ++i)
      if (!pieces_[i].function.empty()) find_first(i, states);
  }

  EqualFunctions result() const {
    EqualFunctions result;
    const Names left_out = nodes_of_others();
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const std::string_view text = pieces_[i].text;
      const std::string_view function = pieces_[i].function;
      if (!function.empty()) {
        if (first_[i] == i) append_with_first(result.text, text);
        const auto said = nodes_.functions.find(function);
        if (said != nodes_.functions.end() && said->second.kernel)
          result.kernels.emplace_back(function, pieces_[first_[i]].function);
      } else if (begins_with(text, "!nvvm.annotations = ")) {
        result.text += without_nodes(text, left_out);
      } else if (text[0] != '!' || left_out.count(word_at(text, 0)) == 0) {
        append_with_first(result.text, text);
      }
    }
    return result;
  }

 private:
  enum class State { kNew, kOpen, kKnown };

  // Of the functions that this one calls first, so that callers of equal ones are equal.  Those
  // that call each other in a circle are not.
  void find_first(size_t function, std::vector<State>& states) {
    std::vector<size_t> open{function};
    while (!open.empty()) {
      const size_t i = open.back();
      if (states[i] == State::kNew) {
        states[i] = State::kOpen;
        first_[i] = i;
        for_each_name(pieces_[i].text, [&](std::string_view name) {
          const auto found = function_.find(name);
          if (found != function_.end() && states[found->second] == State::kNew)
            open.push_back(found->second);
        });
        continue;
      }
      open.pop_back();
      if (states[i] == State::kKnown) continue;
      states[i] = State::kKnown;
      if (apart_.count(std::string(pieces_[i].function)) == 0)
        first_[i] = by_meaning_.emplace(meaning_of(i), i).first->second;
    }
  }

  // The text of a function, and what is said of it, without what makes equal ones differ.
  std::string meaning_of(size_t i) const {
    std::string text;
    append_with_first(text, pieces_[i].text, pieces_[i].function);
    std::string meaning;
    size_t done = 0;
    constexpr std::string_view kLoop = "!llvm.loop ";
    for (size_t at = text.find(kLoop); at != std::string::npos; at = text.find(kLoop, at)) {
      at += kLoop.size();
      const std::string_view number = word_at(text, at);
      const auto loop = nodes_.loops.find(number);
      if (loop == nodes_.loops.end()) continue;
      meaning.append(text, done, at - done).append(loop->second);
      done = at + number.size();
    }
    meaning.append(text, done);
    const auto said = nodes_.functions.find(pieces_[i].function);
    return said == nodes_.functions.end() ? meaning : meaning + said->second.text;
  }

  // A text in which functions have the name of the first that is equal, and one has none.
  void append_with_first(std::string& result, std::string_view text,
                         std::string_view nameless = {}) const {
    size_t done = 0;
    for_each_name(text, [&](std::string_view name) {
      const auto found = function_.find(name);
      if (found == function_.end()) return;
      const auto begin = static_cast<size_t>(name.data() - text.data());
      result += text.substr(done, begin - done);
      if (name != nameless) result += pieces_[first_[found->second]].function;
      done = begin + name.size();
    });
    result += text.substr(done);
  }

  // Of functions that are left out.
  Names nodes_of_others() const {
    Names numbers;
    for (const Piece& piece : pieces_) {
      if (piece.text[0] != '!') continue;
      for_each_name(piece.text, [&](std::string_view name) {
        const auto found = function_.find(name);
        if (found != function_.end() && first_[found->second] != found->second)
          numbers.insert(word_at(piece.text, 0));
      });
    }
    return numbers;
  }

  std::vector<Piece> pieces_;
  std::set<std::string> apart_;
  Nodes nodes_;
  std::unordered_map<std::string_view, size_t> function_;  // by name: its piece
  std::unordered_map<std::string, size_t> by_meaning_;
  std::vector<size_t> first_;  // by piece: the first function that is equal
};

}  // namespace

EqualFunctions without_equal_functions(const std::string& text) {
  return Comparison(text).result();
}

}  // namespace gvp::kcc
