/**
 * Signed-out screens that are the same for all visitors without a session, a flow or a query. `consented`: for all who
 * have accepted cookies; `everybody`: for all (docs/decisions/small.md#page-cache).
 */
export const CACHED_SCREENS: Readonly<Record<string, "consented" | "everybody">> = {
  "/home": "consented",
  "/home/register": "consented",
  "/home/reset-password-init": "consented",
  "/home/remind-login-init": "consented",
  "/home/cookies": "everybody",
  "/home/logout": "everybody",
};
