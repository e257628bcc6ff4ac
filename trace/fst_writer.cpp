// SPDX-License-Identifier: Apache-2.0
#include "trace/fst_writer.h"

#include <alloca.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

namespace {

// Of the call under way.
thread_local int write_error = 0;

void note_error(bool failed) {
  if (failed && write_error == 0) write_error = errno != 0 ? errno : EIO;
}
size_t checked_write(const void* data, size_t size, size_t count, FILE* file) {
  if (size == 0 || count == 0) return 0;  // there may be no data then, which fwrite() wants
  errno = 0;
  const size_t written = fwrite(data, size, count, file);
  note_error(written < count);
  return written;
}
int checked_put(int character, FILE* file) {
  errno = 0;
  const int result = fputc(character, file);
  note_error(result == EOF);
  return result;
}
int checked_flush(FILE* file) {
  errno = 0;
  const int result = fflush(file);
  note_error(result != 0);
  return result;
}
int checked_close(FILE* file) {
  errno = 0;
  const int result = fclose(file);
  note_error(result != 0);
  return result;
}
// A full disk must not become a fault of memory that is mapped onto it.
FILE* file_in_memory() {
  const int descriptor = memfd_create("fst", MFD_CLOEXEC);
  return descriptor < 0 ? nullptr : fdopen(descriptor, "w+b");
}

// In here, not beside: Verilator's own trace classes, in the same program, bring the same names. As
// what is no C++ they are not declared extern "C", which would make them visible all the same.
#pragma push_macro("__cplusplus")
#undef __cplusplus
#define fwrite checked_write
#define fputc checked_put
#define fflush checked_flush
#define fclose checked_close
#define tmpfile file_in_memory
#define FST_CONFIG_INCLUDE "gtkwave/fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
#pragma pop_macro("__cplusplus")
#undef fwrite
#undef fputc
#undef fflush
#undef fclose
#undef tmpfile

// A new variable takes away what the values are kept in; only the next value would bring it back,
// but a section that ends before wants it, too.
void prepare(void* context) {
  auto* writer = static_cast<fstWriterContext*>(context);
  if (writer->valpos_mem == nullptr && !writer->is_initial_time) fstWriterCreateMmaps(writer);
}

}  // namespace

namespace gvp::trace {

FstWriter::FstWriter(const std::string& path) {
  write_error = 0;
  errno = 0;
  context_ = fstWriterCreate(path.c_str(), 1);
  error_ = context_ != nullptr ? write_error : errno;
  if (context_ == nullptr) return;
  fstWriterSetPackType(context_, FST_WR_PT_LZ4);
  fstWriterSetTimescale(context_, -12);
  fstWriterSetVersion(context_, "gpgpu-vp");
  fstWriterSetDate(context_, "");  // the same run, the same file
}

FstWriter::~FstWriter() { close(); }

void FstWriter::begin_scope(const std::string& name) {
  fstWriterSetScope(context_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
}
void FstWriter::end_scope() { fstWriterSetUpscope(context_); }

uint32_t FstWriter::add(const std::string& name, unsigned bits) {
  const fstVarType type = bits == 0 ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE;
  return fstWriterCreateVar(context_, type, FST_VD_IMPLICIT, bits, name.c_str(), 0);
}

void FstWriter::time(uint64_t picoseconds) {
  write_error = 0;
  prepare(context_);
  fstWriterEmitTimeChange(context_, picoseconds);
  if (error_ == 0) error_ = write_error;
}
void FstWriter::number(uint32_t variable, unsigned bits, uint64_t value) {
  fstWriterEmitValueChange64(context_, variable, bits, value);
}
void FstWriter::text(uint32_t variable, std::string_view value) {
  fstWriterEmitVariableLengthValueChange(context_, variable, value.data(),
                                         static_cast<uint32_t>(value.size()));
}
void FstWriter::flush() { fstWriterFlushContext(context_); }
void FstWriter::close() {
  if (context_ == nullptr) return;
  // What could not be written to the file of names cannot be mapped to be packed, either.
  if (error_ != 0) static_cast<fstWriterContext*>(context_)->compress_hier = 0;
  write_error = 0;
  prepare(context_);
  fstWriterClose(context_);
  context_ = nullptr;
  if (error_ == 0) error_ = write_error;
}

}  // namespace gvp::trace
