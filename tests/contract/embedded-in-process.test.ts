import { onEachDatabase } from "../database";
import { openTestBackend } from "../unit/backend/test-backend";
import { contractSuite } from "./suite";

onEachDatabase((kind) => {
  contractSuite("embedded, in process", () => openTestBackend({ kind }));
});
