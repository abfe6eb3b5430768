// `npm start`: installs and builds what is missing, then runs the portal; a fresh clone is enough.
// Other modules are imported after the check of Node's version, since they may not load on an old one.
import { runMain } from "./prepare/stop.mjs";
import { requireNode } from "./prepare/node-version.mjs";

await runMain(async () => {
  requireNode();
  const { readAddress, requireFree, toUrl } = await import("./prepare/address.mjs");
  const { prepare } = await import("./prepare/prepare.mjs");
  const { SERVER_BUILD } = await import("./prepare/build.mjs");
  const { demoHelpDesk } = await import("./prepare/demo-help-desk.mjs");
  const { whenListening } = await import("./prepare/when-listening.mjs");
  const { ROOT, inProject } = await import("./prepare/project.mjs");

  process.chdir(ROOT);
  const address = readAddress();
  await requireFree(address);
  await prepare();
  await requireFree(address); // again: an install and a build take a while
  const mode = process.env.PORTAL_MODE?.trim() || "demo";
  // In production the log says where it listens, and every line is JSON.
  if (mode === "demo") {
    const helpDesk = await demoHelpDesk(address);
    // Never when its configuration is bad.
    whenListening(address.port, () => {
      console.log(greeting(toUrl(address), mode));
      helpDesk?.start(() => {
        console.log(`  Help desk:   ${toUrl(helpDesk.address)}/help-desk\n`);
      });
    });
  }

  process.env.NODE_ENV = "production";
  process.env.HOST = address.host;
  process.env.PORT = String(address.port);
  process.argv[2] = inProject(SERVER_BUILD);
  // In this process, so that signals reach the server and no parent process takes up memory.
  await import("@remix-run/serve/dist/cli.js");
});

function greeting(url, mode) {
  const lines = [`Portal:      ${url}`, `Mode:        ${mode}`];
  if (!process.env.BACKEND_URL) lines.push(`SMS outbox:  ${url}/demo/sms`);
  return `\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}
