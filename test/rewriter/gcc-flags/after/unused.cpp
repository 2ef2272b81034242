// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int unused() {
  int forgotten;
  return 0;
}
