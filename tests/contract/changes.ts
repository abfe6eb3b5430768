import { ANNA } from "../demo-customers";

/** Each change that only a session can make: how it sends a code, and how it uses it. */
export const CHANGES: Readonly<Record<string, readonly [method: string, path: string, payload: object]>> = {
  "a document password": ["PUT", "/cp/api/doc-pwd/create", { password: "Dokument-Haslo-1" }],
  "another document password": ["PUT", "/cp/api/doc-pwd/change", { password: "Dokument-Haslo-1" }],
  "another username": [
    "POST",
    `/home/api/user/${ANNA.username}/login-change`,
    { newUsername: "anna.inaczej" },
  ],
};
