/** The parts of the backend contract, in the order in which the suite asks for them. */
export const PART_NAMES = [
  "every call",
  "signing in",
  "signing out",
  "empty fields",
  "one-time codes",
  "one-time codes anywhere else",
  "where a code went",
  "registering",
  "who is registered",
  "passwords",
  "usernames",
  "the customer area",
  "where a customer is signed in",
  "second factors",
  "passkeys",
  "changes by second factors",
  "what My Data says",
  "what happened to an account",
  "a trusted device's cookie",
  "whose policies they are",
  "policies and documents",
  "strangers",
] as const;

/** The name of a part of the contract. */
export type PartName = (typeof PART_NAMES)[number];
