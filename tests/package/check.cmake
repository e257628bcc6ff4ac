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

set(hello ${WORK}/prefix/share/gpgpu-vp/firmware/hello.elf)
run(${WORK}/prefix/bin/gpgpu-vp --quiet ${hello})

# A plug-in of device types: in a board, on the command line, and for another version.
# expect(CODE TEXT PROGRAM...): it ends with this code and says this
function(expect code text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${text}" found)
  if(NOT result EQUAL code OR found EQUAL -1)
    message(FATAL_ERROR "ended with ${result}, not ${code} and \"${text}\": ${ARGN}\n${output}")
  endif()
endfunction()
configure(plugin ${without_libelf})
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a plug-in does not configure:\n${output}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/plugin)
file(COPY ${SOURCE}/plugin/board.toml DESTINATION ${WORK}/plugin)
set(vp ${WORK}/prefix/bin/gpgpu-vp --quiet)
set(plugin ${WORK}/plugin/scratchpad.so)
# Blocks of the program and of the plug-in see each other's extensions: an approximately timed
# interconnect gives each access AXI attributes, a loosely timed one passes what comes.
expect(0 "the scratchpad answers 0x600dcafe; 3 accesses had AXI attributes"
       ${vp} --log info:tester --model axi=at --board ${WORK}/plugin/board.toml ${hello})
expect(0 "the scratchpad answers 0x600dcafe; 0 accesses had AXI attributes"
       ${vp} --log info:tester --plugin ${plugin} --board ${WORK}/plugin/board.toml ${hello})
expect(0 "scratchpad" ${vp} --plugin ${plugin} --list-devices)
# gpgpu-run builds the same board, without its host.
file(WRITE ${WORK}/plugin/kernel.hex "0x30000003\n0x00000780\n")
expect(0 "the scratchpad answers 0x600dcafe"
       ${WORK}/prefix/bin/gpgpu-run --quiet --log info:tester --board ${WORK}/plugin/board.toml
       --code ${WORK}/plugin/kernel.hex --regs 1 --grid 1 --block 32)
expect(0 "plugins = [" ${vp} --plugin ${plugin} --dump-config)
file(READ ${WORK}/plugin/board.toml board)
string(REPLACE "plugins = " "# plugins = " board "${board}")
file(WRITE ${WORK}/plugin/without.toml "${board}")
expect(126 "unknown device type \"scratchpad\"" ${vp} --board ${WORK}/plugin/without.toml ${hello})
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/plugin -B ${WORK}/plugin_of_another_version
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release -DANOTHER_VERSION=ON)
run(${CMAKE_COMMAND} --build ${WORK}/plugin_of_another_version)
expect(126 "was built for gpgpu-vp 0.0.9"
       ${vp} --plugin ${WORK}/plugin_of_another_version/scratchpad.so ${hello})
expect(126 "it has no section .gvp_plugin" ${vp} --plugin ${WORK}/prefix/bin/gpgpu-vp ${hello})
expect(126 "not a shared object" ${vp} --plugin ${WORK}/plugin/board.toml ${hello})
expect(126 "No such file" ${vp} --plugin ${WORK}/none.so ${hello})
