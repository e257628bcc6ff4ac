// SPDX-License-Identifier: Apache-2.0
// gvp_rtl_block over a class that Verilator generated (--cc).  Included by generated sources only,
// after the class's own headers; each names its pins.  What Verilator's runtime would end the
// program for ($fatal, a failed assertion, logic that does not settle) becomes an error of eval().
// Not modelled: $finish, which is such an error, too.
#pragma once

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/rtl/block_interface.h"
#include "models/rtl/verilated_output.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#ifdef GVP_RTL_WAVES
#include "verilated_fst_c.h"
#endif

namespace gvp::rtl {

// Root: the class with the state, where all of it is in one; void otherwise.
template <typename Model, typename Root, size_t kPins>
class VerilatedBlock {
 public:
  using Pointers = void (*)(Model&, void* (&)[kPins]);

  VerilatedBlock(const char* instance, uint32_t seed, Pointers pointers) {
    context_.randReset(seed == 0 ? 0 : 2);
    context_.randSeed(static_cast<int>(seed & 0x7fffffff));
#ifdef GVP_RTL_WAVES
    context_.traceEverOn(true);
#endif
    model_ = std::make_unique<Model>(&context_, instance);
    pointers(*model_, pins_);
  }
#if VM_COVERAGE
  // What has been counted goes into a file of its own in the folder $GVP_RTL_COVERAGE_DIR.
  ~VerilatedBlock() {
    const char* folder = std::getenv("GVP_RTL_COVERAGE_DIR");
    if (folder == nullptr) return;
    context_.coveragep()->write(coverage_file(folder).c_str());
  }
#endif
  int eval() {
    try {
      model_->eval();
      return 0;
    } catch (const std::exception& error) {
      error_ = verilated_output() + error.what();
      verilated_output().clear();
      return 1;
    }
  }

  static void destroy(void* self) {
    auto* block = static_cast<VerilatedBlock*>(self);
    // A model takes its scopes off the thread's context, which is that of the block evaluated last:
    // it may have gone.
    Verilated::threadContextp(&block->context_);
    delete block;
  }
  static void* pin_data(void* self, size_t pin) {
    return static_cast<VerilatedBlock*>(self)->pins_[pin];
  }
  static int eval_model(void* self) { return static_cast<VerilatedBlock*>(self)->eval(); }
  static const char* error(void* self) {
    return static_cast<VerilatedBlock*>(self)->error_.c_str();
  }
  static const char* output(void* self) {
    if (verilated_output().empty()) return "";
    auto& block = *static_cast<VerilatedBlock*>(self);
    block.output_.swap(verilated_output());
    verilated_output().clear();
    return block.output_.c_str();
  }
  static const void* state(void* self, size_t* bytes) {
    if constexpr (std::is_void_v<Root>) {
      *bytes = 0;
      return nullptr;
    } else {
      *bytes = sizeof(Root);
      return static_cast<VerilatedBlock*>(self)->model_->rootp;
    }
  }
#ifdef GVP_RTL_WAVES
  static int wave_open(void* self, const char* file) {
    auto& block = *static_cast<VerilatedBlock*>(self);
    constexpr int kAllLevels = 99;
    block.wave_ = std::make_unique<VerilatedFstC>();
    block.model_->trace(block.wave_.get(), kAllLevels);
    block.wave_->set_time_resolution("1ps");
    block.wave_->open(file);
    if (block.wave_->isOpen()) return 0;
    block.error_ = "cannot write the waveforms";
    return 1;
  }
  static void wave_dump(void* self, uint64_t picoseconds) {
    static_cast<VerilatedBlock*>(self)->wave_->dump(picoseconds);
  }
  static void wave_close(void* self) {
    auto& block = *static_cast<VerilatedBlock*>(self);
    if (block.wave_) block.wave_->close();
    block.wave_.reset();
  }
#else
  static constexpr int (*wave_open)(void*, const char*) = nullptr;
  static constexpr void (*wave_dump)(void*, uint64_t) = nullptr;
  static constexpr void (*wave_close)(void*) = nullptr;
#endif

 private:
  VerilatedContext context_;
  std::unique_ptr<Model> model_;
#ifdef GVP_RTL_WAVES
  std::unique_ptr<VerilatedFstC> wave_;  // goes before the model
#endif
  void* pins_[kPins] = {};
  std::string error_, output_;
};

}  // namespace gvp::rtl
