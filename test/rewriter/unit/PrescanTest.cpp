// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which units need not be parsed, and which files they may read.
#include "Prescan.h"
#include "CommandLine.h"
#include "Installation.h"
#include "Parse.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <thread>
#include <unistd.h>

using namespace cancel_tools;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

bool contains(const std::string &Text, const std::string &Part) {
  return StringRef(Text).contains(Part);
}

constexpr StringRef Both = "co_await x; stop_callback y;";

constexpr Alternatives (*TwoRows[])() = {
    []() -> Alternatives { return {"co_await", "co_yield"}; },
    []() -> Alternatives { return {"stop_callback"}; },
};
const Check NeedsBoth = {"cancel-test", "", {}, TwoRows, nullptr, nullptr};

/// A directory of its own, with no search directory but those that a test gives.
class PrescanTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Made;
    ASSERT_FALSE(fs::createUniqueDirectory("prescan", Made));
    llvm::SmallString<128> Real;
    ASSERT_FALSE(fs::real_path(Made, Real));
    Root = std::string(Real);
  }
  void TearDown() override { fs::remove_directories(Root); }

  std::string path(StringRef Name) const { return Root + "/" + Name.str(); }

  void write(StringRef Name, StringRef Text) const {
    ASSERT_FALSE(fs::create_directories(llvm::sys::path::parent_path(path(Name))));
    std::error_code EC;
    llvm::raw_fd_ostream(path(Name), EC) << Text;
    ASSERT_FALSE(EC);
  }

  PrescanAnswer look(Prescan &With, std::vector<std::string> Flags,
                     StringRef MainFile = "main.cpp") const {
    std::vector<std::string> CommandLine{"/usr/bin/clang++", "-std=c++20", "-fsyntax-only",
                                         "-nostdinc"};
    CommandLine.insert(CommandLine.end(), Flags.begin(), Flags.end());
    CommandLine.insert(CommandLine.end(), {"--", path(MainFile)});
    return With.look(Root, CommandLine);
  }

  /// Why "main.cpp" must be parsed; empty if it need not.
  std::string why(std::vector<std::string> Flags = {}) const {
    Prescan Fresh(Checks);
    return look(Fresh, std::move(Flags)).WhyParse;
  }

  /// What "main.cpp" may read, if it need not be parsed.
  std::string files(std::vector<std::string> Flags = {}) const {
    Prescan Fresh(Checks);
    const PrescanAnswer Answer = look(Fresh, std::move(Flags));
    EXPECT_EQ(Answer.WhyParse, "");
    std::vector<std::string> Names;
    for (StringRef File : Answer.Files) {
      EXPECT_TRUE(File.consume_front(Root + "/")) << File.str();
      Names.push_back(File.str());
    }
    return llvm::join(Names, " ");
  }

  std::string Root;
  std::vector<EnabledCheck> Checks{EnabledCheck(NeedsBoth)};
};

const std::string Mentioned = "it may mention what a check looks for";

} // namespace

TEST_F(PrescanTest, AUnitNeedsAWordOfEachRow) {
  write("main.cpp", Both);
  EXPECT_EQ(why(), Mentioned);
  write("main.cpp", "co_yield x; stop_callback y;");
  EXPECT_EQ(why(), Mentioned);
  write("main.cpp", "co_await x;");
  EXPECT_EQ(why(), "");
  write("main.cpp", "stop_callback y; co_return;");
  EXPECT_EQ(why(), "");
}

TEST_F(PrescanTest, TheWordsMayStandInSeveralFiles) {
  write("main.cpp", "#include \"a.h\"\nco_await x;");
  write("a.h", "stop_callback y;");
  EXPECT_EQ(why(), Mentioned);
  write("main.cpp", "#include \"a.h\"\nstop_ x;");
  write("a.h", "co_await callback");
  EXPECT_EQ(why(), Mentioned) << "pasted together";
}

TEST_F(PrescanTest, AMacroOfTheFlagsCounts) {
  write("main.cpp", "AWAIT x; stop_callback y;");
  EXPECT_EQ(why(), "");
  EXPECT_EQ(why({"-DAWAIT=co_await"}), Mentioned);
  EXPECT_EQ(why({"-Xclang", "-DAWAIT=co_await"}), Mentioned);
}

TEST_F(PrescanTest, ACheckThatTellsNothingSkipsNothing) {
  static const Check Taciturn{"cancel-test", "", {}, {}, nullptr, nullptr};
  write("main.cpp", "");
  EXPECT_EQ(why(), "");
  Checks.emplace_back(Taciturn);
  EXPECT_EQ(why(), Mentioned);
}

TEST_F(PrescanTest, FollowsIncludesWhateverTheConditions) {
  write("main.cpp", "#if 0\n#include \"a.h\"\n#else\n#include <gone.h>\n#endif\n");
  write("a.h", "#import \"sub/b.h\"\n#include \"main.cpp\"\n");
  write("sub/b.h", "#include \"c.h\"\n#include \"../d.h\"\n");
  write("sub/c.h", "");
  write("d.h", "#include \"sub/../d.h\"");
  EXPECT_EQ(files(), "a.h d.h main.cpp sub/b.h sub/c.h");
}

TEST_F(PrescanTest, ANameMeansEveryFileThatHasIt) {
  write("main.cpp", "#include \"x.h\"\n#include <y.h>\n");
  for (StringRef Name : {"x.h", "y.h", "i/x.h", "i/y.h", "q/x.h", "q/y.h", "s/x.h", "s/y.h",
                         "after/y.h", "other/x.h"})
    write(Name, "");
  EXPECT_EQ(files({"-Ii", "-iquote", "q", "-isystem", path("s"), "-idirafter", "after"}),
            "after/y.h i/x.h i/y.h main.cpp q/x.h q/y.h s/x.h s/y.h x.h");
  EXPECT_EQ(files(), "main.cpp x.h") << "an angled name is not looked for beside the file";
}

TEST_F(PrescanTest, AnAbsoluteNameIsTakenAsItIs) {
  write("main.cpp", "#include \"" + path("far/a.h") + "\"\n");
  write("far/a.h", "#include \"b.h\"");
  write("far/b.h", "");
  EXPECT_EQ(files(), "far/a.h far/b.h main.cpp");
}

TEST_F(PrescanTest, ADirectoryIsNoHeader) {
  write("main.cpp", "#include <x>\n");
  write("i/x/other", "");
  write("j/x", "");
  EXPECT_EQ(files({"-Ii", "-Ij"}), "j/x main.cpp");
}

TEST_F(PrescanTest, ALinkIsItsTargetUnderAnotherName) {
  write("main.cpp", "#include \"link/a.h\"\n");
  write("far/a.h", "#include \"b.h\"\n");
  write("link/b.h", "");
  write("far/b.h", Both);
  ASSERT_FALSE(fs::rename(path("far/a.h"), path("far/real.h")));
  ASSERT_FALSE(fs::create_link(path("far/real.h"), path("link/a.h")));
  EXPECT_EQ(files(), "far/real.h link/b.h main.cpp") << "beside the link, as Clang does";

  ASSERT_FALSE(fs::remove_directories(path("link")));
  ASSERT_FALSE(fs::rename(path("far/real.h"), path("far/a.h")));
  ASSERT_FALSE(fs::create_link(path("far"), path("link")));
  EXPECT_EQ(why(), Mentioned);
}

TEST_F(PrescanTest, HeadersThatTheFlagsNameCount) {
  write("main.cpp", "");
  write("forced.h", "#include \"a.h\"");
  write("macros.h", "");
  write("a.h", "");
  EXPECT_EQ(files({"-include", "forced.h", "-imacros", path("macros.h")}),
            "a.h forced.h macros.h main.cpp");
  write("i/found.h", Both);
  EXPECT_EQ(why({"-include", "found.h", "-Ii"}), Mentioned);
  EXPECT_PRED2(contains, why({"-include", "gone.h"}), "'gone.h', which is not found");
}

TEST_F(PrescanTest, WhatAScanCannotFollowIsParsed) {
  write("main.cpp", "");
  for (const std::vector<std::string> &Flags :
       std::vector<std::vector<std::string>>{{"-fmodules"},
                                             {"-fmodule-file=m=m.pcm"},
                                             {"-fmodule-file=m.pcm"},
                                             {"-fprebuilt-module-path=m"},
                                             {"-fmodule-map-file=m"},
                                             {"-include-pch", "a.pch"},
                                             {"-ivfsoverlay", "a.yaml"},
                                             {"-working-directory", "sub"},
                                             {"-Xclang", "-remap-file", "-Xclang", "a;b"},
                                             {"-std=c++98"},
                                             {"-fms-extensions"},
                                             {"-fms-compatibility"},
                                             {"-no-such-flag"},
                                             {"-std=no-such-standard"},
                                             {"--target=no-such-target"},
                                             {"-v"}})
    EXPECT_PRED2(contains, why(Flags), "its flags mean ") << llvm::join(Flags, " ");
  EXPECT_EQ(why({"-DX=1"}), "");
}

TEST_F(PrescanTest, FrameworksAndHeaderMapsAreParsed) {
  write("main.cpp", "");
  write("F/x", "");
  EXPECT_PRED2(contains, why({"-iframework", "F"}), "frameworks or header maps");
  // The head of an empty header map.
  write("a.hmap", StringRef("pamh\1\0\0\0\30\0\0\0\0\0\0\0\10\0\0\0\0\0\0\0"
                            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                            120));
  EXPECT_PRED2(contains, why({"-Ia.hmap"}), "frameworks or header maps");
  write("main.cpp", "#include \"A.framework/Headers/a.h\"");
  write("A.framework/Headers/a.h", "");
  EXPECT_PRED2(contains, why(), "A.framework/Headers/a.h belongs to a framework");
}

TEST_F(PrescanTest, AFileWithAnObstacleIsNamed) {
  write("main.cpp", "#include \"a.h\"\n");
  write("a.h", "#if 0\n#include HEADER\n#endif");
  EXPECT_EQ(why(), path("a.h") + " includes a file whose name a macro makes");
  write("a.h", "?"
               "?=include <b.h>");
  EXPECT_EQ(why(), path("a.h") + " has trigraphs");
  write("a.h", "#embed <b>");
  EXPECT_EQ(why(), path("a.h") + " embeds a file");
  write("a.h", "#if 0\n#include \"generated.h\"\n#endif");
  EXPECT_EQ(why(), path("a.h") + " includes 'generated.h', which is not found");
}

TEST_F(PrescanTest, AFileThatCannotBeReadIsParsed) {
  EXPECT_EQ(why(), "it cannot be read") << "there is no main file";
  write("main.cpp", "#include \"/dev/null\"");
  EXPECT_EQ(why(), "/dev/null is no regular file");
  write("main.cpp", "#include \"a.h\"");
  write("a.h", "");
  ASSERT_FALSE(fs::setPermissions(path("a.h"), fs::no_perms));
  if (::geteuid() != 0) { // root reads everything
    EXPECT_EQ(why(), path("a.h") + " cannot be read");
  }
}

TEST_F(PrescanTest, ReachesAllThatClangReads) {
  write("main.cpp", "#include <coroutine>\n#include <regex>\n#include <stop_token>\n#include "
                    "<thread>\n#include \"a.h\"\n");
  write("a.h", "#include <unistd.h>\n#include <sys/socket.h>\n#include <immintrin.h>\n");
  llvm::Expected<std::string> ResourceDir = findResourceDir("");
  ASSERT_TRUE(bool(ResourceDir)) << llvm::toString(ResourceDir.takeError());
  const std::vector<std::string> CommandLine =
      parseCommand({Root, path("main.cpp"), {"c++", "-std=c++20", "main.cpp"}, ""},
                   {*ResourceDir, "", {}}, Warnings::Off);
  Prescan Texts(Checks);
  const PrescanAnswer Answer = Texts.look(Root, CommandLine);
  ASSERT_EQ(Answer.WhyParse, "");
  const ParseReport Report = parse({Root, CommandLine, {}, {}, ""});
  EXPECT_TRUE(Report.Errors.empty()) << describe(Report.Errors.front());
  EXPECT_GT(Report.Files.size(), 100u);
  for (const std::string &File : Report.Files)
    EXPECT_TRUE(llvm::binary_search(Answer.Files, StringRef(File))) << File;
}

TEST_F(PrescanTest, UnitsShareWhatIsKnownOfFilesAndFlags) {
  Prescan Shared(Checks);
  write("a.h", "co_await x;");
  write("one.cpp", "#include \"a.h\"");
  write("two.cpp", "#include \"a.h\"\nstop_callback y;");
  write("three.cc", "");
  EXPECT_EQ(look(Shared, {}, "one.cpp").WhyParse, "");
  write("a.h", ""); // each file is read once
  EXPECT_EQ(look(Shared, {}, "two.cpp").WhyParse, Mentioned);
  EXPECT_EQ(look(Shared, {"-DX"}, "two.cpp").WhyParse, Mentioned);
  EXPECT_EQ(look(Shared, {"-DY=co_yield"}, "three.cc").WhyParse, "");
  EXPECT_EQ(look(Shared, {}, "gone.cpp").WhyParse, "it cannot be read");
  EXPECT_EQ(look(Shared, {}, "three.cc").WhyParse, "") << "no fault of its flags";
}

TEST_F(PrescanTest, ManyThreadsFindWhatOneFinds) {
  Prescan Shared(Checks);
  for (int I = 0; I != 40; ++I)
    write("h" + std::to_string(I) + ".h", "#include <h" + std::to_string((I + 1) % 40) + ".h>");
  write("main.cpp", "#include <h0.h>");
  std::vector<std::thread> Threads;
  for (int T = 0; T != 8; ++T)
    Threads.emplace_back([&, T] {
      const std::vector<std::string> Flags{"-I" + Root, "-DT=" + std::to_string(T % 2)};
      EXPECT_EQ(look(Shared, Flags).Files.size(), 41u);
    });
  for (std::thread &T : Threads)
    T.join();
}
