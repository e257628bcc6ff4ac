// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/register_bank.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

const Log log_registers("registers");
constexpr unsigned kWord = 4;

uint32_t load(const uint8_t* bytes, unsigned count) {
  uint32_t value = 0;
  std::memcpy(&value, bytes, count);  // guest and host are little-endian
  return value;
}

// The bytes that the byte enables leave, as offset and count, if they are one run of 1, 2 or 4
// bytes inside one word; count 0 otherwise.
std::pair<unsigned, unsigned> enabled_run(const tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  if (length > kWord) return {0, 0};
  unsigned first = length;
  unsigned count = 0;
  for (unsigned i = 0; i < length; ++i) {
    if (payload.get_byte_enable_ptr()[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED)
      continue;
    if (count == 0) first = i;
    if (i != first + count) return {0, 0};
    ++count;
  }
  return {first, count};
}

}  // namespace

RegisterBank::RegisterBank(std::function<std::string()> place, NarrowWrites narrow_writes)
    : place_(std::move(place)), narrow_writes_(narrow_writes) {}

Register& RegisterBank::add(Register definition) {
  const size_t word = definition.offset / kWord;
  if (word >= by_word_.size()) by_word_.resize(word + 1, nullptr);
  if (definition.offset % kWord != 0 || by_word_[word] != nullptr)
    throw model_error(fmt::format("register {} at {:#x} is misaligned or overlaps another",
                                  definition.name, definition.offset));
  definition.value = definition.reset;
  registers_.push_back(std::make_unique<Register>(std::move(definition)));
  by_word_[word] = registers_.back().get();
  return *registers_.back();
}

void RegisterBank::add(const std::vector<device::RegisterRow>& rows) {
  for (const device::RegisterRow& row : rows)
    for (uint32_t i = 0; i < row.count; ++i)
      add({row.name, row.offset + i * row.stride, row.access, row.reset});
}

void RegisterBank::handle(uint32_t offset, std::function<uint32_t()> read,
                          std::function<void(uint32_t)> write, std::function<uint32_t()> peek) {
  Register& found = at(offset);
  found.read = std::move(read);
  found.write = std::move(write);
  found.peek = std::move(peek);
}

Register& RegisterBank::at(uint32_t offset) {
  Register* found = find(offset);
  if (found == nullptr) throw model_error(fmt::format("there is no register at {:#x}", offset));
  return *found;
}

void RegisterBank::reset() {
  for (auto& each : registers_) each->value = each->reset;
}

void RegisterBank::fail(const std::string& reason) { misuse(reason); }

bool RegisterBank::misuse(const std::string& what) {
  log_registers.warning("{}: {}", place_(), what);
  failed_ = true;
  return false;
}

Register* RegisterBank::find(uint64_t offset) {
  const uint64_t word = offset / kWord;
  return word < by_word_.size() ? by_word_[word] : nullptr;
}

bool RegisterBank::read_word(uint64_t offset, uint32_t& value) {
  Register* found = find(offset);
  if (found == nullptr) return misuse(fmt::format("read at {:#x}: no register there", offset));
  if (found->access == Access::kWriteOnly)
    return misuse(fmt::format("read of {} at {:#x}: it is write-only", found->name, offset));
  failed_ = false;
  if (found->access == Access::kReadsZero)
    value = 0;
  else
    value = found->read ? found->read() : found->value;
  if (log_registers.enabled(LogLevel::kTrace) && !failed_)
    log_registers.trace("{}: {} is {:#x}", place_(), found->name, value);
  return !failed_;
}

bool RegisterBank::write_word(uint64_t offset, uint32_t value) {
  Register* found = find(offset);
  if (found == nullptr)
    return misuse(fmt::format("write of {:#x} at {:#x}: no register there", value, offset));
  if (found->access == Access::kReadOnly)
    return misuse(
        fmt::format("write of {:#x} to {} at {:#x}: it is read-only", value, found->name, offset));
  if (found->access == Access::kWriteIgnored) {
    log_registers.debug("{}: write of {:#x} to {} ignored: it is read-only", place_(), value,
                        found->name);
    return true;
  }
  failed_ = false;
  if (log_registers.enabled(LogLevel::kDebug))
    log_registers.debug("{}: {} = {:#x}", place_(), found->name, value);
  if (found->write)
    found->write(value);
  else
    found->value = value;
  return !failed_;
}

bool RegisterBank::access_word(bool write, uint64_t offset, uint8_t* data) {
  if (write) return write_word(offset, load(data, kWord));
  uint32_t value = 0;
  if (!read_word(offset, value)) return false;
  std::memcpy(data, &value, kWord);
  return true;
}

bool RegisterBank::access_words(tlm::tlm_generic_payload& payload) {
  const uint64_t width = touched_bytes(payload);
  for (unsigned i = 0; i < payload.get_data_length(); i += kWord)
    if (!access_word(payload.is_write(), payload.get_address() + i % width,
                     payload.get_data_ptr() + i))
      return false;
  return true;
}

bool RegisterBank::access_narrow(tlm::tlm_generic_payload& payload, uint64_t address,
                                 unsigned length, uint8_t* data) {
  if ((length != 1 && length != 2) || address % length != 0)
    return misuse(describe(payload) + ": only aligned accesses of 1, 2 or 4 bytes are possible");
  if (payload.is_read()) {
    uint32_t value = 0;
    if (!read_word(address & ~uint64_t{3}, value)) return false;
    value >>= 8 * (address % kWord);
    std::memcpy(data, &value, length);
    return true;
  }
  if (narrow_writes_ == NarrowWrites::kForbidden)
    return misuse(describe(payload) + ": these registers take writes of 4 bytes only");
  if (address % kWord != 0)
    return misuse(describe(payload) + ": a narrow write must be at the register's first byte");
  return write_word(address, load(data, length));
}

void RegisterBank::access(tlm::tlm_generic_payload& payload) {
  if (!check_attributes(payload)) return;
  // Mostly one word.
  if (payload.get_data_length() == kWord && payload.get_streaming_width() >= kWord &&
      payload.get_byte_enable_ptr() == nullptr && payload.get_address() % kWord == 0 &&
      payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    const bool done =
        access_word(payload.is_write(), payload.get_address(), payload.get_data_ptr());
    payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  bool done = false;
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    done = true;
  } else if (payload.get_byte_enable_ptr() != nullptr) {
    const auto [first, count] = enabled_run(payload);
    if (count == kWord && address % kWord == 0)
      done = access_words(payload);
    else
      done = access_narrow(payload, address + first, count, payload.get_data_ptr() + first);
  } else if (address % kWord == 0 && length % kWord == 0 && touched_bytes(payload) % kWord == 0) {
    done = access_words(payload);
  } else {
    done = access_narrow(payload, address, length, payload.get_data_ptr());
  }
  payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

unsigned RegisterBank::debug_access(tlm::tlm_generic_payload& payload) {
  unsigned moved = 0;
  for (; moved < payload.get_data_length(); ++moved) {
    const uint64_t address = payload.get_address() + moved;
    Register* found = find(address);
    if (found == nullptr) break;
    if (payload.is_write()) {
      if (address % kWord != 0 || payload.get_data_length() - moved < kWord) break;
      const uint32_t value = load(payload.get_data_ptr() + moved, kWord);
      if (found->access != Access::kWriteIgnored && !write_word(address, value)) break;
      moved += kWord - 1;
      continue;
    }
    uint32_t value = found->value;
    if (found->peek)
      value = found->peek();
    else if (found->read)
      value = found->read();
    payload.get_data_ptr()[moved] = static_cast<uint8_t>(value >> (8 * (address % kWord)));
  }
  payload.set_response_status(moved > 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  return moved;
}

}  // namespace gvp::kit
