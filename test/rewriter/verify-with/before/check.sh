# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stands for a build and its tests: two.cpp must stay as it is, and nothing generated may be copied.
test ! -e build || { echo "build/ was copied"; exit 9; }
case ":$CPLUS_INCLUDE_PATH:" in *runtime*) ;; *) echo "no runtime"; exit 9 ;; esac
grep -q stop_slot src/two.cpp && { echo "two is pinned"; echo; exit 3; }
echo built >made # what the command makes stays in the copy
exit 0
