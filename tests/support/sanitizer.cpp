// SPDX-License-Identifier: Apache-2.0
// Part of every executable built with the address sanitizer.
//
// SystemC tells the sanitizer of switches between its processes' stacks, but gives no bounds (a
// null stack of size 0) when it switches back to the stack of main(), and says nothing when a
// process ends.  The sanitizer then cannot clear the marks of frames that an exception unwinds on
// main()'s stack, and reports errors that are none; and at the end of the program its leak checker
// reads the stack of a process that is no longer mapped ("Tracer caught signal 11").
//
// Nor does SystemC unwind the stacks of processes that wait when the simulation ends: what their
// local variables hold is lost with the stack, which is no leak of ours.  Such stacks are kept, and
// the leak checker looks for pointers there, too.
//
// The functions below stand in front of the sanitizer's, of munmap and of SystemC's, and fill in
// what is missing.
#include <dlfcn.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

namespace {

struct Stack {
  const char* bottom = nullptr;
  size_t size = 0;

  bool holds(const char* address) const { return address >= bottom && address < bottom + size; }
};

Stack stack_of_this_thread() {
  Stack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* bottom = nullptr;
  pthread_attr_getstack(&attributes, &bottom, &stack.size);
  stack.bottom = static_cast<const char*>(bottom);
  pthread_attr_destroy(&attributes);
  return stack;
}

const Stack& main_stack() {
  static const Stack stack = stack_of_this_thread();
  return stack;
}

// Processes' stacks.  Never destroyed: munmap() is called to the very end.
struct Processes {
  std::mutex lock;
  std::map<const char*, size_t> stacks;  // bottom -> size
  std::set<const char*> waiting;         // frames in which a process gave up the processor

  // top: of its stack
  void resumed(const char* top) {
    constexpr std::ptrdiff_t kSavedRegisters = 512;  // bytes at most, from there to the frame
    const std::lock_guard guard(lock);
    const auto frame = waiting.lower_bound(top);
    if (frame != waiting.end() && *frame - top < kSavedRegisters) waiting.erase(frame);
  }
  // Forgets a stack.  False: a process waits on it.
  bool forget(const char* bottom, size_t size) {
    const std::lock_guard guard(lock);
    const auto frame = waiting.lower_bound(bottom);
    if (frame != waiting.end() && *frame < bottom + size) {
      stacks[bottom] = size;
      return false;
    }
    stacks.erase(bottom);
    return true;
  }
};
Processes& processes() {
  static Processes& the_processes = *new Processes;
  return the_processes;
}

template <typename Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool switching = false;

const char* address(const void* pointer) { return static_cast<const char*>(pointer); }

}  // namespace

extern "C" {

void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, size_t size) {
  static const auto next =
      original<void (*)(void**, const void*, size_t)>("__sanitizer_start_switch_fiber");
  if (bottom == nullptr || size == 0) {
    bottom = main_stack().bottom;
    size = main_stack().size;
  }
  const char* const here = address(__builtin_frame_address(0));
  {
    const std::lock_guard guard(processes().lock);
    if (!main_stack().holds(here)) processes().waiting.insert(here);
    if (bottom != main_stack().bottom) processes().stacks[address(bottom)] = size;
  }
  switching = true;
  next(fake_stack_save, bottom, size);
}

void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom, size_t* size) {
  static const auto next =
      original<void (*)(void*, const void**, size_t*)>("__sanitizer_finish_switch_fiber");
  next(fake_stack_save, bottom, size);
  processes().resumed(address(__builtin_frame_address(0)));
  switching = false;
}

// That the program is on main()'s stack again, if it is.
static void tell_of_main_stack() {
  if (switching || !main_stack().holds(address(__builtin_frame_address(0)))) return;
  __sanitizer_start_switch_fiber(nullptr, nullptr, 0);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
}

// Called before every throw.
void __asan_handle_no_return() {
  static const auto next = original<void (*)()>("__asan_handle_no_return");
  tell_of_main_stack();
  next();
}

// SystemC's own, of a process that ends: goes on where the stack pointer `top` was saved.
void* qt_abort(void* helper, void* process, void* argument, void* top);
void* qt_abort(void* helper, void* process, void* argument, void* top) {
  static const auto next = original<void* (*)(void*, void*, void*, void*)>("qt_abort");
  processes().resumed(address(top));
  return next(helper, process, argument, top);
}

int munmap(void* memory, size_t size) {
  static const auto next = original<int (*)(void*, size_t)>("munmap");
  return processes().forget(address(memory), size) ? next(memory, size) : 0;
}
}

namespace {

void prepare_leak_check() {
  constexpr std::ptrdiff_t kSavedRegisters = 256;  // bytes, below the frame
  tell_of_main_stack();
  const std::lock_guard guard(processes().lock);
  for (const auto& [bottom, size] : processes().stacks) {
    const auto frame = processes().waiting.lower_bound(bottom);
    if (frame == processes().waiting.end() || *frame >= bottom + size) continue;
    const char* const first = std::max(*frame - kSavedRegisters, bottom);
    __lsan_register_root_region(first, static_cast<size_t>(bottom + size - first));
  }
}

// Runs before the leak checker, which registered itself earlier.
const int kBeforeLeakCheck = std::atexit(prepare_leak_check);

}  // namespace
