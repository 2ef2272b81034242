# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the command BUILD and then the command RUN; each must succeed.
foreach(step BUILD RUN)
  execute_process(COMMAND ${${step}} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
