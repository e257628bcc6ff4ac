// SPDX-License-Identifier: Apache-2.0
// The translator of a build without AsmJit, or for a processor other than x86-64: there is none.
#include "models/base/error.h"
#include "models/host/jit/translator.h"

namespace gvp::host {

class CodeArena {};
class Emitter {};
struct CommonWaysOut {};
struct Stubs {};
struct TranslatedBlock {};

bool Translator::available() { return false; }

Translator::Translator(Engine& engine) : engine_(engine) {
  throw bad_input("this build cannot translate the MicroBlaze's code", {},
                  "set host.engine = \"interpreter\", or build for x86-64 with AsmJit "
                  "(Debian package libasmjit-dev)");
}
Translator::~Translator() = default;

// Never called, because no Translator exists.
void Translator::adopt(Block&) {}
void Translator::forget(Block&) {}
void Translator::translate(Block&) {}
const Translator::Left& Translator::run(Block&) { return left_; }

}  // namespace gvp::host
