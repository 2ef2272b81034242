// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every reader names the file that it cannot read.
#include "JsonFile.h"

#include "ReplaceFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

namespace json = llvm::json;
using llvm::StringRef;

namespace cancel_tools {

std::error_code writeJsonFile(StringRef File, const json::Value &V) {
  return createLosableFile(File, llvm::formatv("{0}", V).str());
}

llvm::Expected<json::Value> readJsonFile(StringRef File) {
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return llvm::errorCodeToError(Text.getError());
  return json::parse((*Text)->getBuffer());
}

llvm::Error readStageFile(StringRef File, llvm::function_ref<bool(json::ObjectMapper &)> Read) {
  const auto Fault = [&](const llvm::Twine &What) {
    return llvm::createStringError("cannot read '" + File + "': " + What);
  };
  llvm::Expected<json::Value> V = readJsonFile(File);
  if (!V)
    return Fault(llvm::toString(V.takeError()));
  const json::Object *Fields = V->getAsObject();
  const std::optional<int64_t> Format = Fields ? Fields->getInteger("format") : std::nullopt;
  if (!Format)
    return Fault("no stage of cancel-migrate has written it");
  if (*Format != StageFormat)
    return Fault(
        llvm::formatv("its format is {0}, this version reads {1}", *Format, StageFormat).str());
  json::Path::Root Root("");
  json::ObjectMapper O(*V, Root);
  if (!O || !Read(O))
    return Fault(llvm::toString(Root.getError()));
  return llvm::Error::success();
}

llvm::Error writeStageFile(StringRef File, json::Object Fields) {
  Fields["format"] = StageFormat;
  if (std::error_code EC = writeJsonFile(File, std::move(Fields)))
    return llvm::createStringError(EC, "cannot write '" + File + "': " + EC.message());
  return llvm::Error::success();
}

} // namespace cancel_tools
