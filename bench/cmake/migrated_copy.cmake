# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# migrated_copy(<directory> FILES <file>... [DEFINITIONS <definition>...])
#
# Adds the rule that makes <directory>/after out of copies of the files by cancel-migrate --apply,
# and <directory>/before, the same copies untouched. Both have a compilation database. The rule runs
# again when a file or the tool changes. Use the migrated copies as sources of a target; what they
# include of the runtime comes with linking cancel::cancel.
function(migrated_copy directory)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES;DEFINITIONS")
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(copies)
  foreach(file IN LISTS arg_FILES)
    cmake_path(GET file FILENAME name)
    list(APPEND copies ${directory}/after/${name})
  endforeach()
  list(TRANSFORM arg_DEFINITIONS PREPEND -D)
  set(flags -std=c++20 ${arg_DEFINITIONS} -I${PROJECT_SOURCE_DIR}/runtime/include)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/migrate.cmake)
  add_custom_command(
    OUTPUT ${copies}
    COMMAND ${CMAKE_COMMAND} -DBEFORE=${directory}/before -DAFTER=${directory}/after
            "-DFILES=${arg_FILES}" "-DFLAGS=${flags}" -DCOMPILER=${CMAKE_CXX_COMPILER}
            -DMIGRATE=$<TARGET_FILE:cancel-migrate> -P ${script}
    DEPENDS ${arg_FILES} cancel-migrate ${script}
    COMMENT "Migrating a copy into ${directory}/after"
    VERBATIM)
endfunction()
