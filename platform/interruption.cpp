// SPDX-License-Identifier: Apache-2.0
#include "platform/interruption.h"

#include <unistd.h>

#include <atomic>

#include "platform/serial/stdio_line.h"

namespace gvp::platform {
namespace {

constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum class Phase { kBefore, kRunning, kAfter };

// What the handler touches: lock-free atomics and the async-signal-safe requests of the models.
std::atomic<int> arrived{0};
std::atomic<Phase> phase{Phase::kBefore};
std::atomic<host::Host*> host_to_stop{nullptr};
std::atomic<const std::vector<gpgpu::Device*>*> gpgpus_to_stop{nullptr};
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<Phase>::is_always_lock_free);
static_assert(std::atomic<host::Host*>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (arrived.exchange(number) != 0 || phase.load() == Phase::kBefore) {
    StdioLine::restore_terminal();
    _exit(128 + number);
  }
  if (const auto* gpgpus = gpgpus_to_stop.load())
    for (gpgpu::Device* gpgpu : *gpgpus) gpgpu->request_stop();
  if (auto* host = host_to_stop.load()) host->request_stop();
}

}  // namespace

Interruption::Interruption(host::Host* host, const std::vector<gpgpu::Device*>* gpgpus) {
  const bool runs = host != nullptr || gpgpus != nullptr;
  arrived = 0;
  host_to_stop = host;
  gpgpus_to_stop = gpgpus;
  phase = runs ? Phase::kRunning : Phase::kBefore;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (kSignals[i] != SIGHUP || before_[i].sa_handler != SIG_IGN)
      sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  if (phase == Phase::kRunning) phase = Phase::kAfter;
  host_to_stop = nullptr;
  gpgpus_to_stop = nullptr;
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int Interruption::signal() { return arrived; }

}  // namespace gvp::platform
