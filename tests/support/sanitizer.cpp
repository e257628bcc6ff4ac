// SPDX-License-Identifier: Apache-2.0
// Part of every executable built with the address sanitizer.
//
// SystemC tells the sanitizer of switches between its processes' stacks, but gives no bounds (a
// null stack of size 0) when it switches back to the stack of main(), and says nothing when a
// process ends.  The sanitizer then cannot clear the marks of frames that an exception unwinds on
// main()'s stack, and reports errors that are none; and at the end of the program its leak checker
// reads the stack of a process that is no longer mapped ("Tracer caught signal 11").  The functions
// below stand in front of the sanitizer's and fill in what is missing.
#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>
#include <cstdlib>

namespace {

struct Bounds {
  void* bottom = nullptr;
  size_t size = 0;
};

Bounds stack_of_this_thread() {
  Bounds bounds;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
  pthread_attr_getstack(&attributes, &bounds.bottom, &bounds.size);
  pthread_attr_destroy(&attributes);
  return bounds;
}

const Bounds& main_stack() {
  static const Bounds bounds = stack_of_this_thread();
  return bounds;
}

bool on_main_stack() {
  const char here = 0;
  const char* bottom = static_cast<const char*>(main_stack().bottom);
  return &here >= bottom && &here < bottom + main_stack().size;
}

template <typename Function>
Function sanitizers_own(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool switching = false;

}  // namespace

extern "C" {

void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, size_t size) {
  static const auto next =
      sanitizers_own<void (*)(void**, const void*, size_t)>("__sanitizer_start_switch_fiber");
  if (bottom == nullptr || size == 0) {
    bottom = main_stack().bottom;
    size = main_stack().size;
  }
  switching = true;
  next(fake_stack_save, bottom, size);
}

void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom, size_t* size) {
  static const auto next =
      sanitizers_own<void (*)(void*, const void**, size_t*)>("__sanitizer_finish_switch_fiber");
  next(fake_stack_save, bottom, size);
  switching = false;
}

// That the program is on main()'s stack again, if it is.
static void tell_of_main_stack() {
  if (switching || !on_main_stack()) return;
  __sanitizer_start_switch_fiber(nullptr, nullptr, 0);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
}

// Called before every throw.
void __asan_handle_no_return() {
  static const auto next = sanitizers_own<void (*)()>("__asan_handle_no_return");
  tell_of_main_stack();
  next();
}
}

namespace {

// Runs before the leak checker, which registered itself earlier.
const int kBeforeLeakCheck = std::atexit(tell_of_main_stack);

}  // namespace
