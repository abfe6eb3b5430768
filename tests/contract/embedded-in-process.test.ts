import { onEachDatabase } from "../database";
import { openTestBackend } from "../unit/backend/test-backend";
import { contractSuite } from "./suite";

/** A portal with a name: at an IP address there are no passkeys. */
const WITH_PASSKEYS = {
  offered: ["app", "passkey"],
  passkeysSignIn: true,
  origin: "https://portal.example",
  issuer: "Tarnea Ubezpieczenia",
  nameOf: { app: "Aplikacja", passkey: "Klucz dostępu" },
} as const;

onEachDatabase((kind) => {
  contractSuite("embedded, in process", () => openTestBackend({ kind, factors: WITH_PASSKEYS }));
});
