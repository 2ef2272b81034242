// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files belong to a run.
#include "Scope.h"

#include "gtest/gtest.h"

using namespace cancel_tools;

static Scope scope(llvm::ArrayRef<std::string> Paths, llvm::StringRef BuildDir) {
  llvm::Expected<Scope> Result = Scope::create(
      Paths, BuildDir.empty() ? std::vector<std::string>() : std::vector{BuildDir.str()});
  EXPECT_TRUE(bool(Result));
  return *Result;
}

TEST(Scope, WithoutPathsIsEverythingButTheBuildDirectory) {
  const Scope S = scope({}, "/p/build");
  EXPECT_EQ(S.of("/p/src/a.cpp"), Scope::Place::Inside);
  EXPECT_EQ(S.of("/elsewhere/a.h"), Scope::Place::Inside);
  EXPECT_EQ(S.of("/p/build/gen/a.cpp"), Scope::Place::BuildDir);
  EXPECT_EQ(S.of("/p/build2/a.cpp"), Scope::Place::Inside);
}

TEST(Scope, PathsLimitIt) {
  const Scope S = scope({"/usr/bin"}, "");
  EXPECT_EQ(S.of("/usr/bin/env"), Scope::Place::Inside);
  EXPECT_EQ(S.of("/usr/binary"), Scope::Place::Elsewhere);
  EXPECT_EQ(S.of("/usr"), Scope::Place::Elsewhere);
}

TEST(Scope, OnlyAPathWithinTheBuildDirectoryNamesIt) {
  EXPECT_EQ(scope({"/usr"}, "/usr/bin").of("/usr/bin/env"), Scope::Place::BuildDir);
  EXPECT_EQ(scope({"/usr/bin"}, "/usr/bin").of("/usr/bin/env"), Scope::Place::Inside);
  EXPECT_EQ(scope({"/usr", "/usr/bin/env"}, "/usr/bin").of("/usr/bin/env"), Scope::Place::Inside);
}

TEST(Scope, TheRootDirectoryContainsEverything) {
  EXPECT_EQ(scope({"/"}, "").of("/usr/bin/env"), Scope::Place::Inside);
}

TEST(Scope, APathThatDoesNotExistIsAnError) {
  llvm::Expected<Scope> Result = Scope::create({"/no/such/path"}, {});
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(llvm::toString(Result.takeError()),
            "cannot read '/no/such/path': No such file or directory");
}
