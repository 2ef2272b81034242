// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slots of one async stack, as the coroutines further up find them.
#ifndef CANCEL_DETAIL_ANNOUNCED_SLOT_HPP
#define CANCEL_DETAIL_ANNOUNCED_SLOT_HPP

#include <cancel/detail/adoption_record.hpp>
#include <cancel/detail/slot_place.hpp>
#include <cancel/detail/slow_call.hpp>
#include <cancel/stop_slot.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace cancel::detail {

/// Its address tells token types apart without RTTI. Not constant, so that no linker merges two.
/// A shared library may have one of its own: then its coroutines use slots of their own.
template <class Token>
inline char token_type_mark = 0;

/// Somebody's way to a slot in another frame.
struct slot_borrower : slot_anchor {
  slot_borrower *next;
};

/// A slot that coroutines further up the async stack may arm guards on. Everything here belongs to
/// the one flow of control of that stack.
class announced_slot {
public:
  explicit announced_slot(const void *token_type) noexcept : token_type_(token_type) {}
  announced_slot(const announced_slot &) = delete;
  announced_slot &operator=(const announced_slot &) = delete;

  /// Frames are destroyed in an order in which a slot may end before the guards of a coroutine
  /// further up, which nobody will run any more: those no longer find it.
  ~announced_slot() {
    record_.slot_ends();
    for (slot_borrower *left = borrowers_; left; left = left->next)
      left->slot = nullptr;
  }

  const void *token_type() const noexcept { return token_type_; }

  void lend(slot_borrower &to, native_slot_protocol &protocol) noexcept {
    to.slot = &protocol;
    to.next = borrowers_;
    borrowers_ = &to;
  }
  void take_back(slot_borrower &from) noexcept {
    slot_borrower **link = &borrowers_;
    while (*link != &from) [[unlikely]]
      link = &(*link)->next;
    *link = from.next;
  }

private:
  friend class slot_announcements;

  const void *const token_type_;
  announced_slot *outer_ = nullptr;    ///< the one announced before, here or further down
  slot_borrower *borrowers_ = nullptr; ///< the newest first
  adoption_share record_;
};

template <class Token>
class announced_slot_of : public announced_slot {
public:
  template <class T>
    requires std::same_as<std::remove_cvref_t<T>, Token>
  explicit announced_slot_of(T &&token) noexcept
      : announced_slot(&token_type_mark<Token>), slot_(std::forward<T>(token)) {}

  /// As a slot of the stack, if it watches the same stop state as `token`.
  static announced_slot_of *if_watching(announced_slot *slot, const Token &token) noexcept {
    if (slot->token_type() != &token_type_mark<Token>)
      return nullptr;
    auto *const same_type = static_cast<announced_slot_of *>(slot);
    return same_type->slot_.token() == token ? same_type : nullptr;
  }

  stop_slot<Token> slot_; // ends before the base: guards keep their slot until no stop can come
};

/// What a promise knows of the slots of its async stack.
class slot_announcements {
public:
  /// Before this coroutine runs for the first time.
  void adopt(slot_announcements &parent) noexcept {
    adopted_ = parent.newest();
    if (CANCEL_CHECKS_ADOPTION && adopted_)
      record_.take(adopted_->record_);
  }
  /// The coroutine below may be another one by now.
  void forget_adopted() noexcept {
    adopted_ = nullptr;
    record_.drop();
  }

  /// The newest slot that watches the stop state of `token`; null if there is none.
  template <class Token>
  announced_slot_of<Token> *find(const Token &token) const noexcept {
    record_.expect_slot();
    announced_slot *const top = newest();
    if (!top) [[unlikely]]
      return nullptr;
    if (auto *const found = announced_slot_of<Token>::if_watching(top, token)) [[likely]]
      return found;
    return find_below<slow_call>(top, token);
  }

  void announce(announced_slot &slot) noexcept {
    slot.outer_ = newest();
    own_ = &slot;
  }
  void withdraw(announced_slot &slot) noexcept {
    // From the top: what is further down may have ended.
    announced_slot **link = &own_;
    while (*link != &slot)
      link = &(*link)->outer_;
    *link = slot.outer_;
  }

private:
  announced_slot *newest() const noexcept { return own_ ? own_ : adopted_; }

  template <class Convention, class Token>
  CANCEL_SLOW_CALL static announced_slot_of<Token> *find_below(announced_slot *top,
                                                               const Token &token) noexcept {
    for (announced_slot *slot = top->outer_; slot; slot = slot->outer_)
      if (auto *const found = announced_slot_of<Token>::if_watching(slot, token))
        return found;
    return nullptr;
  }

  announced_slot *own_ = nullptr;     ///< the newest of this frame; below its last, what is adopted
  announced_slot *adopted_ = nullptr; ///< the newest of the coroutines below, as it was handed on
  adoption_share record_;
};

} // namespace cancel::detail

#endif
