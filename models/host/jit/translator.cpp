// SPDX-License-Identifier: Apache-2.0
#include "models/host/jit/translator.h"

#include "models/host/jit/code_arena.h"
#include "models/host/jit/emitter.h"

namespace gvp::host {
namespace {

// What Stubs::enter returns, in two registers.
struct Returned {
  const WayOut* way_out;
  Block* block;
};
using Enter = Returned (*)(uint32_t* registers, const void* code);

}  // namespace

bool Translator::available() { return true; }

Translator::Translator(Engine& engine)
    : engine_(engine),
      arena_(std::make_unique<CodeArena>(engine.configuration_.jit_code_bytes)),
      ways_out_(std::make_unique<CommonWaysOut>()),
      stubs_(std::make_unique<Stubs>()) {
  // The look-up in translated code knows both.
  static_assert(sizeof(Engine::JumpEntry) == 16 && Engine::kJumpEntries == 4096);
  static_assert(Engine::kRecent == 64);
  const auto* origin = reinterpret_cast<const char*>(engine.state_.r.data());
  const auto distance = [&](const auto& member) {
    return static_cast<int32_t>(reinterpret_cast<const char*>(&member) - origin);
  };
  NativeLayout layout;
  layout.carry = distance(engine.state_.carry);
  layout.pc = distance(engine.state_.pc);
  layout.branch_target = distance(engine.state_.branch_target);
  layout.count = distance(engine.count_);
  layout.entered = distance(engine.entered_);
  layout.limit = distance(engine.limit_);
  layout.recent = distance(engine.recent_);
  layout.recent_count = distance(engine.recent_count_);
  layout.fetched = distance(engine.fetched_[0]);
  layout.elsewhere = distance(engine.elsewhere_);
  layout.lanes = distance(engine.lanes_);
  layout.jump_pc = distance(engine.jumps_[0].pc);
  layout.jump_block = distance(engine.jumps_[0].block);
  for (unsigned mode = 0; mode < layout.pages.size(); ++mode)
    layout.pages[mode] = &engine.memory_.page_table(mode).pages();
  emitter_ = std::make_unique<Emitter>(layout);
  make_stubs();
}

Translator::~Translator() = default;

const void* Translator::code(uint32_t position) const { return arena_->code(position); }

void Translator::make_stubs() {
  const auto base = reinterpret_cast<uint64_t>(code(0));
  const Emitter::Code stubs =
      emitter_->stubs(base, *ways_out_, this, &Translator::handle_slowly, *stubs_);
  arena_->append(stubs.bytes, stubs.size);
  stubs_end_ = arena_->used();
}

void Translator::adopt(Block& block) {
  block.heat = engine_.configuration_.jit_threshold;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  block.entry = reinterpret_cast<const void*>(stubs_->block);
}

void Translator::forget(Block& block) {
  TranslatedBlock* translated = block.translated;
  if (translated == nullptr) return;
  translated->alive = false;
  for (Link* link : translated->incoming) arena_->set_jump(link->jump, link->default_target);
  translated->incoming.clear();
  block.translated = nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  block.entry = reinterpret_cast<const void*>(stubs_->block);
}

void Translator::translate(Block& block) {
  auto translated = std::make_unique<TranslatedBlock>();
  translated->block = &block;
  translated->taken.way_out = {WayOut::Kind::kTaken, 0, translated.get()};
  translated->fall.way_out = {WayOut::Kind::kFall, 0, translated.get()};
  translated->operation = {WayOut::Kind::kOperation, 0, translated.get()};
  for (;;) {
    const uint32_t position = arena_->used();
    translated->entry = position;
    const Emitter::Code bytes = emitter_->block(reinterpret_cast<uint64_t>(code(position)),
                                                position, block, *stubs_, *translated);
    if (arena_->append(bytes.bytes, bytes.size)) break;
    flush();
  }
  block.translated = translated.get();
  block.entry = code(translated->entry);
  block.ops[0].code = Engine::handlers()[static_cast<size_t>(MicroOp::translated)];
  blocks_.push_back(std::move(translated));
  ++translations_;
}

// All translated code goes; the blocks are interpreted again until they are hot once more.
void Translator::flush() {
  for (const auto& translated : blocks_) {
    if (!translated->alive) continue;
    Block& block = *translated->block;
    block.translated = nullptr;
    block.ops[0].code = Engine::handlers()[static_cast<size_t>(MicroOp::heat)];
    adopt(block);
  }
  blocks_.clear();
  arena_->shrink(stubs_end_);
  ++flushes_;
}

void Translator::connect(Link& link, TranslatedBlock& to) {
  arena_->set_jump(link.jump, to.entry);
  to.incoming.push_back(&link);
}

// The block at State::pc, unless the run is to be looked at.
Block* Translator::look_up() {
  if (cycles_of(engine_.count_) >= engine_.limit_) return nullptr;
  return engine_.next_block(engine_.state_.pc);
}

// As the interpreter at the end of a block.
Block* Translator::follow(TranslatedBlock& from, Link& link, bool taken) {
  Block& block = *from.block;
  engine_.state_.pc = taken ? block.target : block.next_pc;
  Block* next = look_up();
  if (next == nullptr || !from.alive || !next->kept) return next;
  (taken ? block.taken : block.fall) = next;
  if (next->translated != nullptr) connect(link, *next->translated);
  return next;
}

const Translator::Left& Translator::run(Block& first) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto enter = reinterpret_cast<Enter>(stubs_->enter);
  Block* next = &first;
  while (next->translated != nullptr) {
    const uint32_t recent = engine_.recent_count_;
    const Returned back = enter(engine_.state_.r.data(), code(next->translated->entry));
    // Translated code knows the place in the ring only.
    engine_.recent_count_ = recent + (engine_.recent_count_ - recent) % Engine::kRecent;
    TranslatedBlock* from = back.way_out->owner;
    switch (back.way_out->kind) {
      case WayOut::Kind::kTaken:
        next = follow(*from, from->taken, true);
        break;
      case WayOut::Kind::kFall:
        next = follow(*from, from->fall, false);
        break;
      case WayOut::Kind::kOperation:
        return left_ = {from->block, &from->block->ops[back.way_out->operation],
                        Engine::Exit::kContinue};
      case WayOut::Kind::kIndirect:
        next = look_up();
        break;
      case WayOut::Kind::kBlock:
        next = back.block;
        break;
      case WayOut::Kind::kLeave:
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        return left_ = {nullptr, nullptr,
                        engine_.stalled_ ? Engine::Exit::kStalled : Engine::Exit::kContinue};
    }
    if (next == nullptr) return left_ = {};
  }
  return left_ = {next, nullptr, Engine::Exit::kContinue};
}

bool Translator::handle_slowly(void* self, Block* block, uint32_t operation, uint32_t address) {
  auto& translator = *static_cast<Translator*>(self);
  try {
    return translator.handle(*block, operation, address);
  } catch (...) {
    translator.thrown_ = std::current_exception();
    return true;
  }
}

bool Translator::handle(const Block& block, uint32_t operation, uint32_t address) {
  const Op& op = block.ops[operation];
  const auto next = [&] {
    switch (block.places[operation].op) {
      case MicroOp::idiv:
      case MicroOp::idivu:
        return engine_.divide_exception(block, op);
      case MicroOp::fpu:
        return engine_.fpu_slow(block, op);
      case MicroOp::system:
        return engine_.system_slow(block, op);
      case MicroOp::raise:
        return engine_.raise_slow(block, op);
      case MicroOp::prepare_branch:
        return engine_.prepare_branch(block, op);
      case MicroOp::sb_r:
      case MicroOp::sb_i:
      case MicroOp::sh_r:
      case MicroOp::sh_i:
      case MicroOp::sw_r:
      case MicroOp::sw_i:
      case MicroOp::store_r:
      case MicroOp::store_i:
        return engine_.store_slow(block, op, address);
      default:
        return engine_.load_slow(block, op, address);
    }
  }();
  return next == Engine::Next::kLeave;
}

}  // namespace gvp::host
