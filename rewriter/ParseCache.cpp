// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries carry the name that LLVM's pruning of caches looks for.
#include "ParseCache.h"

#include "JsonFile.h"
#include "Protocol.h"

#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <tuple>

namespace fs = llvm::sys::fs;
namespace json = llvm::json;
using llvm::StringRef;

namespace cancel_tools {

static std::optional<std::string> hashOf(StringRef File) {
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return std::nullopt;
  return contentHash((*Text)->getBuffer());
}

std::string ParseCache::hashOnDisk(const std::string &File) const {
  {
    const std::lock_guard<std::mutex> Lock(Mutex);
    if (auto Known = Hashes.find(File); Known != Hashes.end())
      return Known->second;
  }
  std::string Hash = hashOf(File).value_or("");
  const std::lock_guard<std::mutex> Lock(Mutex);
  return Hashes.try_emplace(File, std::move(Hash)).first->second;
}

std::optional<std::string> ParseCache::digestNow(const ParseRequest &Request,
                                                 llvm::ArrayRef<std::string> Files) const {
  FilesDigest Digest;
  for (const std::string &File : Files) {
    if (Request.Overlay.count(File) != 0)
      continue;
    const std::string Hash = hashOnDisk(File);
    if (Hash.empty())
      return std::nullopt;
    Digest.add(File, Hash);
  }
  return Digest.result();
}

// Edited texts stand in scratch files: their content counts, not where it happens to be.
std::string ParseCache::entryFor(const ParseRequest &Request) const {
  ParseRequest Key = Request;
  for (auto &[File, TextFile] : Key.Overlay)
    TextFile = hashOf(TextFile).value_or("");
  llvm::SmallString<256> Entry(Directory);
  llvm::sys::path::append(
      Entry, "llvmcache-" + contentHash(Program + llvm::formatv("{0}", toJSON(Key)).str()));
  return std::string(Entry);
}

std::optional<ParseReport> ParseCache::find(const ParseRequest &Request) const {
  llvm::Expected<json::Value> V = readJsonFile(entryFor(Request));
  llvm::Expected<ParseReport> Report = V ? reportFromJSON(*V) : V.takeError();
  if (!Report) {
    llvm::consumeError(Report.takeError()); // not there, or written by nobody we know
    return std::nullopt;
  }
  if (digestNow(Request, Report->Files) != Report->Digest)
    return std::nullopt;
  ++Hits;
  return std::move(*Report);
}

void ParseCache::store(const ParseRequest &Request, const ParseReport &Report) const {
  if (!Report.Errors.empty())
    return;
  std::error_code EC = fs::create_directories(Directory);
  if (!EC)
    EC = writeJsonFile(entryFor(Request), toJSON(Report));
  if (!EC)
    return;
  const std::lock_guard<std::mutex> Lock(Mutex);
  if (!Obstacle)
    Obstacle = "cannot write to the cache '" + Directory + "': " + EC.message();
}

void ParseCache::prune() const {
  llvm::CachePruningPolicy Policy;
  Policy.Interval = std::chrono::hours(24);
  Policy.Expiration = std::chrono::hours(24 * 30);
  Policy.MaxSizeBytes = uint64_t(1) << 30;
  llvm::pruneCache(Directory, Policy);
}

std::optional<std::string> ParseCache::obstacle() const {
  const std::lock_guard<std::mutex> Lock(Mutex);
  return Obstacle;
}

} // namespace cancel_tools
