# SPDX-License-Identifier: Apache-2.0
# Headers of kernels in OpenCL C, OUT/opencl/NAME.h, written by oclc.
#   FW     the folder firmware       OUT    where everything goes
#   OCLC   the compiler of OpenCL C (build/bin/oclc)
opencl_typed := cnn convolution matrix_add matrix_multiply nin
opencl_kernels := $(opencl_typed:%=%_int) $(opencl_typed:%=%_float) bitonic_sort gaussian_elimination k_means pooling transpose
# opencl_header(NAME,SOURCE,OPTIONS): NAME.h has the kernels of SOURCE.cl
define opencl_header
$(OUT)/opencl/$(1).h: $(FW)/kernels/opencl/$(2).cl $(OCLC) $(FW)/opencl.mk
	@mkdir -p $$(@D)
	$(OCLC) $(3) --emit header --name $(1) -o $$@ $$<
endef
$(foreach each,$(opencl_typed),$(eval $(call opencl_header,$(each)_int,$(each),-DT=int -DSHIFT=8)))
$(foreach each,$(opencl_typed),$(eval $(call opencl_header,$(each)_float,$(each),-DT=float)))
$(foreach each,bitonic_sort k_means pooling transpose,$(eval $(call opencl_header,$(each),$(each))))
$(eval $(call opencl_header,gaussian_elimination,gaussian_elimination,-cl-fp32-correctly-rounded-divide-sqrt))
