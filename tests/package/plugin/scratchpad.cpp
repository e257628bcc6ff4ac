// SPDX-License-Identifier: Apache-2.0
// A plug-in of two device types, as somebody else would write them: a SystemC module with a TLM-2.0
// target socket that knows nothing of gpgpu-vp, and a bus master that tries it out and says in the
// log what it found.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <systemc>
#include <tlm>

#include "models/axi/extension.h"
#include "models/base/log.h"
#include "models/device/device_type.h"
#include "models/device/plugin.h"

namespace {

using namespace gvp;

const Log log_tester("tester");

// Four words, and after them how many accesses had AXI attributes.
class Scratchpad : public sc_core::sc_module {
 public:
  static constexpr uint64_t kBytes = 4096;
  static constexpr uint64_t kAttributes = 16;
  tlm_utils::simple_target_socket<Scratchpad> socket{"socket"};

  explicit Scratchpad(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Scratchpad::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (payload.get_extension<axi::Extension>() != nullptr) ++words_[kAttributes / 4];
    const uint64_t at = payload.get_address();
    if (at % 4 != 0 || payload.get_data_length() != 4 || at >= sizeof words_) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_write())
      std::memcpy(&words_[at / 4], payload.get_data_ptr(), 4);
    else
      std::memcpy(payload.get_data_ptr(), &words_[at / 4], 4);
    delay += sc_core::sc_time(20, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  uint32_t words_[kAttributes / 4 + 1] = {};
};

struct TesterSettings {
  uint64_t address = 0;
};

class Tester : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Tester> socket{"socket"};

  Tester(const sc_core::sc_module_name& name, uint64_t address)
      : sc_module(name), address_(address) {
    SC_HAS_PROCESS(Tester);
    SC_THREAD(run);
  }

 private:
  void run() {
    access(tlm::TLM_WRITE_COMMAND, 8, 0x600dcafe);
    const uint32_t answer = access(tlm::TLM_READ_COMMAND, 8, 0);
    const uint32_t attributes = access(tlm::TLM_READ_COMMAND, Scratchpad::kAttributes, 0);
    log_tester.info("the scratchpad answers {:#x}; {} accesses had AXI attributes", answer,
                    attributes);
  }
  uint32_t access(tlm::tlm_command command, uint64_t offset, uint32_t word) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address_ + offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    sc_core::wait(delay);
    return payload.is_response_ok() ? word : 0;
  }

  uint64_t address_;
};

device::DeviceType scratchpad_type() {
  device::DeviceType type;
  type.name = "scratchpad";
  type.description = "Four words of memory, from a plug-in";
  type.windows = [](const device::Instance&) {
    device::Window window;
    window.size = Scratchpad::kBytes;
    window.description = "four words";
    return std::vector<device::Window>{window};
  };
  type.make = [](const device::Instance& instance, device::Surroundings&) {
    auto scratchpad = std::make_unique<Scratchpad>(instance.name.c_str());
    device::Parts parts;
    parts.targets = {{"", &scratchpad->socket}};
    parts.module = std::move(scratchpad);
    return parts;
  };
  return type;
}

device::DeviceType tester_type() {
  device::DeviceType type;
  type.name = "tester";
  type.description = "Writes and reads four words, from a plug-in";
  type.defaults = TesterSettings{};
  type.keys = {{"address", device::field<&TesterSettings::address>, device::range(0, 4294967295.0),
                "", "Where the four words are"}};
  type.masters = {{"", 1}};
  type.make = [](const device::Instance& instance, device::Surroundings&) {
    auto tester =
        std::make_unique<Tester>(instance.name.c_str(), instance.as<TesterSettings>().address);
    device::Parts parts;
    parts.initiators = {{"", &tester->socket}};
    parts.module = std::move(tester);
    return parts;
  };
  return type;
}

void register_types() {
  device::register_device_type(scratchpad_type());
  device::register_device_type(tester_type());
}

}  // namespace

GVP_PLUGIN(register_types)
