// SPDX-License-Identifier: Apache-2.0
#include "platform/tracing.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/rtl/scheduler.h"

namespace gvp::platform {
namespace {

const Log log_trace("trace");

constexpr size_t kFunctions = 4096;  // a power of two

// What a board needs to have such records.
std::string requirement(trace::Subject subject) {
  using trace::Subject;
  switch (subject) {
    case Subject::kFunctions:
    case Subject::kLocal:
      return "they are a host processor's, which gpgpu-run leaves out";
    case Subject::kPins:
      return "they are those of blocks of RTL, such as --model timer=rtl";
    case Subject::kStages:
      return "they are those of an approximately timed GPGPU: --model gpgpu=at";
    case Subject::kBanks:
    case Subject::kAccesses:
      return "they are those of an approximately timed DDR3: --model ddr3=at";
    default:
      return "this board has no device that has them";
  }
}

}  // namespace

Tracing::Tracing(const TraceSettings& settings)
    : recorder_(settings.files, settings.ring), functions_(kFunctions) {}

peripherals::CharacterChannel* Tracing::through(const std::string& device,
                                                peripherals::CharacterChannel* line) {
  has(trace::Subject::kConsole);
  if (line == nullptr || !recorder_.wants(trace::Subject::kConsole)) return line;
  consoles_.push_back(std::make_unique<trace::ConsoleRecorder>(recorder_, device, *line));
  return consoles_.back().get();
}

void Tracing::watch(host::Host& host) {
  host_ = &host;
  has(trace::Subject::kFunctions);
  has(trace::Subject::kLocal);
  program_ = std::make_unique<trace::HostRecorder>(
      recorder_, host.basename(), [&host](uint32_t pc, std::string& name, uint32_t& start) {
        return host.find_function(pc, name, start);
      });
  if (program_->wants() != 0) host.observe(*program_);
}

void Tracing::watch(gpgpu::Device& gpgpu) {
  for (const trace::Subject subject :
       {trace::Subject::kKernels, trace::Subject::kBlocks, trace::Subject::kWarps})
    has(subject);
  if (!gpgpu.stages().empty()) has(trace::Subject::kStages);
  const std::vector<gpgpu::Window> windows = gpgpu.windows();
  const bool block_ram = std::any_of(
      windows.begin(), windows.end(),
      [](const gpgpu::Window& window) { return window.name == "global" && window.size != 0; });
  auto recorder = std::make_unique<trace::GpgpuRecorder>(recorder_, gpgpu.basename(),
                                                         gpgpu.stages(), block_ram);
  gpgpu.observe(*recorder);
  gpgpus_[gpgpu.basename()] = std::move(recorder);
}

void Tracing::watch(ddr3::MemoryController& memory) {
  if (memory.command_period_ps() == 0) return;
  has(trace::Subject::kBanks);
  has(trace::Subject::kAccesses);
  if (!(recorder_.wants(trace::Subject::kBanks) || recorder_.wants(trace::Subject::kAccesses)))
    return;
  banks_.push_back(std::make_unique<trace::BankRecorder>(recorder_, memory.basename(),
                                                         memory.command_period_ps()));
  memory.observe(*banks_.back());
}

std::function<trace::Origin()> Tracing::origin_of(const std::string& device) {
  if (!recorder_.wants_origins()) return {};
  if (const auto gpgpu = gpgpus_.find(device); gpgpu != gpgpus_.end())
    return [recorder = gpgpu->second.get()] { return recorder->origin(); };
  if (host_ == nullptr || device != host_->basename()) return {};
  return [this] {
    const uint32_t pc = host_->program_counter();
    Function& known = functions_[(pc >> 2) & (kFunctions - 1)];
    if (known.pc != pc) known = {pc, recorder_.names().number(host_->function())};
    return trace::Origin{known.name, false};
  };
}

tlm::tlm_initiator_socket<>& Tracing::through(const std::string& port, const std::string& device,
                                              const std::vector<trace::PortRegion>& regions,
                                              tlm::tlm_initiator_socket<>& from) {
  std::vector<trace::Range> wanted = recorder_.wanted(port, regions);
  if (wanted.empty()) return from;
  ports_.push_back(std::make_unique<trace::RecordedPort>(
      ("trace_" + port).c_str(), recorder_, port, regions, std::move(wanted), origin_of(device),
      recorder_.wanted_times(port)));
  from.bind(ports_.back()->target);
  return ports_.back()->initiator;
}

void Tracing::watch_interrupt(const std::string& device, const sc_core::sc_signal<bool>& line) {
  has(trace::Subject::kInterrupts);
  if (!recorder_.wants(trace::Subject::kInterrupts)) return;
  if (!signals_) signals_ = std::make_unique<trace::SignalRecorder>("trace_interrupts", recorder_);
  signals_->watch(device, line);
}

void Tracing::begin() {
  if (!rtl::Scheduler::blocks().empty()) has(trace::Subject::kPins);
  recorder_.check_names();
  recorder_.check_subjects(sources_, requirement);
  if (recorder_.wants(trace::Subject::kPins))
    for (rtl::Block* block : rtl::Scheduler::blocks()) {
      const sc_core::sc_object* device = block->get_parent_object();
      pins_.push_back(std::make_unique<trace::PinRecorder>(
          recorder_, device == nullptr ? block->basename() : device->basename(), *block));
    }
  recorder_.begin([this] { return horizon(); });
}

uint64_t Tracing::horizon() const {
  uint64_t earliest = sc_core::sc_time_stamp().value();
  for (const auto& port : ports_) earliest = std::min(earliest, port->horizon());
  for (const auto& [name, gpgpu] : gpgpus_) earliest = std::min(earliest, gpgpu->horizon());
  for (const auto& pins : pins_) earliest = std::min(earliest, pins->horizon());
  return earliest;
}

void Tracing::end_pins() {
  for (const auto& pins : pins_) pins->end();
}

void Tracing::remove() {
  ports_.clear();
  signals_.reset();
}

void Tracing::flush() {
  recorder_.flush();
  if (const std::string& failure = recorder_.failure(); !failure.empty())
    throw bad_input("the trace cannot be written further", {failure},
                    "make room, or record less: --help and docs/tracing.md say how");
}

void Tracing::close() {
  recorder_.flush();  // the horizon, while what is under way has not ended
  for (const auto& console : consoles_) console->finish();
  for (const auto& port : ports_) port->finish_all();
  if (program_) program_->finish_all(sc_core::sc_time_stamp().value());
  for (const auto& memory : banks_) memory->finish_all(sc_core::sc_time_stamp().value());
  for (const std::string& text : recorder_.never_seen()) log_trace.warning("{}", text);
  const std::string failure = recorder_.close();
  if (!failure.empty())
    throw bad_input("the trace could not be written to its end", {failure},
                    "make room, or record less: --help and docs/tracing.md say how");
}

}  // namespace gvp::platform
