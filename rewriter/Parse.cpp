// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only place of the rewriter that sees an AST.
#include "Parse.h"

#include "DisplayPath.h"
#include "TranslationUnit.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <set>

using llvm::StringRef;

namespace cancel_tools {
namespace {

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  explicit ErrorCollector(std::vector<ParseError> &Errors) : Errors(Errors) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < clang::DiagnosticsEngine::Error)
      return;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    ParseError Error;
    Error.Message = std::string(Text);
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      clang::PresumedLoc Place = Info.getSourceManager().getPresumedLoc(Info.getLocation());
      if (Place.isValid())
        Error = {Place.getFilename(), Place.getLine(), Place.getColumn(), std::move(Error.Message)};
    }
    Errors.push_back(std::move(Error));
  }

private:
  std::vector<ParseError> &Errors;
};

class Examiner : public clang::ASTConsumer {
public:
  Examiner(const ParseRequest &Request, ParseReport &Report) : Request(Request), Report(Report) {}

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    if (Report.Errors.empty() && !Request.Checks.empty())
      Report.Facts = examine(TranslationUnit::of(Context), Request.Checks);
  }

private:
  const ParseRequest &Request;
  ParseReport &Report;
};

class ExamineAction : public clang::ASTFrontendAction {
public:
  ExamineAction(const ParseRequest &Request, ParseReport &Report)
      : Request(Request), Report(Report) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        StringRef) override {
    return std::make_unique<Examiner>(Request, Report);
  }

  void EndSourceFileAction() override {
    const clang::SourceManager &Sources = getCompilerInstance().getSourceManager();
    std::map<std::string, std::string> Files;
    std::set<std::string> RuntimeHeaders;
    const std::string Runtime = realPath(Request.RuntimeDir) + "/";
    for (auto It = Sources.fileinfo_begin(), End = Sources.fileinfo_end(); It != End; ++It) {
      const std::string File = realPath(It->first.getName());
      Files.emplace(File, hashAsRead(*It->second, File));
      StringRef Header = File;
      if (!Request.RuntimeDir.empty() && Header.consume_front(Runtime) &&
          !StringRef(includerOf(It->first)).starts_with(Runtime) && !ownFlagsReach(Header))
        RuntimeHeaders.insert(Header.str());
    }
    for (const auto &[Edited, Hash] : Report.Facts.EditedFiles)
      addStyles(Edited, Files);
    Files.erase("");
    FilesDigest Digest;
    for (const auto &[File, Hash] : Files) {
      Report.Files.push_back(File);
      if (Request.Overlay.count(File) == 0)
        Digest.add(File, Hash);
    }
    Report.Digest = Digest.result();
    if (!RuntimeHeaders.empty())
      Report.RuntimeHeader = *RuntimeHeaders.begin();
  }

private:
  /// The files that say how the edits are laid out.
  void addStyles(StringRef Edited, std::map<std::string, std::string> &Files) const {
    for (StringRef Directory = llvm::sys::path::parent_path(Edited); !Directory.empty();
         Directory = llvm::sys::path::parent_path(Directory))
      for (StringRef Name : {".clang-format", "_clang-format"}) {
        llvm::SmallString<256> File(Directory);
        llvm::sys::path::append(File, Name);
        if (auto Text = llvm::MemoryBuffer::getFile(File))
          Files.emplace(realPath(File), contentHash((*Text)->getBuffer()));
      }
  }

  /// A file whose text was not needed counts with what is on disk.
  static std::string hashAsRead(const clang::SrcMgr::ContentCache &Content, StringRef File) {
    if (auto Read = Content.getBufferIfLoaded())
      return contentHash(Read->getBuffer());
    auto Text = llvm::MemoryBuffer::getFile(File);
    return Text ? contentHash((*Text)->getBuffer()) : std::string();
  }

  std::string realPath(StringRef Path) const {
    llvm::SmallString<256> Real;
    const bool Failed = bool(getCompilerInstance().getVirtualFileSystem().getRealPath(Path, Real));
    return Failed ? std::string() : std::string(Real);
  }

  std::string includerOf(clang::FileEntryRef File) const {
    const clang::SourceManager &Sources = getCompilerInstance().getSourceManager();
    const clang::SourceLocation Include = Sources.getIncludeLoc(Sources.translateFile(File));
    const auto Includer = Sources.getFileEntryRefForID(Sources.getFileID(Include));
    return Includer ? realPath(Includer->getName()) : std::string();
  }

  /// Whether an include directory of the command, besides the one that was added to it, has the
  /// header.
  bool ownFlagsReach(StringRef Header) const {
    const auto &Entries = getCompilerInstance().getHeaderSearchOpts().UserEntries;
    return llvm::any_of(Entries, [&](const clang::HeaderSearchOptions::Entry &E) {
      const bool Added = E.Group == clang::frontend::After && E.Path == Request.RuntimeDir;
      return !Added && getCompilerInstance().getVirtualFileSystem().exists(E.Path + "/" + Header);
    });
  }

  const ParseRequest &Request;
  ParseReport &Report;
};

class ExamineFactory : public clang::tooling::FrontendActionFactory {
public:
  ExamineFactory(const ParseRequest &Request, ParseReport &Report)
      : Request(Request), Report(Report) {}

  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<ExamineAction>(Request, Report);
  }

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> Invocation,
                     clang::FileManager *Files, std::shared_ptr<clang::PCHContainerOperations> PCHs,
                     clang::DiagnosticConsumer *Diagnostics) override {
    // Clang overlays by file identity, so this reaches the file through symbolic links as well.
    for (const auto &[Path, TextFile] : Request.Overlay)
      if (auto Text = llvm::MemoryBuffer::getFile(TextFile))
        Invocation->getPreprocessorOpts().addRemappedFile(Path, Text->release());
      else
        Report.Errors.push_back({Path, 0, 0, "cannot read the edited text"});
    return FrontendActionFactory::runInvocation(std::move(Invocation), Files, std::move(PCHs),
                                                Diagnostics);
  }

private:
  const ParseRequest &Request;
  ParseReport &Report;
};

} // namespace

ParseReport parse(const ParseRequest &Request) {
  ParseReport Report;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FileSystem =
      llvm::vfs::createPhysicalFileSystem();
  if (std::error_code EC = FileSystem->setCurrentWorkingDirectory(Request.Directory)) {
    Report.Errors.push_back({Request.Directory, 0, 0, EC.message()});
    return Report;
  }
  llvm::IntrusiveRefCntPtr<clang::FileManager> Files(
      new clang::FileManager(clang::FileSystemOptions(), FileSystem));
  ExamineFactory Factory(Request, Report);
  ErrorCollector Errors(Report.Errors);
  clang::tooling::ToolInvocation Invocation(Request.CommandLine, &Factory, Files.get(),
                                            std::make_shared<clang::PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Errors);
  if (!Invocation.run() && Report.Errors.empty())
    Report.Errors.push_back({"", 0, 0, "Clang cannot run this command"});
  return Report;
}

std::string describe(const ParseError &E) {
  if (E.File.empty())
    return E.Message;
  std::string Place = displayPath(E.File) + ":";
  if (E.Line != 0)
    Place += std::to_string(E.Line) + ":" + std::to_string(E.Column) + ":";
  return Place + " " + E.Message;
}

} // namespace cancel_tools
