// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/host_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "models/base/nearest.h"
#include "tools/kcc/front_end/diagnostics.h"

namespace gvp::kcc {
namespace {

// Of a function: after so many rounds with errors its whole body goes.
constexpr unsigned kMostRounds = 4;
// Of the whole: each takes something out, so this is for texts that are no CUDA C at all.
constexpr unsigned kMostPasses = 60;
// Letters of a word of CUDA's.
constexpr unsigned kMostMisspelled = 2;

// Textures are variables of the device without saying so; ours lie in constant memory.
SourceText with_textures(const SourceText& text) {
  std::vector<size_t> places;
  for (const Declaration& each : text.declarations())
    if (each.texture) places.push_back(each.all.begin);
  if (places.empty()) return text;
  return SourceText::with_insertions(text, places, "__attribute__((constant)) ");
}

}  // namespace

HostCode::HostCode(const Clang& clang, const std::string& preprocessed)
    : clang_(clang),
      text_(with_textures(SourceText(preprocessed))),
      rounds_(text_.declarations().size(), 0) {}

void HostCode::clean() {
  Outcome checked = check();
  note_misspelled(checked);
  for (unsigned round = 0; round < kMostRounds && declare_unknown_types(checked); ++round)
    checked = check();
  for (unsigned round = 0; round < kMostRounds && qualify_ambiguous_names(checked); ++round)
    checked = check();
  for (unsigned pass = 0; pass < kMostPasses && add_missing_words(checked); ++pass)
    checked = check();
  for (unsigned pass = 0; pass < kMostPasses && share_with_device(checked); ++pass)
    checked = check();
  for (unsigned pass = 0; pass < kMostPasses && clean_once(checked); ++pass) checked = check();
  declarations_ = declarations_in(checked.messages);
}

void HostCode::note_misspelled(const Outcome& checked) {
  static const std::vector<std::string> kWords{
      "__global__", "__device__",      "__constant__", "__shared__",
      "__host__",   "__forceinline__", "__noinline__", "__launch_bounds__"};
  misspelled_.clear();
  if (checked.good()) return;
  for (const Diagnostic& error : errors_in(checked.messages)) {
    const std::string name = unknown_type(error);
    if (name.empty() || name[0] != '_') continue;
    const std::string meant = nearest(name, kWords);
    if (meant.empty() || edit_distance(name, meant) > kMostMisspelled) continue;
    const std::string where = text_.place_of(text_.offset(error.place.line, error.place.column));
    misspelled_.push_back(
        fmt::format("{}: error: {}; did you mean '{}'?", where, error.text, meant));
  }
}

// Whether the device's code names a type, or one that contains it.
bool HostCode::device_sees(const std::string& type, std::set<std::string>& seen) const {
  if (!seen.insert(type).second) return false;
  const auto& all = text_.declarations();
  return std::any_of(all.begin(), all.end(), [&](const Declaration& each) {
    const bool defines = each.type || text_.is_alias(each);
    if ((!each.device && !defines) || !text_.has_word(each.all, type)) return false;
    if (each.device) return true;
    const auto names = text_.type_names(each);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return device_sees(name, seen); });
  });
}
bool HostCode::device_sees(const std::string& type) const {
  std::set<std::string> seen;
  return device_sees(type, seen);
}

// Whether without this declaration a type that the device sees would have another layout.
bool HostCode::is_member_for_device(const Declaration& member) const {
  if (member.function || member.type || !member.name.empty()) return false;
  const auto& all = text_.declarations();
  return std::any_of(all.begin(), all.end(), [&](const Declaration& each) {
    if (!each.type || &each == &member || !each.all.contains(member.all.begin)) return false;
    const auto names = text_.type_names(each);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return device_sees(name); });
  });
}

// A type of a header that is not there would take whole functions with it, and their launches.
bool HostCode::declare_unknown_types(const Outcome& checked) {
  if (checked.good() || text_.declarations().empty()) return false;
  std::string stubs;
  for (const Diagnostic& error : errors_in(checked.messages)) {
    const std::string name = unknown_type(error);
    const size_t at = text_.offset(error.place.line, error.place.column);
    if (name.empty() || host_declaration(at) == nullptr || device_sees(name)) continue;
    if (!declared_.insert(name).second) continue;
    // With bodies: of functions that are only declared clang asks that their types have names.
    stubs.append("struct ").append(name).append(" { template <class... A> ").append(name);
    stubs += "(A...) {} template <class T> operator T() { __builtin_unreachable(); } }; ";
  }
  if (stubs.empty()) return false;
  text_ = SourceText::with_insertions(text_, {text_.declarations().front().all.begin},
                                      "extern \"C++\" { " + stubs + "} ");
  rounds_.assign(text_.declarations().size(), 0);
  return true;
}

// A program that uses all of namespace std had names of its own that later headers have there, too.
bool HostCode::qualify_ambiguous_names(const Outcome& checked) {
  if (checked.good()) return false;
  std::set<size_t> places;
  for (const Diagnostic::Place& place : ambiguous_globals(checked.messages)) {
    const size_t at = text_.offset(place.line, place.column);
    if (!text_.in_system_header(at)) places.insert(at);
  }
  return insert(places, "::");
}

// Words that say what a name in a template is, which compilers found out where it is instantiated.
bool HostCode::add_missing_words(const Outcome& checked) {
  if (checked.good()) return false;
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"missing 'typename' prior to dependent type name ", "typename "},
      {"missing 'template' keyword prior to dependent template name ", "template "},
      {"use 'template' keyword to treat ", "template "}};
  for (const auto& [error_begins, word] : kWords) {
    std::set<size_t> places;
    for (const Diagnostic& error : errors_in(checked.messages)) {
      const size_t at = text_.offset(error.place.line, error.place.column);
      if (error.text.rfind(error_begins, 0) == 0 && !text_.in_system_header(at)) places.insert(at);
    }
    if (insert(places, word)) return true;
  }
  return false;
}

bool HostCode::insert(const std::set<size_t>& places, const std::string& words) {
  if (places.empty()) return false;
  text_ = SourceText::with_insertions(text_, {places.begin(), places.end()}, words);
  rounds_.assign(text_.declarations().size(), 0);
  return true;
}

// Of a function that is shared all declarations are to say so.
bool HostCode::is_shared_with_device(const Declaration& declaration,
                                     const std::set<std::string>& names) const {
  return names.count(declaration.name) != 0 && !declaration.device && !declaration.type &&
         !declaration.texture && !text_.in_system_header(declaration.all.begin);
}

// Marks what the device calls as its own, too.  False when there is nothing left to mark.
bool HostCode::share_with_device(const Outcome& checked) {
  if (checked.good()) return false;
  std::set<size_t> places;
  std::set<std::string> names;
  for (const Diagnostic::Place& place : host_functions_called(checked.messages)) {
    const size_t at = text_.offset(place.line, place.column);
    const Declaration* declaration = text_.declaration_at(at);
    if (declaration == nullptr || declaration->device || declaration->type ||
        text_.in_system_header(at))
      continue;
    if (!places.insert(text_.specifiers_of(*declaration)).second) continue;
    const bool is_operator = declaration->name.empty() || declaration->name == "operator";
    shared_.push_back(
        {text_.place_of(at), is_operator ? "an operator" : "'" + declaration->name + "'"});
    if (!is_operator) names.insert(declaration->name);
  }
  if (places.empty()) return false;
  for (const Declaration& each : text_.declarations())
    if (is_shared_with_device(each, names)) places.insert(text_.specifiers_of(each));
  return insert(places, "__attribute__((host)) __attribute__((device)) ");
}

// False when there is nothing left to take out.
bool HostCode::clean_once(const Outcome& checked) {
  if (checked.good()) return false;
  const std::string before = text_.text();
  bool changed = false;
  std::set<const Declaration*> touched;
  new_heads_.clear();
  for (const Diagnostic& error : errors_in(checked.messages)) {
    // Where it is, or what asked for it: an error in a header of the system may be the host's.
    std::vector<Diagnostic::Place> places{error.place};
    places.insert(places.end(), error.through.begin(), error.through.end());
    for (const Diagnostic::Place& place : places) {
      const size_t at = text_.offset(place.line, place.column);
      if (text_.in_system_header(at)) continue;
      const Declaration* declaration = host_declaration(at);
      if (declaration == nullptr) break;
      if (touched.insert(declaration).second)
        ++rounds_[static_cast<size_t>(declaration - text_.declarations().data())];
      changed |= remove_host(at, error.text);
      break;
    }
  }
  return changed && text_.text() != before;
}

// The declaration around a place, if it and all around it are the host's to leave out.
const Declaration* HostCode::host_declaration(size_t at) const {
  const Declaration* declaration = text_.declaration_at(at);
  if (declaration == nullptr || declaration->device || declaration->texture) return nullptr;
  // Without a specialisation another template would take its place.
  if (declaration->type && declaration->is_template) return nullptr;
  return is_member_for_device(*declaration) ? nullptr : declaration;
}

bool HostCode::remove_host(size_t at, const std::string& reason) {
  if (at >= text_.text().size() || text_.text()[at] == ' ') return false;  // gone already
  const Declaration& declaration = *host_declaration(at);
  // What else is not understood of it may be so no more.
  if (new_heads_.count(declaration.body.begin) != 0) return false;
  if (!declaration.function || !declaration.body.contains(at)) {
    if (keep_body(declaration)) {
      new_heads_.insert(declaration.body.begin);
      left_out_.push_back({text_.place_of(at), reason});
    } else {
      remove(declaration.all, at, reason);
    }
    return true;
  }
  const unsigned rounds = rounds_[static_cast<size_t>(&declaration - text_.declarations().data())];
  const Span statement = text_.statement_at(declaration, at);
  if (rounds > kMostRounds || statement.empty()) {
    if (rounds > kMostRounds + 1) {
      remove(declaration.all, at, reason);
    } else {
      remove(declaration.body, at, reason);
    }
    return true;
  }
  // The variable may be what a launch is given.
  const Span value = text_.value_at(statement, at);
  const bool alone = !value.empty() && text_.template_launches(value).empty() &&
                     text_.plain_launches(value).empty();
  remove(alone ? value : statement, at, reason);
  return true;
}

// Of a function that launches instances, whose head is not understood, the body stays, and what is
// not understood in there goes by and by.
bool HostCode::keep_body(const Declaration& function) {
  constexpr std::string_view kName = "void kcc_body_";
  if (!function.function || function.is_template) return false;
  const Span head{function.all.begin, function.body.begin - 1};
  if (text_.template_launches(function.body).empty() ||
      std::string_view(text_.text()).substr(head.begin, head.end - head.begin).find(kName) !=
          std::string_view::npos)
    return false;
  return text_.replace(head, std::string(kName) + std::to_string(left_out_.size()) + "() ");
}

bool HostCode::is_template_kernel(std::string_view name) const {
  const auto& all = text_.declarations();
  return std::any_of(all.begin(), all.end(), [&](const Declaration& each) {
    return each.kernel && each.is_template && each.name == name;
  });
}

void HostCode::remove(const Span& span, size_t at, const std::string& reason) {
  // Outside of functions a launch is nothing.
  const Declaration* around = text_.declaration_at(span.begin);
  const bool inside = around != nullptr && around->function && around->body.contains(span.begin);
  auto kept = text_.template_launches(span);
  for (const std::string& name : text_.plain_launches(span))
    if (is_template_kernel(name)) lost_launches_.push_back(text_.place_of(span.begin));
  if (!inside) {
    for (const Span& each : kept) {
      const std::string_view launch =
          std::string_view(text_.text()).substr(each.begin, each.end - each.begin);
      const std::string_view name = launch.substr(0, launch.find_first_of("< \n"));
      if (is_template_kernel(name.substr(name.rfind(':') + 1)))
        lost_launches_.push_back(text_.place_of(each.begin));
    }
    kept.clear();
  }
  left_out_.push_back({text_.place_of(at), reason});
  text_.blank(span, kept);
}

void HostCode::refuse_broken_functions() {
  for (unsigned pass = 0; pass < kMostPasses && refuse_broken_function(); ++pass) clean();
}

// The class around a place, or else the function, if no code of the device outside of it has its
// name.  Without a name there is no telling.
const Declaration* HostCode::unneeded_around(size_t at) const {
  const auto& all = text_.declarations();
  const Declaration* outermost = nullptr;
  for (const Declaration& each : all) {
    const bool candidate = each.type || (each.device && !each.kernel);
    if (!candidate || !each.all.contains(at)) continue;
    if (outermost == nullptr || each.all.contains(outermost->all.begin)) outermost = &each;
  }
  if (outermost == nullptr || text_.in_system_header(at)) return nullptr;
  auto names =
      outermost->type ? text_.type_names(*outermost) : std::vector<std::string>{outermost->name};
  // The others are those of the classes that it is made from.
  if (!names.empty() && !text_.is_alias(*outermost)) names.resize(1);
  const bool named = std::any_of(all.begin(), all.end(), [&](const Declaration& each) {
    if (!each.device || outermost->all.contains(each.all.begin)) return false;
    if (text_.in_system_header(each.all.begin)) return false;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return text_.has_word(each.all, name); });
  });
  const bool nameless = names.empty() || names.front().empty() || names.front() == "operator";
  return named || nameless ? nullptr : outermost;
}

// A function's place among those of its name stays, so that no other is taken for it.
bool HostCode::refuse_broken_function() {
  const Outcome outcome = check();
  if (outcome.good()) return false;
  for (const Diagnostic& error : errors_in(outcome.messages)) {
    const size_t at = text_.offset(error.place.line, error.place.column);
    const Declaration* function = text_.declaration_at(at);
    if (function == nullptr || text_.text()[at] == ' ') continue;
    const bool inside = function->device && !function->kernel && function->body.contains(at) &&
                        !text_.in_system_header(at);
    if (inside && !text_.has_word(function->body, "kcc_refuse_unknown_name")) {
      refused_.push_back({text_.place_of(at), error.text});
      const size_t begin = function->body.begin;
      text_.blank(function->body);
      text_ = SourceText::with_insertions(text_, {begin},
                                          "kcc_refuse_unknown_name(); __builtin_unreachable(); ");
      rounds_.assign(text_.declarations().size(), 0);
      return true;
    }
    if (const Declaration* declaration = inside ? nullptr : unneeded_around(at)) {
      unneeded_.push_back({text_.place_of(at), error.text});
      text_.blank(declaration->all);
      return true;
    }
  }
  return false;
}

std::vector<std::string> HostCode::remove_broken_kernels() {
  std::vector<std::string> names;
  for (unsigned pass = 0; pass < kMostPasses; ++pass) {
    const Outcome outcome = check();
    if (outcome.good()) break;
    bool changed = false;
    for (const Diagnostic& error : errors_in(outcome.messages)) {
      const size_t at = text_.offset(error.place.line, error.place.column);
      const Declaration* declaration = text_.declaration_at(at);
      if (declaration == nullptr || !declaration->function || text_.in_system_header(at)) continue;
      // What is gone already is blank, or ends in a ';' where its body was.
      const char first = text_.text()[declaration->all.begin];
      if (first == ' ' || text_.text()[declaration->body.begin - 1] == ';') continue;
      if (declaration->kernel) names.push_back(declaration->name);
      if (declaration->body.contains(at)) {
        text_.remove_body(*declaration);
      } else {
        text_.blank(declaration->all);
      }
      changed = true;
    }
    if (!changed) break;
    clean();
  }
  return names;
}

}  // namespace gvp::kcc
