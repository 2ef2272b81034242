# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies sources and lets cancel-migrate rewrite the copy, as a user would: with a compilation
# database and --apply. Run as a script; see migrated_copy.cmake for the variables.

file(REMOVE_RECURSE ${OUTPUT})
file(COPY ${FILES} DESTINATION ${OUTPUT})

set(database "[]")
set(count 0)
foreach(file IN LISTS FILES)
  cmake_path(GET file FILENAME name)
  if(name MATCHES "\\.cpp$")
    set(arguments "[]")
    set(argument_count 0)
    foreach(argument IN ITEMS ${COMPILER} LISTS FLAGS ITEMS -c ${OUTPUT}/${name})
      string(JSON arguments SET ${arguments} ${argument_count} "\"${argument}\"")
      math(EXPR argument_count "${argument_count} + 1")
    endforeach()
    set(command "{}")
    string(JSON command SET ${command} directory "\"${OUTPUT}\"")
    string(JSON command SET ${command} file "\"${OUTPUT}/${name}\"")
    string(JSON command SET ${command} arguments ${arguments})
    string(JSON database SET ${database} ${count} ${command})
    math(EXPR count "${count} + 1")
  endif()
endforeach()
file(WRITE ${OUTPUT}/compile_commands.json "${database}\n")

execute_process(
  COMMAND ${MIGRATE} -p ${OUTPUT} --apply ${OUTPUT}
  OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE result)
file(WRITE ${OUTPUT}/cancel-migrate.log "${log}")
if(NOT result EQUAL 1) # 0 would mean that there was nothing to rewrite
  message(FATAL_ERROR "cancel-migrate ended with ${result}, expected changes (1)\n${log}")
endif()
