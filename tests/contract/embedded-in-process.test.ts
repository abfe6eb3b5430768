import { openTestBackend } from "../unit/backend/test-backend";
import { contractSuite } from "./suite";

contractSuite("embedded, in process", () => openTestBackend());
