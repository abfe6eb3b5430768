/** The customer types of specification §3. */
export type CustomerKind = "individual" | "no-id" | "company";
/** States set by a person. A timed lock is not one of them: it is counted in `attempts`. */
export type AccountState = "active" | "locked" | "expired" | "disabled";
/** `pending`: the password was right, but the device is not trusted and the code is missing. */
export type SessionState = "pending" | "active";
/** `blocked`: too many wrong tries or refusals. */
export type CodeState = "open" | "blocked" | "used";
/** Acts of the help desk that can open an account to another person; a second person may have to approve them. */
export type GraveAct = "reset-factors" | "use-new-phone" | "enable" | "unlock";
