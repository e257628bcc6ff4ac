# SPDX-License-Identifier: Apache-2.0
# RTL compiled with Verilator: one C++ source a block, with everything that Verilator wrote and the
# pins as plain C (models/rtl/block_interface.h).  For the build of our own; others' blocks become
# plug-ins (GvpAddRtl.cmake).

# gvp_find_verilator(): sets GVP_VERILATOR, GVP_VERILATOR_ROOT and GVP_VERILATOR_VERSION, or nothing
macro(gvp_find_verilator)
  find_program(GVP_VERILATOR verilator)
  find_package(ZLIB QUIET) # of waveforms
  mark_as_advanced(GVP_VERILATOR)
  set(GVP_VERILATOR_VERSION)
  if(GVP_VERILATOR AND ZLIB_FOUND)
    execute_process(COMMAND ${GVP_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE GVP_VERILATOR_ROOT
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GVP_VERILATOR} --version OUTPUT_VARIABLE GVP_VERILATOR_VERSION
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REGEX MATCH "^Verilator [0-9.]+" GVP_VERILATOR_VERSION "${GVP_VERILATOR_VERSION}")
  endif()
endmacro()

# Line and toggle coverage, which costs half of the speed.
set(GVP_RTL_COVERAGE_OPTIONS "")
set(GVP_RTL_COUNTS 0)
if(GVP_RTL_COVERAGE)
  set(GVP_RTL_COVERAGE_OPTIONS --coverage-line --coverage-toggle)
  set(GVP_RTL_COUNTS 1)
endif()

# gvp_verilated_options(TARGET): what Verilator's own sources and ours over it are compiled with
function(gvp_verilated_options target)
  target_include_directories(${target} SYSTEM PRIVATE ${GVP_VERILATOR_ROOT}/include
                             ${GVP_VERILATOR_ROOT}/include/vltstd)
  target_include_directories(${target} PRIVATE ${GVP_RTL_INCLUDE_DIR})
  target_compile_features(${target} PRIVATE cxx_std_17)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  # generated code: fast, and nobody's to correct.  The FST writer is C that is included.
  target_compile_options(${target} PRIVATE -O2 -w -fno-strict-aliasing -ffp-contract=off)
  target_compile_definitions(${target} PRIVATE VL_TIME_CONTEXT VM_TRACE=1 VM_TRACE_FST=1 VM_COVERAGE=${GVP_RTL_COUNTS}
    VM_SC=0 GVP_RTL_WAVES VL_USER_FINISH VL_USER_STOP VL_USER_FATAL VL_PRINTF=gvp::rtl::verilated_printf)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${GVP_RTL_INCLUDE_DIR}/models/rtl/verilated_output.h>")
endfunction()

# gvp_verilate(NAME SOURCES ... [TOP module] [PARAMETERS name=value ...] [INCLUDES folder ...]
#              [OPTIONS ...] OUT variable)
# variable: the C++ source, which defines gvp_rtl_block_NAME.  Headers lie beside it.
function(gvp_verilate name)
  cmake_parse_arguments(ARG "" "TOP;OUT" "SOURCES;PARAMETERS;INCLUDES;OPTIONS" ${ARGN})
  if(NOT ARG_TOP)
    set(ARG_TOP ${name})
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/verilated/${name})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/verilated/${name}.cpp)
  set(sources)
  foreach(file IN LISTS ARG_SOURCES)
    file(REAL_PATH ${file} file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND sources ${file})
  endforeach()
  set(arguments)
  foreach(parameter IN LISTS ARG_PARAMETERS)
    list(APPEND arguments -G${parameter})
  endforeach()
  foreach(folder IN LISTS ARG_INCLUDES)
    file(REAL_PATH ${folder} folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND arguments -I${folder})
  endforeach()
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${GVP_VERILATOR} --cc -O3 --flatten --assert --trace-fst --x-assign unique --x-initial unique
            --no-timing ${GVP_RTL_COVERAGE_OPTIONS} --prefix V${name} --top-module ${ARG_TOP} --Mdir ${directory}
            ${arguments} ${ARG_OPTIONS} ${sources}
    COMMAND gvp-rtl wrap ${name} --verilated ${directory} --compiled-with ${GVP_VERILATOR_VERSION} -o ${source}
    DEPENDS ${sources} gvp-rtl
    COMMENT "Verilating ${name}" VERBATIM)
  set(${ARG_OUT} ${source} PARENT_SCOPE)
endfunction()
