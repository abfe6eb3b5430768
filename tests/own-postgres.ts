import { providePostgres } from "../scripts/prepare/postgres.mjs";

/** Vitest and Playwright call it once, before the tests, and the function that it returns after them. */
export default () => providePostgres();
