// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files belong to a run.
#include "Scope.h"

#include "gtest/gtest.h"

using namespace cancel_tools;

static Scope scope(llvm::ArrayRef<std::string> Paths, llvm::StringRef BuildDir) {
  llvm::Expected<Scope> Result = Scope::create(
      {Paths.vec(), ""},
      BuildDir.empty() ? std::vector<std::string>() : std::vector{BuildDir.str()}, {});
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
  llvm::Expected<Scope> Result = Scope::create({{"/no/such/path"}, ""}, {}, {"/p/src/a.cpp"});
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(llvm::toString(Result.takeError()),
            "cannot read '/no/such/path': No such file or directory, and no source of the build "
            "matches it as a regular expression");
}

TEST(Scope, APathThatDoesNotExistMayBeARegularExpression) {
  llvm::Expected<Scope> S = Scope::create({{"src/[ab]"}, ""}, {"/p/build"},
                                          {"/p/src/a.cpp", "/p/src/z.cpp", "/p/build/src/b.cpp"});
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());
  EXPECT_EQ(S->of("/p/src/a.cpp"), Scope::Place::Inside);
  EXPECT_EQ(S->of("/p/src/b.h"), Scope::Place::Inside);
  EXPECT_EQ(S->of("/p/src/z.cpp"), Scope::Place::Elsewhere);
  EXPECT_EQ(S->of("/p/build/src/b.cpp"), Scope::Place::Inside);
  EXPECT_TRUE(S->names("/p/src/a.cpp"));
  EXPECT_FALSE(S->mayConcernEveryUnit({"/p/src/a.cpp", "/p/src/z.cpp"}));
}

TEST(Scope, AFilterConcernsHeadersAlone) {
  llvm::Expected<Scope> S = Scope::create({{}, "include/"}, {}, {"/p/src/a.cpp"});
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());
  EXPECT_EQ(S->of("/p/src/a.cpp"), Scope::Place::Inside);
  EXPECT_EQ(S->of("/p/src/a.h"), Scope::Place::FilteredHeader);
  EXPECT_EQ(S->of("/p/include/a.h"), Scope::Place::Inside);
}

TEST(Scope, AFilterThatIsNoRegularExpressionIsAnError) {
  llvm::Expected<Scope> S = Scope::create({{}, "inc("}, {}, {});
  ASSERT_FALSE(bool(S));
  EXPECT_NE(llvm::toString(S.takeError()).find("'inc(' is no regular expression: "),
            std::string::npos);
}
