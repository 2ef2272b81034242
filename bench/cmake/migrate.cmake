# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies sources twice, each time with a compilation database, and lets cancel-migrate rewrite the
# second copy. Run as a script; migrated_copy.cmake sets the variables.

# Copies FILES into a directory and writes the database of the translation units among them.
function(copy_with_database directory)
  file(REMOVE_RECURSE ${directory})
  file(COPY ${FILES} DESTINATION ${directory})
  set(database "[]")
  set(count 0)
  foreach(file IN LISTS FILES)
    cmake_path(GET file FILENAME name)
    if(name MATCHES "\\.cpp$")
      list(JOIN FLAGS "\", \"" flags)
      string(JSON database SET ${database} ${count} "{
        \"directory\": \"${directory}\", \"file\": \"${name}\",
        \"arguments\": [\"${COMPILER}\", \"${flags}\", \"-c\", \"${name}\"]}")
      math(EXPR count "${count} + 1")
    endif()
  endforeach()
  file(WRITE ${directory}/compile_commands.json "${database}\n")
endfunction()

copy_with_database(${BEFORE})
copy_with_database(${AFTER})
execute_process(
  COMMAND ${MIGRATE} -p ${AFTER} --apply ${AFTER}
  OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE result)
if(NOT result EQUAL 1) # 0 would mean that there was nothing to rewrite
  message(FATAL_ERROR "cancel-migrate ended with ${result}, expected changes (1)\n${log}")
endif()
