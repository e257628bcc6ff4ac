// SPDX-License-Identifier: Apache-2.0
#include "platform/interruption.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "platform/serial/stdio_line.h"

namespace gvp::platform {
namespace {

// What the handler touches: lock-free atomics and the async-signal-safe requests of the models.
std::atomic<int> arrived{0};
std::atomic<host::Host*> host_to_stop{nullptr};
std::atomic<const std::vector<gpgpu::Device*>*> gpgpus_to_stop{nullptr};
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<host::Host*>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (arrived.exchange(number) != 0) {
    StdioLine::restore_terminal();
    _exit(128 + number);
  }
  if (const auto* gpgpus = gpgpus_to_stop.load())
    for (gpgpu::Device* gpgpu : *gpgpus) gpgpu->request_stop();
  if (auto* host = host_to_stop.load()) host->request_stop();
}

}  // namespace

Interruption::Interruption(host::Host& host, const std::vector<gpgpu::Device*>& gpgpus) {
  arrived = 0;
  host_to_stop = &host;
  gpgpus_to_stop = &gpgpus;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  host_to_stop = nullptr;
  gpgpus_to_stop = nullptr;
}

int Interruption::signal() { return arrived; }

}  // namespace gvp::platform
