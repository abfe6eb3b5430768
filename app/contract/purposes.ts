/** What a one-time code is for. A code for one purpose is worthless for another (backend contract; S25). */
export const PURPOSES = [
  "login",
  "register",
  "password",
  "usernameChange",
  "usernameRemind",
  "documentPassword",
] as const;

/** The purpose of a one-time code; its name is also the name of its text message. */
export type Purpose = (typeof PURPOSES)[number];
