// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/external_master.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::kit {
namespace {

void describe(tlm::tlm_generic_payload& payload, tlm::tlm_command command, uint64_t address,
              void* data, unsigned bytes) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace

void ExternalMaster::transport(tlm::tlm_command command, uint64_t address, uint32_t& word) {
  tlm::tlm_generic_payload payload;
  describe(payload, command, address, &word, sizeof word);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->b_transport(payload, delay);
  sc_core::wait(delay);
  if (!payload.is_response_ok())
    throw model_error(fmt::format("{}: an error response at {:#x}: {}", name(), address,
                                  payload.get_response_string()));
}

uint32_t ExternalMaster::read(uint64_t address) {
  uint32_t word = 0;
  transport(tlm::TLM_READ_COMMAND, address, word);
  return word;
}

void ExternalMaster::write(uint64_t address, uint32_t word) {
  transport(tlm::TLM_WRITE_COMMAND, address, word);
}

uint64_t ExternalMaster::debug_access(tlm::tlm_command command, uint64_t address, void* data,
                                      uint64_t bytes) {
  constexpr uint64_t kChunk = 1 << 20;
  uint64_t done = 0;
  while (done < bytes) {
    tlm::tlm_generic_payload payload;
    const auto count = static_cast<unsigned>(std::min(kChunk, bytes - done));
    describe(payload, command, address + done, static_cast<unsigned char*>(data) + done, count);
    const unsigned moved = socket->transport_dbg(payload);
    done += moved;
    if (moved < count) break;
  }
  return done;
}

uint64_t ExternalMaster::debug_read(uint64_t address, void* data, uint64_t bytes) {
  return debug_access(tlm::TLM_READ_COMMAND, address, data, bytes);
}

uint64_t ExternalMaster::debug_write(uint64_t address, const void* data, uint64_t bytes) {
  // Writing does not change the data; a payload has one pointer for both directions.
  return debug_access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
}

}  // namespace gvp::kit
