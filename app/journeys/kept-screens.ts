/**
 * Signed-out screens that are the same for all who open them without a session, a flow or a query, and what they are the
 * same for: those who have accepted cookies, or everybody (docs/decisions/kept-pages.md).
 */
export const KEPT_SCREENS: Readonly<Record<string, "consented" | "everybody">> = {
  "/home": "consented",
  "/home/register": "consented",
  "/home/reset-password-init": "consented",
  "/home/remind-login-init": "consented",
  "/home/cookies": "everybody",
  "/home/logout": "everybody",
};
