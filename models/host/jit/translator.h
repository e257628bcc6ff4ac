// SPDX-License-Identifier: Apache-2.0
// The dynamic translator: hot blocks become x86-64 machine code (AsmJit emits it).
//
// It shares everything with the interpreter but the fast path of the operations: the decoded
// blocks, their links, the page table, the cycle and instruction counts, the limit that is checked
// at the end of each block, and every slow handler.  So both engines stop at the same places with
// the same counts, and simulated time cannot differ.  What translated code does not do itself it
// leaves to a slow handler (rare operations, accesses off the fast path) or to the interpreter
// (ends of blocks that change the mode, wait, or end the run).
//
// A block is translated when it was executed Configuration::jit_threshold times: its first
// operation, "heat", counts.  Then that operation becomes "translated", which makes the interpreter
// call run().  Translated code stays within translated code until it meets a block that is not.
//
// A build without AsmJit, or for another processor, has translator_unavailable.cpp instead.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/host/engine.h"

namespace gvp::host {

class CodeArena;
class Emitter;
struct CommonWaysOut;
struct Stubs;
struct TranslatedBlock;
struct Link;
struct WayOut;

class Translator {
 public:
  // Whether this build has a translator.
  static bool available();

  // Throws Error where there is none, or where the system refuses executable memory.
  explicit Translator(Engine& engine);
  ~Translator();
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;

  // A block was built.
  void adopt(Block& block);
  // A block was killed: no translated code leads there any more.
  void forget(Block& block);
  // Translates a block; the caller is the interpreter at its beginning.
  void translate(Block& block);

  // Where the interpreter goes on: at an operation of a block, or (operation null) at the beginning
  // of a block, or (block null) nowhere: the run is left with this exit.
  struct Left {
    Block* block = nullptr;
    const Op* operation = nullptr;
    Engine::Exit exit = Engine::Exit::kContinue;
  };
  // Executes translated code from this block on, which is translated.
  const Left& run(Block& block);

  size_t translations() const { return translations_; }  // ever made
  size_t flushes() const { return flushes_; }            // of the whole code memory

 private:
  static bool handle_slowly(void* self, Block* block, uint32_t operation, uint32_t address);
  bool handle(const Block& block, uint32_t operation, uint32_t address);
  Block* follow(TranslatedBlock& from, Link& link, bool taken);
  Block* look_up();
  void connect(Link& link, TranslatedBlock& to);
  void make_stubs();
  void flush();
  const void* code(uint32_t position) const;

  Engine& engine_;
  std::unique_ptr<CodeArena> arena_;
  std::unique_ptr<Emitter> emitter_;
  std::unique_ptr<CommonWaysOut> ways_out_;
  std::unique_ptr<Stubs> stubs_;
  uint32_t stubs_end_ = 0;  // in the arena
  std::vector<std::unique_ptr<TranslatedBlock>> blocks_;
  Left left_;
  std::exception_ptr thrown_;  // by a slow handler: translated code cannot be unwound
  size_t translations_ = 0;
  size_t flushes_ = 0;
};

}  // namespace gvp::host
