import { LIMITS } from "~/platform/config/limits";
import { onEachDatabase } from "../database";
import { IS_RELEASE } from "../release-run";
import { openTestBackend } from "../unit/backend/test-backend";
import type { PartName } from "./part-names";
import { contractSuite } from "./suite";

/** A portal with a name: at an IP address there are no passkeys. */
const WITH_PASSKEYS = {
  offered: ["app", "passkey"],
  passkeysSignIn: true,
  origin: "https://portal.example",
  issuer: "Tarnea Ubezpieczenia",
  nameOf: { app: "Aplikacja", passkey: "Klucz dostępu" },
} as const;

/** Parts in which no database decides anything: asked for on SQLite, and before a release on PostgreSQL, too. */
const OF_NO_DATABASE: readonly PartName[] = ["every call", "empty fields", "one-time codes anywhere else"];

onEachDatabase((kind) => {
  contractSuite(
    "embedded, in process",
    // Strangers meet a cap sooner in production than in the demo.
    (part) =>
      openTestBackend({ kind, factors: WITH_PASSKEYS, ...(part === "strangers" && { limits: LIMITS }) }),
    (part) => IS_RELEASE || kind === "sqlite" || !OF_NO_DATABASE.includes(part),
  );
});
