import { contractSuite } from "../contract/suite";
import type { Message, Way } from "../contract/way";

/** Runs the suite against the server that `scripts/conformance.mjs` names in the environment. */
const url = process.env["CONFORMANCE_URL"] ?? "";
const outboxUrl = process.env["CONFORMANCE_OUTBOX"];
const promptUrl = process.env["CONFORMANCE_PROMPT"];

const way: Way = {
  fetch: (path, init) => fetch(url + path, { ...init, redirect: "manual" }),
  outbox: async () => {
    if (outboxUrl === undefined) return [];
    const answer = await fetch(outboxUrl);
    if (!answer.ok) throw new Error(`The outbox ${outboxUrl} answers ${answer.status}`);
    return (await answer.json()) as Message[];
  },
  ...(promptUrl !== undefined && {
    askForCode: async (phone: string) =>
      (await fetch(`${promptUrl}/?${new URLSearchParams({ phone }).toString()}`)).text(),
  }),
  mayLeaveOut: true,
  close: () => Promise.resolve(),
};

const only = process.env["CONFORMANCE_ONLY"];
contractSuite(
  url,
  () => Promise.resolve(way),
  (part) => only === undefined || part === only,
);
