// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/decoder.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "models/gpgpu/g80/codec.h"
#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::g80 {
namespace {

std::string describe(const Words& words, Form form) {
  if (byte_length(form) == 4) return fmt::format("{:#010x}", words[0]);
  return fmt::format("{:#010x} {:#010x}", words[0], words[1]);
}

Decoded reject(Decoded decoded, DecodeStatus status, std::string_view why) {
  const Form form = decoded.instruction.form;
  decoded.status = status;
  decoded.instruction = Instruction{};
  decoded.instruction.form = form;
  decoded.reason = fmt::format("{}: {}", describe(decoded.words, form), why);
  return decoded;
}

const RejectedRow* find_rejected(const Words& words, Form form) {
  for (const RejectedRow& row : rejected_rows())
    if (row.form == form && !row.extension && matches(row, words)) return &row;
  return nullptr;
}

}  // namespace

Decoded decode(const Words& given) {
  Decoded decoded;
  decoded.instruction.form = form_of(given);
  decoded.words = given;
  if (is_short(given[0])) decoded.words[1] = 0;
  const Form form = decoded.instruction.form;

  const Row* row = find_row(decoded.words);
  // What an extension has of an opcode that no device has as a whole (G2R) is no longer rejected.
  const bool extension = row != nullptr && info(row->operation).is(Trait::kLater);
  const RejectedRow* rejected = extension ? nullptr : find_rejected(decoded.words, form);
  if (rejected != nullptr)
    return reject(std::move(decoded),
                  rejected->later ? DecodeStatus::kLaterArchitecture : DecodeStatus::kGraphics,
                  rejected->reason);
  if (row == nullptr)
    return reject(std::move(decoded), DecodeStatus::kIllegalOpcode, "illegal opcode");

  Codec codec(Codec::Direction::kDecode, *row, decoded.words, decoded.instruction);
  codec.run();
  if (!codec.problem().empty())
    return reject(std::move(decoded), DecodeStatus::kReservedValue, codec.problem());

  // What the fields do not account for: ignored bits, and unknown ones.
  Words canonical = {row->bits0 | form_bits(form)[0], row->bits1 | form_bits(form)[1]};
  Codec back(Codec::Direction::kEncode, *row, canonical, decoded.instruction);
  back.run();
  if (!back.problem().empty())  // fields that exclude each other
    return reject(std::move(decoded), DecodeStatus::kReservedValue, back.problem());
  decoded.status = DecodeStatus::kOk;
  for (std::size_t n = 0; n < 2; ++n) {
    decoded.instruction.extra[n] = decoded.words[n] ^ canonical[n];
    decoded.unknown[n] = decoded.instruction.extra[n] & ~row->ignored[n];
  }
  if ((decoded.unknown[0] | decoded.unknown[1]) != 0) {
    decoded.status = DecodeStatus::kUnknownBits;
    decoded.reason = fmt::format("{}: bits without known meaning are set ({})",
                                 describe(decoded.words, form), describe(decoded.unknown, form));
  }
  return decoded;
}

Decoded decode(const uint32_t* words, std::size_t count) {
  if (count == 0) {
    Decoded decoded;
    decoded.status = DecodeStatus::kTruncated;
    decoded.reason = "the code ends where an instruction should begin";
    return decoded;
  }
  if (!is_short(words[0]) && count < 2) {
    Decoded decoded;
    decoded.words = {words[0], 0};
    decoded.instruction.form = Form::kLong;
    return reject(std::move(decoded), DecodeStatus::kTruncated,
                  "the second word of this instruction is missing");
  }
  return decode(Words{words[0], is_short(words[0]) ? 0 : words[1]});
}

}  // namespace gvp::gpgpu::g80
