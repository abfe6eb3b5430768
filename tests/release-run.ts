/** Whether this is the run before a release and of each night (scripts/test.mjs), which looks at everything. */
export const IS_RELEASE = process.env["TEST_RELEASE"] === "1";
