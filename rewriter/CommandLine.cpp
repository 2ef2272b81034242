// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's own option table decides what a flag is, so that no list of GCC's flags has to be kept
// here.
#include "CommandLine.h"

#include "LLVMCompat.h"

#include "clang/Driver/Types.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace types = clang::driver::types;
using clang::tooling::CompileCommand;
using llvm::StringRef;
using llvm::opt::Arg;

namespace cancel_tools {
namespace {

/// A command's arguments, read with Clang's option table. Borrows the strings of the command.
class ParsedArgs {
public:
  explicit ParsedArgs(llvm::ArrayRef<std::string> Words) {
    llvm::SmallVector<const char *, 64> Pointers;
    for (const std::string &Word : Words.drop_front(Words.empty() ? 0 : 1))
      if (!StringRef(Word).starts_with(
              "@")) // expanded before, so this response file does not exist
        Pointers.push_back(Word.c_str());
    unsigned MissingIndex = 0, MissingCount = 0;
    Args = driverOptions().ParseArgs(Pointers, MissingIndex, MissingCount,
                                     llvm::opt::Visibility(driver_options::ClangOption));
  }

  const llvm::opt::InputArgList &operator*() const { return Args; }
  const llvm::opt::InputArgList *operator->() const { return &Args; }

private:
  llvm::opt::InputArgList Args;
};

} // namespace

// What a parse must not do: write files, load code, read profiles of another compiler.
static bool hasSideEffect(const Arg &A) {
  using namespace driver_options;
  const llvm::opt::Option &O = A.getOption();
  for (unsigned Id :
       {unsigned(OPT_o), unsigned(OPT_M_Group), unsigned(OPT_Action_Group),
        unsigned(OPT__serialize_diags), unsigned(OPT_save_temps), unsigned(OPT_save_temps_EQ),
        unsigned(OPT_ftime_trace), unsigned(OPT_ftime_trace_EQ),
        unsigned(OPT_gen_cdb_fragment_path), unsigned(OPT_fplugin_EQ),
        unsigned(OPT_fpass_plugin_EQ), unsigned(OPT_fprofile_use), unsigned(OPT_fprofile_use_EQ),
        unsigned(OPT_fprofile_instr_use_EQ), unsigned(OPT_fprofile_sample_use_EQ),
        unsigned(OPT__HASH_HASH_HASH)})
    if (O.matches(Id))
      return true;
  if (O.matches(OPT_Wp_COMMA)) // -Wp,-MD,FILE
    return llvm::any_of(A.getValues(), [](StringRef V) { return V.starts_with("-M"); });
  return O.matches(OPT_UNKNOWN) || O.matches(OPT_INPUT);
}

static bool concernsWarnings(const Arg &A) {
  return A.getOption().matches(driver_options::OPT_W_Joined) ||
         A.getOption().matches(driver_options::OPT_pedantic_errors);
}

// -Xclang words whose argument, also a -Xclang word, loads code or a precompiled header.
static bool takesForeignFile(StringRef CC1Word) {
  return CC1Word == "-load" || CC1Word == "-plugin" || CC1Word == "-add-plugin" ||
         CC1Word == "-include-pch" || CC1Word.starts_with("-plugin-arg-");
}

// A precompiled header belongs to one compiler and one state of its sources; the header itself will
// do.
static void appendPrecompiled(StringRef Precompiled, std::vector<std::string> &Out) {
  for (StringRef Suffix : {".pch", ".gch"})
    if (StringRef Header = Precompiled; Header.consume_back(Suffix))
      Out.insert(Out.end(), {"-include", Header.str()});
}

static void appendKept(const ParsedArgs &Args, Warnings W, std::vector<std::string> &Out) {
  bool SkipXclang = false;
  for (const Arg *A : *Args) {
    if (A->getOption().matches(driver_options::OPT_Xclang)) {
      StringRef Word = A->getValue();
      if (SkipXclang || takesForeignFile(Word)) {
        SkipXclang = !SkipXclang;
        continue;
      }
    } else if (A->getOption().matches(driver_options::OPT_include_pch)) {
      appendPrecompiled(A->getValue(), Out);
      continue;
    }
    if (hasSideEffect(*A) || (W == Warnings::Off && concernsWarnings(*A)))
      continue;
    llvm::opt::ArgStringList Rendered;
    A->render(*Args, Rendered);
    Out.insert(Out.end(), Rendered.begin(), Rendered.end());
  }
}

// Clang finds its C++ library and GCC's relative to the compiler that the build ran, symbolic links
// resolved.
static std::string compilerPath(StringRef Name) {
  llvm::SmallString<256> Real;
  llvm::ErrorOr<std::string> Found = llvm::sys::findProgramByName(Name);
  if (Found && !llvm::sys::fs::real_path(*Found, Real))
    return std::string(Real);
  return Name.str();
}

bool compilesCxx(const CompileCommand &Command) {
  ParsedArgs Args(Command.CommandLine);
  types::ID Type = types::TY_INVALID;
  if (const Arg *Language = Args->getLastArg(driver_options::OPT_x))
    Type = types::lookupTypeForTypeSpecifier(Language->getValue());
  if (Type == types::TY_INVALID) {
    StringRef Extension = llvm::sys::path::extension(Command.Filename);
    Type = types::lookupTypeForExtension(Extension.drop_front(Extension.empty() ? 0 : 1));
    if (Type == types::TY_C && !Command.CommandLine.empty() &&
        StringRef(llvm::sys::path::filename(Command.CommandLine.front())).contains("++"))
      Type = types::TY_CXX;
  }
  return Type != types::TY_INVALID && types::isCXX(Type) && !types::isCuda(Type) &&
         !types::isHIP(Type);
}

std::vector<std::string> parseCommand(const CompileCommand &Command, const ParseSettings &Settings,
                                      Warnings W) {
  ParsedArgs Args(Command.CommandLine);
  StringRef Compiler = Command.CommandLine.empty() ? "c++" : StringRef(Command.CommandLine.front());

  std::vector<std::string> Out{compilerPath(Compiler)};
  appendKept(Args, W, Out);
  clang::tooling::addTargetAndModeForProgramName(Out, Compiler);
  if (!Args->hasArg(driver_options::OPT_resource_dir, driver_options::OPT_resource_dir_EQ) &&
      !Settings.ResourceDir.empty())
    Out.insert(Out.end(), {"-resource-dir", Settings.ResourceDir});
  // GCC's names of warnings and unused flags say nothing about the code.
  Out.insert(Out.end(), {"-fsyntax-only", "-Qunused-arguments", "-Wno-unknown-warning-option",
                         "-Wno-ignored-optimization-argument"});
  if (W == Warnings::Off)
    Out.push_back("-w");
  else
    Out.push_back("-ferror-limit=0");
  Out.insert(Out.end(), Settings.ExtraArgs.begin(), Settings.ExtraArgs.end());
  if (!Settings.RuntimeDir.empty())
    Out.insert(Out.end(), {"-idirafter", Settings.RuntimeDir});
  Out.insert(Out.end(), {"--", Command.Filename});
  return Out;
}

} // namespace cancel_tools
