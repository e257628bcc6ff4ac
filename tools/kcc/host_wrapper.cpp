// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/host_wrapper.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "models/base/error.h"
#include "tools/kcc/front_end/launch_brackets.h"
#include "tools/kcc/host_text.h"
#include "tools/kcc/source_tokens.h"

namespace gvp::kcc {
namespace {

// A string literal of C, a line of it for each line of the text.
std::string literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n\"\n\"";
    else
      result += c;
  }
  return result + "\"";
}

class Wrapper {
 public:
  Wrapper(const std::string& file, const std::string& source)
      : file_(file), source_(source), tokens_(tokens_of(source)) {}

  std::string run(const std::string& cubin) {
    find_kernels();
    for (size_t i = 0; i < tokens_.size();) i = declaration(i);
    return begin(cubin) + body_ + "\n" + (main_ ? kMain : "");
  }

 private:
  static constexpr const char* kMain =
      "#undef main\nint main(void) {\n  static char name[] = \"program\";\n"
      "  static char* arguments[] = {name, 0};\n  return cuda_main(1, arguments);\n}\n";

  std::string begin(const std::string& cubin) const {
    return "/* Made by kcc --host-wrapper of " + file_ + " */\n#include \"cuda/cuda_runtime.h\"\n" +
           "static const char cuda_image[] =\n" + literal(cubin) + ";\n" +
           "static struct cuda_module cuda_module __attribute__((unused)) = {cuda_image, sizeof "
           "cuda_image - 1, 0, 0};\n" +
           (main_ ? "#define main cuda_main\nint main(int count, char** words);\n" : "") +
           position(1);
  }

  std::string position(uint32_t line) const {
    return "#line " + std::to_string(line) + " " + literal(file_) + "\n";
  }

  [[noreturn]] void refuse(const Token& token, const std::string& what,
                           const std::string& remedy) const {
    throw bad_input("--host-wrapper: " + what, {file_, token.line, 0}, remedy);
  }

  bool at(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].is(text);
  }

  // The last token of the declaration that begins at i.
  size_t end_of_declaration(size_t i) const {
    bool value = false;
    for (size_t j = i; j < tokens_.size(); ++j) {
      if (at(j, ";")) return j;
      if (at(j, "=")) value = true;
      const bool body = at(j, "{") && !value && j > i && (at(j - 1, ")") || at(j - 1, "const"));
      if (at(j, "(") || at(j, "[") || at(j, "{")) {
        j = closing(tokens_, j);
        if (j >= tokens_.size()) refuse(tokens_[i], "a bracket is not closed", "");
        if (body) return j;  // a function
      }
    }
    return tokens_.size() - 1;
  }

  // Before the body, the value or the end; brackets left out.
  bool head_has(size_t begin, size_t end, std::string_view word) const {
    for (size_t j = begin; j <= end && !at(j, "{") && !at(j, "=") && !at(j, ";"); ++j) {
      if (at(j, word)) return true;
      if (at(j, "(")) j = closing(tokens_, j);
    }
    return false;
  }

  bool has(size_t begin, size_t end, std::string_view word) const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                       [&](const Token& token) { return token.is(word); });
  }

  // The bracket before a function's parameters; 0 if the declaration is none of a function.
  size_t parameters_of(size_t begin, size_t end) const {
    for (size_t j = begin; j <= end && !at(j, "{") && !at(j, "=") && !at(j, ";"); ++j) {
      if (!at(j, "(")) continue;
      const bool attribute = j > begin && (at(j - 1, "__launch_bounds__") ||
                                           at(j - 1, "__align__") || at(j - 1, "__attribute__"));
      if (!attribute && j > begin && tokens_[j - 1].kind == Token::Kind::kWord) return j;
      j = closing(tokens_, j);
    }
    return 0;
  }

  void find_kernels() {
    for (size_t i = 0; i < tokens_.size();) {
      if (tokens_[i].kind == Token::Kind::kDirective) {
        ++i;
        continue;
      }
      const size_t end = end_of_declaration(i);
      const size_t bracket = parameters_of(i, end);
      if (bracket != 0 && head_has(i, end, "__global__"))
        kernels_.insert(std::string(tokens_[bracket - 1].text));
      if (bracket != 0 && at(bracket - 1, "main"))
        main_ = !at(bracket + 1, ")") && !at(bracket + 1, "void");
      i = end + 1;
    }
  }

  size_t declaration(size_t i) {
    keep_space_before(i);
    if (tokens_[i].kind == Token::Kind::kDirective) {
      directive(tokens_[i]);
      return i + 1;
    }
    const size_t end = end_of_declaration(i);
    if (at(i, "extern") && i + 2 < tokens_.size() && tokens_[i + 1].kind == Token::Kind::kText &&
        at(i + 2, "{"))
      refuse(tokens_[i], "extern \"C\" with a block", "write it before each declaration");
    if (const size_t word = texture_at(i, end); word != end) {
      textures(word, end);
      return end + 1;
    }
    const bool device = head_has(i, end, "__device__") || head_has(i, end, "__constant__") ||
                        head_has(i, end, "__shared__");
    if (has(i, end, "template") || at(i, "template")) {
      if (head_has(i, end, "__global__"))
        refuse(tokens_[i], "a kernel that is a template",
               "give it the types that it is launched with");
      if (!head_has(i, end, "__device__"))
        refuse(tokens_[i], "a template in host code", "write it in C");
      blank(i, end);
    } else if (head_has(i, end, "__global__")) {
      kernel(i, end);
    } else if (device && (parameters_of(i, end) != 0 || head_has(i, end, "__shared__"))) {
      if (head_has(i, end, "__host__"))
        keep(i, end);
      else
        blank(i, end);
    } else if (device) {
      const bool local = head_has(i, end, "static") || head_has(i, end, "extern");
      body_ += local ? "__attribute__((unused)) " : "static __attribute__((unused)) ";
      keep(i, end);  // for its size
    } else {
      structure_or_other(i, end);
    }
    return end + 1;
  }

  // The word "texture" of a declaration of some; its end if it is another.
  size_t texture_at(size_t i, size_t end) const {
    size_t word = i;
    while (word < end && (at(word, "static") || at(word, "extern") || at(word, "const"))) ++word;
    return at(word, "texture") && at(word + 1, "<") ? word : end;
  }

  std::string text_of(size_t begin, size_t end) const {
    return source_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin);
  }

  // The parts between `begin` and `end` that commas divide.
  std::vector<std::string> parts(size_t begin, size_t end) const {
    std::vector<std::string> result;
    for (size_t i = begin, from = begin; i <= end; ++i) {
      if (i < end && at(i, "(")) i = closing(tokens_, i);
      if (i < end && !at(i, ",")) continue;
      if (i > from) result.push_back(text_of(from, i));
      from = i + 1;
    }
    return result;
  }

  // texture<Type, dimensions, mode> name(normalised, filter, address), name...
  void textures(size_t word, size_t end) {
    size_t close = word + 2;
    while (close < end && !at(close, ">")) ++close;
    if (close >= end || close == word + 2)
      refuse(tokens_[word], "a texture is texture<type, dimensions, mode> name", "");
    const std::vector<std::string> arguments = parts(word + 2, close);
    if (arguments.empty()) refuse(tokens_[word], "a texture without a type", "texture<float> name");
    if (arguments.size() > 1 && (arguments[1] == "3" || arguments[1] == "cudaTextureType3D"))
      refuse(tokens_[word], "a texture of three dimensions", "write it as one of two");
    for (size_t i = close + 1; i < end; ++i) {
      if (tokens_[i].kind != Token::Kind::kWord || at(i, "static"))
        refuse(tokens_[i], "a texture is texture<type, dimensions, mode> name", "");
      const std::string name(tokens_[i].text);
      std::vector<std::string> values;
      if (at(i + 1, "(")) {
        const size_t last = closing(tokens_, i + 1);
        values = parts(i + 2, last);
        i = last;
      }
      const std::string defaults[] = {"0", "cudaFilterModePoint", "cudaAddressModeClamp"};
      std::string texture = " static __attribute__((unused)) textureReference ";
      texture.append(name).append(" = CUDA_TEXTURE(").append(name).append(", ");
      texture += arguments[0];
      for (size_t n = 0; n < std::size(defaults); ++n)
        texture.append(", ").append(n < values.size() ? values[n] : defaults[n]);
      body_ += texture + ");";
      ++i;
      if (i < end && !at(i, ",")) refuse(tokens_[i], "a texture has a constructor or nothing", "");
    }
    blank(word, end);
  }

  void structure_or_other(size_t i, size_t end) {
    const bool structure = (at(i, "struct") || at(i, "union")) && at(i + 2, "{");
    if (!structure) return keep(i, end);
    // With functions it can only be for the device.
    if (has(i, end, "(")) return blank(i, end);
    body_ += "typedef " + std::string(tokens_[i].text) + " " + std::string(tokens_[i + 1].text) +
             " " + std::string(tokens_[i + 1].text) + "; ";
    keep(i, end);
  }

  void directive(const Token& token) {
    const std::string text(token.text);
    if (text.find("<<<") != std::string::npos)
      refuse(token, "a launch in a macro", "write it where the macro is used");
    if (text.find("include") != std::string::npos) {
      for (const char* library : {"cutil.h", "cutil_inline.h"}) {
        if (text.find(library) == std::string::npos) continue;
        body_ += "#include \"cuda/cutil.h\"";
        return;
      }
      for (const char* ours :
           {"cuda", "cutil", "helper_", "device_launch_parameters", "vector_types"})
        if (text.find(ours) != std::string::npos) return;
      for (const char* kind : {".cu\"", ".cuh\"", ".cu>", ".cuh>"})
        if (text.find(kind) != std::string::npos)
          refuse(token, "kernels in a file of their own", "put them into this one");
      const size_t open = text.find('<');
      if (open != std::string::npos && text.find(".h", open) == std::string::npos)
        refuse(token, "a header of C++, " + text.substr(open), "write the host part in C");
    }
    body_ += text;
  }

  void keep_space_before(size_t i) {
    const size_t from = i == 0 ? 0 : tokens_[i - 1].end;
    const std::string_view space = std::string_view(source_).substr(from, tokens_[i].begin - from);
    body_.append(static_cast<size_t>(std::count(space.begin(), space.end(), '\n')), '\n');
    body_ += ' ';
  }

  void blank(size_t begin, size_t end) {
    const std::string_view text = std::string_view(source_).substr(
        tokens_[begin].begin, tokens_[end].end - tokens_[begin].begin);
    body_.append(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
  }

  void keep(size_t begin, size_t end) {
    const size_t open = parameters_of(begin, end);
    if (open != 0 && at(open + 1, ")")) {  // in C++ that is none
      body_ += host_text(file_, source_, tokens_, begin, open + 1, kernels_) + "void";
      begin = open + 1;
    }
    body_ += host_text(file_, source_, tokens_, begin, end + 1, kernels_);
  }

  // A function that packs the parameters as the machine has them, in words.
  void kernel(size_t begin, size_t end) {
    const size_t open = parameters_of(begin, end);
    if (open == 0) refuse(tokens_[begin], "__global__ is for functions", "");
    const std::string name(tokens_[open - 1].text);
    const size_t close = closing(tokens_, open);
    std::string declarations;
    std::string packing;
    size_t from = open + 1;
    for (size_t i = from; i <= close; ++i) {
      if (at(i, "(") && i != open) i = closing(tokens_, i);
      if (!at(i, ",") && i != close) continue;
      if (i > from && !(i == from + 1 && at(from, "void")))
        parameter(from, i, declarations, packing);
      from = i + 1;
    }
    const uint32_t after = tokens_[end].line;
    const std::string head = "\nstatic __attribute__((unused)) cudaError_t " + name +
                             "__launch(struct cuda_configuration cuda_configuration" +
                             declarations + ")";
    if (at(end, ";")) {
      body_ += head + ";\n" + position(after);
      return;
    }
    body_ += head + " {\n  struct cuda_arguments cuda_arguments = {.count = 0};\n" + packing +
             "  return cuda_launch(&cuda_module, \"" + name +
             "\", cuda_configuration, &cuda_arguments);\n}\n" + position(after);
  }

  void parameter(size_t begin, size_t end, std::string& declarations, std::string& packing) const {
    bool pointer = false;
    size_t name = end;
    for (size_t i = begin; i < end; ++i) {
      if (at(i, "&"))
        refuse(tokens_[i], "a kernel's parameter that is a reference", "pass a pointer");
      if (at(i, "="))
        refuse(tokens_[i], "a kernel's parameter with a default", "give it at launches");
      pointer |= at(i, "*") || at(i, "[");
      if (tokens_[i].kind == Token::Kind::kWord && !at(i, "const") && !at(i, "__restrict__") &&
          (name == end || !at(name + 1, "[")))
        name = i;
    }
    if (name == begin || name == end)
      refuse(tokens_[begin], "a kernel's parameter without a name", "name it");
    const std::string word(tokens_[name].text);
    declarations += ", " + text_of(begin, end);
    packing += pointer
                   ? "  cuda_add_pointer(&cuda_arguments, " + word + ");\n"
                   : "  cuda_add_argument(&cuda_arguments, &" + word + ", sizeof " + word + ");\n";
  }

  const std::string& file_;
  const std::string& source_;
  std::vector<Token> tokens_;
  std::set<std::string> kernels_;
  std::string body_;
  bool main_ = false;  // takes arguments, which the board has none of
};

}  // namespace

std::string host_wrapper(const std::string& file, const std::string& source,
                         const std::string& cubin) {
  const std::string whole = with_whole_launch_brackets(source);
  return Wrapper(file, whole).run(cubin);
}

}  // namespace gvp::kcc
