// SPDX-License-Identifier: Apache-2.0
// For sources that include <helper_image.h> of the CUDA samples.
#pragma once

template <typename Type>
bool sdkLoadPGM(const char*, Type**, unsigned*, unsigned*) {
  return true;
}
template <typename Type>
bool sdkSavePGM(const char*, Type*, unsigned, unsigned) {
  return true;
}
template <typename Type>
bool sdkLoadPPM4(const char*, Type**, unsigned*, unsigned*) {
  return true;
}
bool sdkLoadPPM4ub(const char*, unsigned char**, unsigned*, unsigned*);
bool sdkSavePPM4ub(const char*, unsigned char*, unsigned, unsigned);
template <typename Type>
bool sdkReadFile(const char*, Type**, unsigned*, bool) {
  return true;
}
template <typename Type, typename Epsilon>
bool sdkWriteFile(const char*, const Type*, unsigned, const Epsilon, bool, bool = false) {
  return true;
}
template <typename Type>
bool compareData(const Type*, const Type*, const unsigned, const float, const float) {
  return true;
}
bool sdkCompareL2fe(const float*, const float*, const unsigned, const float);
