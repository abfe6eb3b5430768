// `npm start`: from a fresh clone, or from whatever is there, to a portal that listens.
// Other modules are loaded after the check of Node's version, as they may not load on an old one.
import { runMain } from "./prepare/stop.mjs";
import { requireNode } from "./prepare/node-version.mjs";

await runMain(async () => {
  requireNode();
  const { readAddress, requireFree, toUrl } = await import("./prepare/address.mjs");
  const { prepare } = await import("./prepare/prepare.mjs");
  const { SERVER_BUILD } = await import("./prepare/build.mjs");
  const { ROOT, inProject } = await import("./prepare/project.mjs");

  process.chdir(ROOT);
  const address = readAddress();
  await requireFree(address);
  await prepare();
  await requireFree(address); // an install and a build take their time
  await announceWhenListening(address.port, greeting(toUrl(address)));

  process.env.NODE_ENV = "production";
  process.env.HOST = address.host;
  process.env.PORT = String(address.port);
  process.argv[2] = inProject(SERVER_BUILD);
  // In this process, so that a signal to it reaches the server and there is no parent to keep in memory.
  await import("@remix-run/serve/dist/cli.js");
});

function greeting(url) {
  const mode = process.env.PORTAL_MODE?.trim() || "demo";
  const lines = [`Portal:      ${url}`, `Mode:        ${mode}`];
  if (mode === "demo" && !process.env.BACKEND_URL) lines.push(`SMS outbox:  ${url}/demo/sms`);
  return `\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

/** Says nothing too early: the address is printed when it answers, and not at all when the configuration is bad. */
async function announceWhenListening(port, text) {
  const { subscribe, unsubscribe } = await import("node:diagnostics_channel");
  const channel = "tracing:net.server.listen:asyncEnd";
  subscribe(channel, function announce({ server }) {
    if (server.address()?.port !== port) return;
    unsubscribe(channel, announce);
    console.log(text);
  });
}
