/** The purposes of one-time codes. A code works for no other purpose (backend contract; S25). */
export const PURPOSES = [
  "login",
  "register",
  "password",
  "usernameChange",
  "usernameRemind",
  "documentPassword",
  "factors",
] as const;

/** The purpose of a one-time code. Its text message has the same name. */
export type Purpose = (typeof PURPOSES)[number];
