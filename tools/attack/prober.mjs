// A visitor who loads the sign-in page again and again, until stdin ends: in a process of its own, since in the
// attacker's process it would wait for the attacker. Prints a line of JSON per visit. Arguments: port, "tls" or
// "plain", Host, client address, and a form to send instead as JSON.
import { request } from "node:http";
import { request as tlsRequest } from "node:https";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

const BETWEEN_MS = 100;
const GIVE_UP_MS = 5000;
const [port, transport, host, localAddress, sent] = process.argv.slice(2);
const form = sent === undefined ? undefined : JSON.parse(sent);
const { path, bodies = [], status } = form ?? { path: "/home", status: 200 };
const formHeaders = form && { "Content-Type": "application/x-www-form-urlencoded", Origin: form.origin };
const ask = transport === "tls" ? tlsRequest : request;

let isOver = false;
let visits = 0;
process.stdin.resume().on("end", () => (isOver = true));
while (!isOver) {
  const began = performance.now();
  const failure = await visit();
  console.log(JSON.stringify({ at: began, ms: performance.now() - began, ...(failure && { failure }) }));
  await wait(BETWEEN_MS);
}

/** Returns what went wrong, if anything did. */
function visit() {
  return new Promise((resolve) => {
    const headers = { Host: host, Cookie: "accepted-cookies=true", ...formHeaders };
    const method = form ? "POST" : "GET";
    const where = { host: "127.0.0.1", port, path, method, localAddress, headers, agent: false };
    const asked = ask({ ...where, rejectUnauthorized: false });
    asked.setTimeout(GIVE_UP_MS, () => asked.destroy(new Error(`no answer in ${GIVE_UP_MS} ms`)));
    asked.on("error", ({ message }) => resolve(message));
    asked.on("response", (answer) => {
      answer.on("error", ({ message }) => resolve(message));
      answer.resume().on("end", () => {
        resolve(answer.statusCode === status ? undefined : `status ${answer.statusCode}`);
      });
    });
    asked.end(bodies[visits++ % bodies.length]);
  });
}
