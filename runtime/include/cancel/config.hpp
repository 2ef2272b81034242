// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One place decides whether the library runs on its own slots or on std::stop_callback.
#ifndef CANCEL_CONFIG_HPP
#define CANCEL_CONFIG_HPP

#ifndef CANCEL_USE_LEGACY_STOP_TOKEN
#define CANCEL_USE_LEGACY_STOP_TOKEN 0
#endif

// The two modes lay out their types differently. Each has an inline namespace of its own, so that
// translation units of different modes which hand these types to each other fail to link.
#if CANCEL_USE_LEGACY_STOP_TOKEN
#define CANCEL_MODE_NAMESPACE legacy
#else
#define CANCEL_MODE_NAMESPACE embedded
#endif

namespace cancel {
inline namespace CANCEL_MODE_NAMESPACE {

/// Whether `stop_guard` is a std::stop_callback under another name. Set by compiling every
/// translation unit with `-DCANCEL_USE_LEGACY_STOP_TOKEN`; the interface and its meaning are the
/// same either way.
inline constexpr bool use_legacy_stop_token = CANCEL_USE_LEGACY_STOP_TOKEN != 0;

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
