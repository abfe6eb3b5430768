/** Whether this is the run before a release and of each night (scripts/test.mjs), which looks at everything. */
export const IS_RELEASE = process.env["TEST_RELEASE"] === "1";

const NAMED = "TEST_NAMES_RELEASE";
// The runners' own processes have other arguments.
if (process.argv.some((word) => word.includes("release/"))) process.env[NAMED] = "1";

/** Whether the tests of tests/release are among those that can run: in that run, and when one of them is named. */
export const WITH_RELEASE = IS_RELEASE || process.env[NAMED] === "1";

/**
 * The tag of a test that differs from another one in its data or its browser only, or runs without a browser, too: at a
 * landing no browser runs it.
 */
export const LIKE_ANOTHER = "@like-another";
