import { ANNA } from "../../demo-customers";
import { expect, test } from "../../browsers/fixtures";

const ANSWERS_WITH_PAGE = `void (window.fetch = () => Promise.resolve(new Response(
  "<html lang=pl><title>404</title><body><main><h1 tabindex=-1>Nie ma takiej strony</h1></main></body></html>",
  { status: 404, headers: { "X-Request-Id": "1" } },
)))`;

test("Back from a page shown in place brings back the form, with nothing under way", async ({ guest }) => {
  // Without scripts nothing is shown in place.
  if (!guest.scripts) return;
  await guest.arrive();
  await guest.browser.evaluate(ANSWERS_WITH_PAGE);
  await guest.login(ANNA);
  await guest.reads("Nie ma takiej strony", "h1");
  await guest.browser.back();
  await guest.reads("Zaloguj się", "h1");
  await guest.gone(".spinner, [aria-busy]");
  expect(await guest.value("password")).toBe(ANNA.password);
});
