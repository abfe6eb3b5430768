import { cap, limit } from "./limit";

/** SMS notices. They are counted apart from codes: neither uses up what the other may send (S96). */
export const NOTICES = {
  SMS_NOTICES_PER_DAY: cap(
    5,
    "Notices to one number in a day about what a right password or code has changed.",
  ),
  SMS_LOCK_NOTICES_PER_DAY: cap(
    1,
    "Notices to one number in a day about a lock by wrong passwords. Strangers can cause these.",
  ),
  SMS_LOCK_NOTICES_TOTAL_PER_HOUR: cap(
    500,
    "Notices about such locks to all numbers together in an hour. Beyond that, none are sent. At 80 % the log warns, at 100 % an alarm fires.",
  ),
  SMS_NOTICE_SECONDS: limit(24 * 60 * 60, "How long a notice is offered to the gateway. Then it is dropped."),
};
