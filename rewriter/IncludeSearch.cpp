// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets Clang prepare the preprocessor for an empty file and looks at what it has prepared.
#include "IncludeSearch.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using llvm::StringRef;

namespace cancel_tools {
namespace {

/// The first that applies of what brings text by other ways than include directives.
StringRef obstacleOf(clang::CompilerInvocation &Invocation) {
  const clang::FrontendOptions &Frontend = Invocation.getFrontendOpts();
  const clang::HeaderSearchOptions &Search = Invocation.getHeaderSearchOpts();
  const clang::PreprocessorOptions &Preprocessor = Invocation.getPreprocessorOpts();
  if (Search.ImplicitModuleMaps || !Search.PrebuiltModuleFiles.empty() ||
      !Search.PrebuiltModulePaths.empty() || Search.EnablePrebuiltImplicitModules ||
      !Frontend.ModuleMapFiles.empty() || !Frontend.ModuleFiles.empty())
    return "modules";
  if (!Preprocessor.ImplicitPCHInclude.empty() || !Preprocessor.PCHThroughHeader.empty() ||
      !Preprocessor.ChainedIncludes.empty() || !Frontend.ASTMergeFiles.empty())
    return "a precompiled header";
  if (!Search.VFSOverlayFiles.empty() || !Preprocessor.RemappedFiles.empty() ||
      !Invocation.getFileSystemOpts().WorkingDir.empty())
    return "files under other names";
  // C++98 ends a character before what C++11 takes for its suffix.
  if (!Invocation.getLangOpts().CPlusPlus11)
    return "an old language";
  // #pragma include_alias, includes relative to the includers of the includer, an end of file
  // within files.
  if (Invocation.getLangOpts().MicrosoftExt || Invocation.getLangOpts().MSVCCompat)
    return "Microsoft's preprocessor";
  if (Frontend.Inputs.size() != 1 || !Frontend.Inputs.front().isFile() ||
      Frontend.Inputs.front().getKind().getFormat() != clang::InputKind::Source)
    return "an input that is no source";
  return "";
}

class SearchAction : public clang::PreprocessOnlyAction {
public:
  SearchAction(StringRef Directory, IncludeSearch &Result) : Directory(Directory), Result(Result) {}

  void ExecuteAction() override {
    clang::Preprocessor &Prepared = getCompilerInstance().getPreprocessor();
    Result.Predefines = Prepared.getPredefines();
    Result.Obstacle.clear();
    for (const clang::DirectoryLookup &Searched :
         Prepared.getHeaderSearchInfo().search_dir_range()) {
      if (!Searched.isNormalDir()) {
        Result.Obstacle = "frameworks or header maps";
        return;
      }
      const StringRef Name = Searched.getName();
      llvm::SmallString<256> Path(llvm::sys::path::is_absolute(Name) ? "" : Directory);
      llvm::sys::path::append(Path, Name);
      Result.Directories.emplace_back(Path);
    }
  }

private:
  const StringRef Directory;
  IncludeSearch &Result;
};

class SearchFactory : public clang::tooling::FrontendActionFactory {
public:
  SearchFactory(StringRef Directory, IncludeSearch &Result)
      : Directory(Directory), Result(Result) {}

  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<SearchAction>(Directory, Result);
  }

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> Invocation,
                     clang::FileManager *Files, std::shared_ptr<clang::PCHContainerOperations> PCHs,
                     clang::DiagnosticConsumer *Diagnostics) override {
    if (StringRef Obstacle = obstacleOf(*Invocation); !Obstacle.empty()) {
      Result.Obstacle = Obstacle.str();
      return true;
    }
    // In place of the main file, which differs from unit to unit. What else the flags ask of the
    // frontend, as timings, is for the parse.
    const llvm::MemoryBufferRef Empty("", "empty");
    const clang::InputKind Kind = Invocation->getFrontendOpts().Inputs.front().getKind();
    Invocation->getFrontendOpts() = clang::FrontendOptions();
    Invocation->getFrontendOpts().Inputs.emplace_back(Empty, Kind);
    Invocation->getDependencyOutputOpts() = clang::DependencyOutputOptions();
    Invocation->getDiagnosticOpts().ShowCarets = false; // nor the number of errors
    return FrontendActionFactory::runInvocation(std::move(Invocation), Files, std::move(PCHs),
                                                Diagnostics);
  }

private:
  const StringRef Directory;
  IncludeSearch &Result;
};

} // namespace

IncludeSearch includeSearch(const std::string &Directory,
                            const std::vector<std::string> &CommandLine) {
  IncludeSearch Result;
  if (llvm::is_contained(CommandLine, "-v")) { // it would talk on standard error
    Result.Obstacle = "-v";
    return Result;
  }
  Result.Obstacle = "flags that Clang rejects";
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FileSystem =
      llvm::vfs::createPhysicalFileSystem();
  if (FileSystem->setCurrentWorkingDirectory(Directory))
    return Result;
  llvm::IntrusiveRefCntPtr<clang::FileManager> Files(
      new clang::FileManager(clang::FileSystemOptions(), FileSystem));
  SearchFactory Factory(Directory, Result);
  clang::DiagnosticConsumer Silent; // counts, and says nothing
  clang::tooling::ToolInvocation Invocation(CommandLine, &Factory, Files.get(),
                                            std::make_shared<clang::PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Silent);
  if ((!Invocation.run() || Silent.getNumErrors() != 0) && Result.Obstacle.empty())
    Result.Obstacle = "flags that Clang rejects";
  return Result;
}

} // namespace cancel_tools
