# SPDX-License-Identifier: Apache-2.0
# cmake -D BUILD=.. -D SOURCE=.. -D WORK=.. -P check.cmake: installs the build into WORK, builds
# programs against the installation, and runs them and an installed tool.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${output}")
  endif()
endfunction()
# configure(NAME OPTION ...): the project SOURCE/NAME with the installation
macro(configure name)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/${name} -B ${WORK}/${name}
                          -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# Public headers alone, and none whose code depends on the options it is compiled with: the libraries
# are built for the builder's machine, programs that use them are not.
file(GLOB_RECURSE headers ${WORK}/prefix/include/*)
foreach(header IN LISTS headers)
  file(STRINGS ${header} found REGEX "__(AVX|SSE|FMA|BMI)|intrin\\.h|__OPTIMIZE__|NDEBUG")
  if(found OR NOT header MATCHES "\\.(h|def)$")
    message(FATAL_ERROR "not a header to install: ${header} ${found}")
  endif()
endforeach()

# A component needs none of the packages that only others do.
set(without_libelf -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
                   -DCMAKE_DISABLE_FIND_PACKAGE_asmjit=ON)
configure(bus ${without_libelf} -DCMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a consumer of axi does not configure:\n${output}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/bus)
run(${WORK}/bus/bus)

configure(consumer ${without_libelf})
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a consumer of axi and ddr3 does not configure:\n${output}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/consumer)

configure(everything)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a consumer of everything does not configure:\n${output}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/everything)

# A component that there is not is refused with the names of those that there are.
configure(unknown)
if(result EQUAL 0 OR NOT output MATCHES "no component.*\"axle\".*axi")
  message(FATAL_ERROR "an unknown component is not refused by name:\n${output}")
endif()

run(${WORK}/prefix/bin/gpgpu-vp --quiet ${WORK}/prefix/share/gpgpu-vp/firmware/hello.elf)
