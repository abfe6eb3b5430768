import { buildWorker } from "../vite.config";

/** Vitest calls it once, before the tests. */
export default buildWorker;
