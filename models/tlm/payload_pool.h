// SPDX-License-Identifier: Apache-2.0
// Reference-counted generic payloads (IEEE 1666-2011, 14.5) that are reused: transactions of
// nb_transport need a memory manager, and allocating one each would dominate.  Extensions stay
// with their payload; whoever sets one owns it.
#pragma once

#include <memory>
#include <tlm>
#include <vector>

namespace gvp::kit {

class PayloadPool : public tlm::tlm_mm_interface {
 public:
  // A payload with a reference count of one; release() gives it back.
  tlm::tlm_generic_payload& acquire() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      free_.push_back(all_.back().get());
    }
    tlm::tlm_generic_payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.set_byte_enable_ptr(nullptr);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return payload;
  }
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace gvp::kit
