// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/source_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tools/kcc/front_end/source_tokens.h"

namespace gvp::kcc {
namespace {

using Tokens = std::vector<SourceToken>;

// Finds the declarations of namespaces and classes.
class Declarations {
 public:
  explicit Declarations(const std::string& text) : tokens_(source_tokens(text, 0, text.size())) {}

  std::vector<Declaration> run() {
    scope(0, tokens_.size());
    return std::move(found_);
  }

 private:
  // What the tokens in front of a '{' say.
  struct Head {
    bool container = false;  // namespace, extern "C"
    bool group = false;      // ( ) that are no attribute's
    bool assigned = false;
    bool type = false;  // class, struct, union, enum
    bool is_template = false;
    bool device = false;
    bool kernel = false;
    std::string name;
  };

  void scope(size_t at, size_t end) {
    while (at < end) at = declaration(at, end);
  }

  bool is_attribute(size_t i) const {
    for (const std::string_view word :
         {"__attribute__", "__declspec", "alignas", "decltype", "__asm__", "asm", "throw"})
      if (tokens_[i].is(word)) return true;
    return false;
  }

  void note_attribute(Head& head, size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      head.kernel |= tokens_[i].is("global");
      for (const std::string_view word : {"global", "device", "shared", "constant"})
        head.device |= tokens_[i].is(word);
    }
  }

  // The declaration that begins at a token; where the next one begins.
  size_t declaration(size_t begin, size_t end) {
    const SourceToken& first = tokens_[begin];
    if (first.is('}') || first.is(';')) return begin + 1;
    const bool access = first.is("public") || first.is("private") || first.is("protected");
    if (access && begin + 1 < end && tokens_[begin + 1].is(':')) return begin + 2;
    Head head;
    size_t body = 0;
    size_t body_end = 0;
    bool class_body = false;
    size_t i = begin;
    while (i < end) {
      const SourceToken& token = tokens_[i];
      if (token.is(';')) {
        ++i;
        break;
      }
      if (token.is('}')) break;  // more are closed than opened
      if (is_attribute(i) && i + 1 < end && tokens_[i + 1].is('(')) {
        const size_t next = std::min(behind_bracket(tokens_, i + 1), end);
        if (token.is("__attribute__")) note_attribute(head, i + 1, next);
        i = next;
      } else if (token.is("template") && i + 1 < end && tokens_[i + 1].is('<')) {
        head.is_template = true;
        i = behind_parameters(i + 1, end);
      } else if (token.is('(') || token.is('[')) {
        if (token.is('(') && !head.group && i > begin &&
            tokens_[i - 1].kind == SourceToken::Kind::kName)
          head.name = std::string(tokens_[i - 1].text);
        head.group |= token.is('(') && !head.assigned;
        i = std::min(behind_bracket(tokens_, i), end);
      } else if (token.is('{')) {
        const size_t next = std::min(behind_bracket(tokens_, i), end);
        const bool linkage = i > begin + 1 && tokens_[begin].is("extern") && i == begin + 2 &&
                             tokens_[begin + 1].kind == SourceToken::Kind::kLiteral;
        if (head.container || linkage) {
          scope(i + 1, next - 1);
          return next;
        }
        if (head.group && !head.assigned) {
          body = i;
          body_end = next;
          i = next;
          break;
        }
        if (head.type && !head.assigned && !class_body) {
          class_body = true;
          scope(i + 1, next - 1);
        }
        i = next;
      } else {
        note(head, i);
        ++i;
      }
    }
    add(begin, i, body, body_end, head);
    return i;
  }

  // Behind template <...>, whose parameters say nothing of what is declared.
  size_t behind_parameters(size_t i, size_t end) const {
    size_t depth = 0;
    for (; i < end; ++i) {
      if (tokens_[i].is(';') || tokens_[i].is('{')) return i;
      if (tokens_[i].is('(')) i = behind_bracket(tokens_, i) - 1;
      if (i < end && tokens_[i].is('<')) ++depth;
      if (i < end && tokens_[i].is('>') && --depth == 0) return i + 1;
    }
    return end;
  }

  void note(Head& head, size_t i) const {
    const SourceToken& token = tokens_[i];
    if (token.is('=')) head.assigned = true;
    // "operator=" is a name.
    if (token.is('=') && i > 0 && operator_name(i)) head.assigned = false;
    head.container |= token.is("namespace");
    head.is_template |= token.is("template");
    for (const std::string_view word : {"class", "struct", "union", "enum"})
      head.type |= token.is(word);
  }

  // Whether "operator" is one of the last three tokens.
  bool operator_name(size_t i) const {
    for (size_t back = 1; back <= 3 && back <= i; ++back)
      if (tokens_[i - back].is("operator")) return true;
    return false;
  }

  // texture<...>& f();
  bool is_reference(size_t parameters, size_t end) const {
    const size_t behind = behind_parameters(parameters, end);
    return behind < end && (tokens_[behind].is('&') || tokens_[behind].is('*'));
  }

  // texture<...>, or a name that a typedef gave it; or surface<void...>.
  bool is_texture(size_t begin, size_t end) const {
    for (size_t i = begin; i + 1 < end; ++i) {
      const SourceToken& token = tokens_[i];
      if (token.is("texture")) return tokens_[i + 1].is('<') && !is_reference(i + 1, end);
      if (token.is("surface"))
        return i + 2 < end && tokens_[i + 1].is('<') && tokens_[i + 2].is("void");
      if (texture_names_.count(token.text) != 0)
        return tokens_[i + 1].kind == SourceToken::Kind::kName;
      if (!token.is("static") && !token.is("extern") && !token.is("const")) return false;
    }
    return false;
  }

  void add(size_t begin, size_t end, size_t body, size_t body_end, const Head& head) {
    if (begin >= end) return;
    if (end - begin > 3 && tokens_[begin].is("typedef") && is_texture(begin + 1, end))
      texture_names_.insert(tokens_[end - 2].text);
    Declaration result;
    result.all = {tokens_[begin].begin, tokens_[end - 1].end()};
    result.function = body != 0;
    if (result.function) result.body = {tokens_[body].end(), tokens_[body_end - 1].begin};
    result.device = head.device;
    result.kernel = head.kernel;
    result.texture = !head.device && !result.function && is_texture(begin, end);
    result.type = head.type && !head.group && !result.function;
    result.is_template = head.is_template;
    result.name = head.name;
    found_.push_back(std::move(result));
  }

  Tokens tokens_;
  std::vector<Declaration> found_;
  std::set<std::string_view> texture_names_;  // of typedefs
};

// Whether a '{' here begins the value of something rather than statements.
bool begins_value(const Tokens& tokens, size_t i) {
  if (i == 0) return false;
  const SourceToken& before = tokens[i - 1];
  return before.is('=') || before.is(',') || before.is(']') || before.is("return");
}

// A '=' that is no part of another operator.
bool assigns(const Tokens& tokens, size_t i) {
  constexpr std::string_view kOthers = "=!<>+-*/%&|^";
  if (!tokens[i].is('=') || i == 0 || i + 1 == tokens.size()) return false;
  const SourceToken& before = tokens[i - 1];
  const bool joined = before.end() == tokens[i].begin && before.text.size() == 1 &&
                      before.kind == SourceToken::Kind::kPunctuation &&
                      kOthers.find(before.text[0]) != std::string_view::npos;
  return !joined && !(tokens[i + 1].is('=') && tokens[i + 1].begin == tokens[i].end());
}

bool begins_launch(const Tokens& tokens, size_t i) {
  for (size_t n = 0; n < 3; ++n)
    if (!tokens[i + n].is('<') || tokens[i + n].begin != tokens[i].begin + n) return false;
  return true;
}

}  // namespace

SourceText::SourceText(std::string text) : text_(std::move(text)) {
  find_lines();
  declarations_ = Declarations(text_).run();
}

// Linemarkers: # NUMBER "FILE" FLAGS, of which 3 means a system header.
void SourceText::find_lines() {
  std::map<std::string, size_t> known;
  Line now;
  for (size_t begin = 0; begin < text_.size();) {
    const size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::string_view line = std::string_view(text_).substr(begin, end - begin);
    now.begin = begin;
    const size_t quote = line.find('"');
    now.marker = line.substr(0, 2) == "# " && line.size() > 2 && line[2] >= '0' && line[2] <= '9' &&
                 quote != std::string_view::npos;
    if (now.marker) {
      const size_t behind = line.rfind('"');
      const std::string file(line.substr(quote + 1, behind - quote - 1));
      const auto [place, added] = known.emplace(file, files_.size());
      if (added) files_.push_back(file);
      now.file = place->second;
      now.system = line.find('3', behind) != std::string_view::npos;
      lines_.push_back(now);
      now.number = std::stoul(std::string(line.substr(2, quote - 2)));
    } else {
      lines_.push_back(now);
      ++now.number;
    }
    begin = end + 1;
  }
}

const Declaration* SourceText::declaration_at(size_t at) const {
  const Declaration* best = nullptr;
  for (const Declaration& each : declarations_) {
    if (!each.all.contains(at)) continue;
    if (best == nullptr || each.all.end - each.all.begin < best->all.end - best->all.begin)
      best = &each;
  }
  return best;
}

Span SourceText::statement_at(const Declaration& function, size_t at) const {
  const Tokens tokens = source_tokens(text_, function.body.begin, function.body.end);
  Span statement{function.body.begin, function.body.begin};
  bool fresh = true;
  for (size_t i = 0; i < tokens.size();) {
    const SourceToken& token = tokens[i];
    if (fresh) statement.begin = token.begin;
    fresh = false;
    const bool value = token.is('{') && begins_value(tokens, i);
    if (token.is('(') || token.is('[') || value) {
      i = behind_bracket(tokens, i);
      statement.end = tokens[i - 1].end();
      continue;
    }
    const bool brace = token.is('{') || token.is('}');
    statement.end = brace ? token.begin : token.end();
    if (brace || token.is(';')) {
      if (at < statement.end) return statement.begin <= at ? statement : Span{};
      fresh = true;
    }
    ++i;
  }
  return statement.begin <= at && !fresh ? Span{statement.begin, function.body.end} : Span{};
}

Span SourceText::value_at(const Span& statement, size_t at) const {
  const Tokens tokens = source_tokens(text_, statement.begin, statement.end);
  size_t equals = tokens.size();
  for (size_t i = 0; i < tokens.size();) {
    const SourceToken& token = tokens[i];
    if (equals != tokens.size() && (token.is(',') || token.is(';'))) {
      if (tokens[equals].begin < at && at < token.begin) return {tokens[equals].begin, token.begin};
      equals = tokens.size();
    }
    if (assigns(tokens, i)) equals = i;
    const bool bracket = token.is('(') || token.is('[') || token.is('{');
    i = bracket ? behind_bracket(tokens, i) : i + 1;
  }
  return {};
}

std::vector<std::string> SourceText::plain_launches(const Span& span) const {
  std::vector<std::string> names;
  const Tokens tokens = source_tokens(text_, span.begin, span.end);
  for (size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (begins_launch(tokens, i) && tokens[i - 1].kind == SourceToken::Kind::kName)
      names.emplace_back(tokens[i - 1].text);
  }
  return names;
}

std::vector<Span> SourceText::template_launches(const Span& span) const {
  std::vector<Span> found;
  const Tokens tokens = source_tokens(text_, span.begin, span.end);
  for (size_t i = 2; i + 2 < tokens.size(); ++i) {
    const bool launch = begins_launch(tokens, i);
    if ((!launch && !tokens[i].is('(')) || !tokens[i - 1].is('>')) continue;
    size_t depth = 0;
    size_t begin = i - 1;
    for (; begin > 0; --begin) {
      if (tokens[begin].is('>')) ++depth;
      if (tokens[begin].is('<') && --depth == 0) break;
    }
    // Of calls those of functions that may launch in turn.
    if (!launch && (begin == 0 || !is_template_function(tokens[begin - 1].text))) continue;
    // "a::b" is the name; "else b" and "else ::b" are not.
    if (begin > 0 && tokens[begin - 1].kind == SourceToken::Kind::kName) --begin;
    while (begin > 2 && tokens[begin - 1].is(':') && tokens[begin - 2].is(':') &&
           tokens[begin - 3].kind == SourceToken::Kind::kName &&
           tokens[begin - 3].end() == tokens[begin - 2].begin)
      begin -= 3;
    if (tokens[begin].kind == SourceToken::Kind::kName)
      found.push_back({tokens[begin].begin, tokens[i - 1].end()});
    i += 2;
  }
  return found;
}

bool SourceText::has_word(const Span& span, std::string_view word) const {
  const auto text = std::string_view(text_).substr(span.begin, span.end - span.begin);
  if (text.find(word) == std::string_view::npos) return false;
  const Tokens tokens = source_tokens(text_, span.begin, span.end);
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const SourceToken& token) { return token.is(word); });
}

size_t SourceText::specifiers_of(const Declaration& declaration) const {
  const Tokens tokens = source_tokens(text_, declaration.all.begin, declaration.all.end);
  size_t i = 0;
  if (tokens.size() > 2 && tokens[0].is("extern") && tokens[1].kind == SourceToken::Kind::kLiteral)
    return tokens[2].begin;
  // Templates of members of templates have two.
  while (i + 1 < tokens.size() && tokens[i].is("template") && tokens[i + 1].is('<')) {
    size_t depth = 0;
    for (++i; i < tokens.size(); ++i) {
      if (tokens[i].is('(')) i = std::min(behind_bracket(tokens, i), tokens.size()) - 1;
      if (tokens[i].is('<')) ++depth;
      if (tokens[i].is('>') && --depth == 0) break;
    }
    ++i;
  }
  return i < tokens.size() ? tokens[i].begin : declaration.all.begin;
}

bool SourceText::is_alias(const Declaration& declaration) const {
  const size_t end = std::min(declaration.all.end, declaration.all.begin + 8);
  const Tokens tokens = source_tokens(text_, declaration.all.begin, end);
  return !tokens.empty() && (tokens[0].is("typedef") || tokens[0].is("using"));
}

std::vector<std::string> SourceText::type_names(const Declaration& declaration) const {
  const Tokens tokens = source_tokens(text_, declaration.all.begin, declaration.all.end);
  std::vector<std::string> names;
  if (tokens.size() > 1 && tokens[0].is("using")) return {std::string(tokens[1].text)};
  // struct NAME {, struct NAME : ..., typedef ... NAME;
  std::string_view last;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const SourceToken& token = tokens[i];
    if (token.kind == SourceToken::Kind::kName) last = token.text;
    const bool head = token.is('{') || token.is(':') || token.is(';');
    if (head && !last.empty()) names.emplace_back(last);
    if (head) last = {};
    if (token.is('{')) i = behind_bracket(tokens, i) - 1;
  }
  return names;
}

bool SourceText::is_template_function(std::string_view name) const {
  return std::any_of(declarations_.begin(), declarations_.end(), [&](const Declaration& each) {
    return each.is_template && each.function && !each.device && each.name == name &&
           !in_system_header(each.all.begin);
  });
}

size_t SourceText::offset(size_t line, size_t column) const {
  if (line == 0 || line > lines_.size()) return text_.size();
  return std::min(lines_[line - 1].begin + (column == 0 ? 0 : column - 1), text_.size());
}

size_t SourceText::line_of(size_t at) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), at,
                                     [](size_t place, const Line& l) { return place < l.begin; });
  return static_cast<size_t>(next - lines_.begin());
}

bool SourceText::in_system_header(size_t at) const {
  const size_t line = line_of(at);
  return line != 0 && lines_[line - 1].system;
}

std::string SourceText::place_of(size_t at) const {
  const size_t line = line_of(at);
  if (line == 0 || files_.empty()) return "";
  return files_[lines_[line - 1].file] + ":" + std::to_string(lines_[line - 1].number);
}

std::string SourceText::numbered() const {
  std::string result;
  result.reserve(text_.size());
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].marker) {
      result += "# " + std::to_string(i + 2) + " \"text\"" + (lines_[i].system ? " 3\n" : "\n");
      continue;
    }
    const size_t end = i + 1 < lines_.size() ? lines_[i + 1].begin : text_.size();
    result.append(text_, lines_[i].begin, end - lines_[i].begin);
  }
  return result;
}

void SourceText::blank(const Span& span, const std::vector<Span>& kept) {
  const size_t first = line_of(span.begin);
  for (size_t line = first; line <= lines_.size() && line >= 1; ++line) {
    const Line& here = lines_[line - 1];
    if (here.begin >= span.end) break;
    if (here.marker) continue;
    const size_t end = line < lines_.size() ? lines_[line].begin : text_.size();
    for (size_t at = std::max(here.begin, span.begin); at < std::min(end, span.end); ++at) {
      const bool keep = std::any_of(kept.begin(), kept.end(),
                                    [&](const Span& each) { return each.contains(at); });
      if (!keep && text_[at] != '\n') text_[at] = ' ';
    }
  }
  for (const Span& each : kept) text_[place_behind(each)] = ';';
}

bool SourceText::replace(const Span& span, std::string_view words) {
  for (size_t line = line_of(span.begin); line >= 1 && line <= lines_.size(); ++line) {
    const size_t begin = std::max(lines_[line - 1].begin, span.begin);
    if (begin >= span.end) break;
    const size_t end = std::min(text_.find('\n', begin), span.end);
    if (lines_[line - 1].marker || end - begin < words.size()) continue;
    blank(span);
    text_.replace(begin, words.size(), words);
    return true;
  }
  return false;
}

// What was kept may end its line, whose end stays, and linemarkers may follow.
size_t SourceText::place_behind(const Span& kept) const {
  size_t at = kept.end;
  while (at < text_.size() && text_[at] == '\n') {
    const size_t next = line_of(++at);
    if (next != 0 && lines_[next - 1].begin == at && lines_[next - 1].marker)
      at = std::min(text_.find('\n', at), text_.size());
  }
  return at;
}

void SourceText::remove_body(const Declaration& function) {
  const Span braces{function.body.begin - 1, function.body.end + 1};
  blank(braces);
  text_[braces.begin] = ';';
}

SourceText SourceText::with_insertions(const SourceText& from, const std::vector<size_t>& places,
                                       const std::string& words) {
  std::string text;
  size_t done = 0;
  for (const size_t place : places) {
    text.append(from.text_, done, place - done).append(words);
    done = place;
  }
  return SourceText(text.append(from.text_, done));
}

}  // namespace gvp::kcc
