# Writes an assembler file that defines every function that LIBRARY exports under its own version (the clocks of the
# C library, which have none, it answers without being asked for): cmake -DNM= -DLIBRARY= -DOUTPUT= -P …
execute_process(COMMAND ${NM} -D --defined-only --format=posix ${LIBRARY} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z_0-9]+@@[^ ]* [TW] " symbols "${lines}")
set(text "")
foreach(symbol ${symbols})
    string(REGEX REPLACE "(@| ).*" "" name "${symbol}")
    string(APPEND text ".globl ${name}\n.type ${name}, %function\n${name}:\n")
endforeach()
if(text STREQUAL "")
    message(FATAL_ERROR "${LIBRARY} exports nothing")
endif()
file(WRITE ${OUTPUT} "${text}.section .note.GNU-stack,\"\",%progbits\n")
