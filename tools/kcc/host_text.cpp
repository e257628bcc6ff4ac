// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/host_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "models/base/error.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kOnlyCpp[] = {
    "new",         "delete", "class", "namespace", "using",       "template",   "std",
    "try",         "catch",  "throw", "operator",  "static_cast", "const_cast", "reinterpret_cast",
    "dynamic_cast"};
constexpr std::string_view kDropped[] = {"__host__", "__device__", "__constant__", "__noinline__",
                                         "__forceinline__"};
constexpr std::string_view kCasts[] = {"int",  "unsigned", "float", "double",
                                       "char", "short",    "long",  "bool"};

template <size_t count>
bool among(const std::string_view (&list)[count], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

class HostText {
 public:
  HostText(const std::string& file, const std::string& source, const std::vector<Token>& tokens,
           const std::set<std::string>& kernels)
      : file_(file), source_(source), tokens_(tokens), kernels_(kernels) {}

  std::string run(size_t begin, size_t end) {
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      if (i > begin) text += between(i - 1, i);
      text += one(i, begin, end);
    }
    return text;
  }

 private:
  bool at(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }
  bool is_word(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::kWord;
  }

  [[noreturn]] void refuse(const Token& token, const std::string& what,
                           const std::string& remedy) const {
    throw bad_input("--host-wrapper: " + what, {file_, token.line, 0}, remedy);
  }

  // Comments and blanks.
  std::string between(size_t left, size_t right) const {
    return source_.substr(tokens_[left].end, tokens_[right].begin - tokens_[left].end);
  }

  // The text of token i; moves i to the last token that it stands for.
  std::string one(size_t& i, size_t begin, size_t end) {
    const Token& token = tokens_[i];
    if (token.is("<<<")) refuse(token, "a launch of what is no kernel of this file", "");
    if (token.kind != Token::Kind::kWord) return std::string(token.text);
    if (among(kOnlyCpp, token.text))
      refuse(token, "\"" + std::string(token.text) + "\" in the host part, which is to be C",
             "write it in C (malloc(), printf(), (type)value), or compile it for another host");
    if (among(kDropped, token.text)) return "";
    if (token.is("nullptr")) return "NULL";
    if (token.is("extern") && i + 1 < end && tokens_[i + 1].kind == Token::Kind::kText) {
      ++i;
      return "";
    }
    if (at(i + 1, "<<<")) return launch(i, end);
    if (token.is("dim3")) return dimensions(i, begin, end);
    if (token.is("cudaCreateChannelDesc") && at(i + 1, "<")) return channel(i, end);
    const bool after_word = i > begin && is_word(i - 1) && !at(i - 1, "return");
    if (among(kCasts, token.text) && at(i + 1, "(") && !after_word)
      return "(" + std::string(token.text) + ")";
    return std::string(token.text);
  }

  std::string launch(size_t& i, size_t end) {
    const std::string name(tokens_[i].text);
    if (kernels_.count(name) == 0)
      refuse(tokens_[i], "a launch of \"" + name + "\", which is no kernel of this file",
             "put the kernel into the file");
    size_t close = i + 2;
    while (close < end && !at(close, ">>>")) {
      const bool bracket = at(close, "(") || at(close, "[") || at(close, "{");
      close = bracket ? closing(tokens_, close) + 1 : close + 1;
    }
    if (close >= end || !at(close + 1, "("))
      refuse(tokens_[i], "a launch is name<<<grid, block>>>(arguments)", "");
    const size_t last = closing(tokens_, close + 1);
    if (last >= end) refuse(tokens_[i], "a bracket is not closed", "");
    std::string text = name + "__launch(CUDA_CONFIGURATION(" + run(i + 2, close) + ")";
    if (last > close + 2) text += ", " + run(close + 2, last);
    i = last;
    return text + ")";
  }

  // cudaCreateChannelDesc<type>()
  std::string channel(size_t& i, size_t end) const {
    size_t close = i + 2;
    while (close < end && !at(close, ">")) ++close;
    if (close + 2 >= end || close == i + 2 || !at(close + 1, "(") || !at(close + 2, ")"))
      refuse(tokens_[i], "a format is cudaCreateChannelDesc<type>()", "");
    const std::string type =
        source_.substr(tokens_[i + 2].begin, tokens_[close - 1].end - tokens_[i + 2].begin);
    i = close + 2;
    return "CUDA_CHANNEL_OF(" + type + ")";
  }

  // dim3(4, 2), and declarations: dim3 grid(4, 2), block; but not parameters.
  std::string dimensions(size_t& i, size_t begin, size_t end) {
    if (at(i + 1, "(")) return "CUDA_DIM3";
    const bool parameter =
        i > begin && (at(i - 1, "(") || at(i - 1, ",") ||
                      (at(i - 1, "const") && i > begin + 1 && (at(i - 2, "(") || at(i - 2, ","))));
    if (parameter || !is_word(i + 1)) return "dim3";
    std::string text = "dim3";
    size_t j = i + 1;
    for (; j < end && !at(j, ";"); ++j) {
      text += between(j - 1, j);
      if (is_word(j) && at(j + 1, "(")) {
        const size_t close = closing(tokens_, j + 1);
        if (close >= end) refuse(tokens_[j], "a bracket is not closed", "");
        text += std::string(tokens_[j].text) + " = CUDA_DIM3(" + run(j + 2, close) + ")";
        j = close;
      } else if (is_word(j) && (at(j + 1, ";") || at(j + 1, ","))) {
        text += std::string(tokens_[j].text) + " = CUDA_DIM3()";
      } else if (at(j, "=")) {
        size_t last = j;
        while (last + 1 < end && !at(last + 1, ";") && !at(last + 1, ",")) {
          ++last;
          if (at(last, "(") || at(last, "{")) last = closing(tokens_, last);
        }
        text += "=" + between(j, j + 1) + run(j + 1, last + 1);
        j = last;
      } else {
        text += std::string(tokens_[j].text);
      }
    }
    i = j - 1;
    return text;
  }

  const std::string& file_;
  const std::string& source_;
  const std::vector<Token>& tokens_;
  const std::set<std::string>& kernels_;
};

}  // namespace

std::string host_text(const std::string& file, const std::string& source,
                      const std::vector<Token>& tokens, size_t begin, size_t end,
                      const std::set<std::string>& kernels) {
  return HostText(file, source, tokens, kernels).run(begin, end);
}

}  // namespace gvp::kcc
