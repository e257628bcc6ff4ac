/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/module.h"

#include <stdlib.h>
#include <string.h>

#include "bsp/io.h"
#include "platform/memory_map.h"

/* How long each constant bank of a function is: its own segments, its module's, the addresses of
 * variables.  Banks lie one after the other in constant memory. */
struct banks {
  uint32_t bytes[FLEXGRIP_CONSTANT_BANKS];
  uint32_t base[FLEXGRIP_CONSTANT_BANKS];
  uint32_t total;
};

static void cover(struct banks* banks, uint32_t bank, uint32_t end) {
  end = (end + 3) & ~3u;
  if (end > banks->bytes[bank]) banks->bytes[bank] = end;
}

static void lay_out(struct banks* banks, const struct gpgpu_function* function) {
  memset(banks, 0, sizeof *banks);
  for (const struct gpgpu_constants* c = function->constants; c != NULL; c = c->next)
    cover(banks, c->bank, c->offset + c->bytes);
  for (const struct gpgpu_constants* c = function->module->constants; c != NULL; c = c->next)
    cover(banks, c->bank, c->offset + c->bytes);
  for (const struct gpgpu_variable* v = function->module->variables; v != NULL; v = v->next)
    cover(banks, v->bank, v->offset + 4);
  for (unsigned n = 0; n < FLEXGRIP_CONSTANT_BANKS; ++n) {
    banks->base[n] = banks->bytes[n] != 0 ? banks->total : 0;
    banks->total += banks->bytes[n];
  }
}

static enum gpgpu_error allocate_variables(struct gpgpu* gpu, struct gpgpu_module* module) {
  for (struct gpgpu_variable* v = module->variables; v != NULL; v = v->next) {
    const uint32_t words = (v->bytes + 3) / 4;
    enum gpgpu_error error = gpgpu_allocate(gpu, 4 * words, &v->address);
    if (error == GPGPU_OK)
      error = v->words != NULL ? gpgpu_copy_to_device(gpu, v->address, v->words, 4 * words)
                               : gpgpu_fill(gpu, v->address, 0, words);
    if (error != GPGPU_OK) return error;
  }
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_module_load(struct gpgpu* gpu, const char* image, size_t bytes,
                                   struct gpgpu_module** module) {
  if (gpu == NULL || image == NULL || module == NULL) return GPGPU_INVALID_ARGUMENT;
  *module = NULL;
  struct gpgpu_module* loaded = malloc(sizeof *loaded);
  if (loaded == NULL) return GPGPU_OUT_OF_MEMORY;
  enum gpgpu_error error = cubin_read(image, bytes, loaded);
  for (const struct gpgpu_function* f = loaded->functions; error == GPGPU_OK && f != NULL;
       f = f->next) {
    struct banks banks;
    lay_out(&banks, f);
    if (4 * f->code_words > gpu->properties.code_bytes ||
        banks.total > gpu->properties.constant_bytes)
      error = GPGPU_OUT_OF_MEMORY;
  }
  if (error == GPGPU_OK) error = allocate_variables(gpu, loaded);
  if (error != GPGPU_OK) {
    gpgpu_module_unload(gpu, loaded);
    return error;
  }
  *module = loaded;
  return GPGPU_OK;
}

void gpgpu_module_unload(struct gpgpu* gpu, struct gpgpu_module* module) {
  if (gpu == NULL || module == NULL) return;
  if (gpu->resident != NULL && gpu->resident->module == module) gpu->resident = NULL;
  for (struct gpgpu_variable* v = module->variables; v != NULL; v = v->next)
    if (v->address != GPGPU_NULL) gpgpu_free(gpu, v->address);
  module_discard(module);
  free(module);
}

enum gpgpu_error gpgpu_module_function(const struct gpgpu_module* module, const char* name,
                                       const struct gpgpu_function** function) {
  if (module == NULL || name == NULL || function == NULL) return GPGPU_INVALID_ARGUMENT;
  *function = module->functions;
  while (*function != NULL && strcmp((*function)->name, name) != 0) *function = (*function)->next;
  return *function != NULL ? GPGPU_OK : GPGPU_NO_SUCH_FUNCTION;
}

enum gpgpu_error gpgpu_module_global(const struct gpgpu_module* module, const char* name,
                                     gpgpu_address* address, uint32_t* bytes) {
  if (module == NULL || name == NULL || address == NULL) return GPGPU_INVALID_ARGUMENT;
  for (const struct gpgpu_variable* v = module->variables; v != NULL; v = v->next) {
    if (strcmp(v->name, name) != 0) continue;
    *address = v->address;
    if (bytes != NULL) *bytes = v->bytes;
    return GPGPU_OK;
  }
  return GPGPU_NO_SUCH_FUNCTION;
}

enum gpgpu_error gpgpu_module_write_constant(struct gpgpu* gpu, struct gpgpu_module* module,
                                             const char* name, uint32_t offset, const void* data,
                                             uint32_t bytes) {
  if (gpu == NULL || module == NULL || name == NULL || data == NULL) return GPGPU_INVALID_ARGUMENT;
  for (struct gpgpu_constants* c = module->constants; c != NULL; c = c->next) {
    if (strcmp(c->name, name) != 0) continue;
    if (offset > c->bytes || bytes > c->bytes - offset) return GPGPU_INVALID_ARGUMENT;
    memcpy((char*)c->words + offset, data, bytes);
    if (gpu->resident != NULL && gpu->resident->module == module) gpu->resident = NULL;
    return GPGPU_OK;
  }
  return GPGPU_NO_SUCH_FUNCTION;
}

/* page: the one that is in the window; a device of one page has no register for it. */
static void write_constant(const struct gpgpu* gpu, uint32_t* page, uint32_t at, uint32_t word) {
  if (at / FLEXGRIP_CONSTANT_PAGE_BYTES != *page) {
    *page = at / FLEXGRIP_CONSTANT_PAGE_BYTES;
    io_write32(gpu->control + FLEXGRIP_CONSTANT_PAGE, *page);
  }
  io_write32(gpu->control + FLEXGRIP_CONSTANT_MEMORY + at % FLEXGRIP_CONSTANT_PAGE_BYTES, word);
}

static void write_constants(const struct gpgpu* gpu, uint32_t* page, const struct banks* banks,
                            const struct gpgpu_constants* list) {
  for (const struct gpgpu_constants* c = list; c != NULL; c = c->next) {
    const uint32_t to = banks->base[c->bank] + c->offset;
    for (uint32_t i = 0; 4 * i < c->bytes; ++i) write_constant(gpu, page, to + 4 * i, c->words[i]);
  }
}

/* For the device's messages and statistics: words up to the one that has the ending zero in it. */
static void write_name(const struct gpgpu* gpu, const struct gpgpu_function* function) {
  for (uint32_t i = 0; i < kMaxNameBytes / 4; ++i) {
    uint32_t word; /* little-endian, as the processor is */
    memcpy(&word, function->name + 4 * i, sizeof word);
    io_write32(gpu->control + FLEXGRIP_KERNEL_NAME(i), word);
    if (((word - 0x01010101u) & ~word & 0x80808080u) != 0) break;
  }
}

enum gpgpu_error module_make_resident(struct gpgpu* gpu, const struct gpgpu_function* function) {
  if (gpu->resident == function) return GPGPU_OK;
  struct banks banks;
  lay_out(&banks, function);
  for (uint32_t i = 0; i < function->code_words; ++i)
    io_write32(gpu->code + 4 * i, function->code[i]);
  uint32_t page = 0;
  if (gpu->properties.constant_bytes > FLEXGRIP_CONSTANT_PAGE_BYTES)
    io_write32(gpu->control + FLEXGRIP_CONSTANT_PAGE, page);
  write_constants(gpu, &page, &banks, function->module->constants);
  write_constants(gpu, &page, &banks, function->constants);
  for (const struct gpgpu_variable* v = function->module->variables; v != NULL; v = v->next)
    write_constant(gpu, &page, banks.base[v->bank] + v->offset, v->address);
  for (unsigned n = 0; n < FLEXGRIP_CONSTANT_BANKS; ++n) {
    io_write32(gpu->control + FLEXGRIP_CONSTANT_BANK_BASE(n), banks.base[n]);
    io_write32(gpu->control + FLEXGRIP_CONSTANT_BANK_BYTES(n), banks.bytes[n]);
  }
  if (gpu->properties.kernel_names) write_name(gpu, function);
  gpu->resident = function;
  return GPGPU_OK;
}
