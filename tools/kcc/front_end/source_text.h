// SPDX-License-Identifier: Apache-2.0
// Preprocessed CUDA C as far as kcc reads it itself: which declarations there are, where functions
// have their bodies, what belongs to the device, and where the statements of a body end.  No types,
// no names are resolved; clang does that.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::kcc {

struct Span {
  size_t begin = 0;
  size_t end = 0;  // behind the last character
  bool contains(size_t at) const { return begin <= at && at < end; }
  bool empty() const { return begin == end; }
};

// A declaration in a namespace or a class, with its body and its ';'.
struct Declaration {
  Span all;
  Span body;              // of a function: between its braces; else empty
  bool function = false;  // has a body
  bool device = false;    // marked as __device__, __global__, __shared__ or __constant__
  bool kernel = false;    // __global__
  bool texture = false;   // a variable of type texture<...>
  bool type = false;      // of a class, not of a function or a variable
  bool is_template = false;
  std::string name;  // of a function
};

class SourceText {
 public:
  explicit SourceText(std::string text);

  const std::string& text() const { return text_; }
  const std::vector<Declaration>& declarations() const { return declarations_; }
  // The innermost declaration around a place; nullptr if there is none.
  const Declaration* declaration_at(size_t at) const;
  // The statement of a function's body around a place, or the part of one in front of its '{':
  // "if (...)".
  Span statement_at(const Declaration& function, size_t at) const;
  // The launches of kernels with explicit template arguments in there, and the calls of functions
  // of the host with such: "name<...>" of each.
  std::vector<Span> template_launches(const Span& span) const;
  // What stands behind the '=' of a statement around a place, up to the next ',' or ';', with the
  // '=': without it the statement still declares its variable.  Empty if the place is not in there.
  Span value_at(const Span& statement, size_t at) const;
  bool has_word(const Span& span, std::string_view word) const;
  // typedef and using
  bool is_alias(const Declaration& declaration) const;
  // Where the specifiers of a function's declaration begin: behind template <...> and extern "C".
  size_t specifiers_of(const Declaration& declaration) const;
  // The names that the declaration of a type, or of another name for one, gives it.
  std::vector<std::string> type_names(const Declaration& declaration) const;
  // The names of the kernels in the other launches.
  std::vector<std::string> plain_launches(const Span& span) const;

  // Lines count from 1, as clang counts them in this text.
  size_t offset(size_t line, size_t column) const;
  size_t line_of(size_t at) const;
  // From a header of the system or of kcc (linemarkers say so).
  bool in_system_header(size_t at) const;
  // "k.cu:12", as linemarkers say.
  std::string place_of(size_t at) const;

  // The same text with linemarkers that make each line say its own number, for messages that name
  // places in this text.
  std::string numbered() const;
  // Blanks what is in there, but for line ends, linemarkers and `kept`, which ends in ';' then.
  void blank(const Span& span, const std::vector<Span>& kept = {});
  // Blanks what is in there and writes words without a line's end in its stead; false, and nothing
  // done, if no line in there has room for them.
  bool replace(const Span& span, std::string_view words);
  // Puts a ';' in the place of a function's body and blanks that.
  void remove_body(const Declaration& function);
  // With words in front of some places, in ascending order.
  static SourceText with_insertions(const SourceText& from, const std::vector<size_t>& places,
                                    const std::string& words);

 private:
  bool is_template_function(std::string_view name) const;
  struct Line {
    size_t begin = 0;
    bool marker = false;
    bool system = false;
    size_t file = 0;    // of files_
    size_t number = 0;  // in that file
  };
  void find_lines();
  // Of the first character behind that may be replaced.
  size_t place_behind(const Span& kept) const;

  std::string text_;
  std::vector<Line> lines_;
  std::vector<std::string> files_;
  std::vector<Declaration> declarations_;
};

}  // namespace gvp::kcc
