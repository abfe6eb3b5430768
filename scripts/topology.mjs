// `npm run topology [-- PORTALS]`: runs the setup of deploy/compose.yaml without containers, until Ctrl-C: portals in
// production mode on their own PostgreSQL database, behind nginx with TLS, with the demo's customers.
import { load } from "./prepare/load.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { missingAfterInstall, PROGRAMS } from "./prepare/programs.mjs";
import { providePostgres } from "./prepare/postgres.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const MAX_PORTALS = 10;
const POLL_MS = 500;

await runMain(async () => {
  const [argument = "2"] = process.argv.slice(2);
  const portals = Number(argument);
  if (!Number.isInteger(portals) || portals < 1 || portals > MAX_PORTALS)
    throw new Stop(`npm run topology takes the number of portals, 1 to ${MAX_PORTALS}, not "${argument}".`);
  await prepare();
  const missing = await missingAfterInstall(PROGRAMS.proxy.packages);
  if (missing.length > 0) throw new Stop(`The topology needs ${missing.join(" and ")}.`);

  const stopPostgres = await providePostgres();
  const { CAN_START, startTopology } = await load("tests/topology/topology.ts");
  if (!CAN_START)
    throw new Stop("The topology needs PostgreSQL's programs, or a server in TEST_DATABASE_URL.");
  // Scanners need limits that don't lock them out: docs/attack.md.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("LIMIT_")));
  const topology = await startTopology({ portals, env });
  console.log(greeting(topology));
  const polling = setInterval(newMessagePrinter(topology), POLL_MS);
  await new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
  });
  clearInterval(polling);
  await topology.stop();
  await stopPostgres();
});

function greeting({ origin, httpPort, members, nginx }) {
  const lines = [
    `Portal:        ${origin} (with a self-signed certificate)`,
    `By http:       http://127.0.0.1:${httpPort}, which redirects there`,
    ...members.map(({ port }, at) => `Process ${at + 1}:     http://127.0.0.1:${port}`),
    `nginx writes:  ${nginx.accessLog}`,
    "Text messages are printed here. Ctrl-C ends everything, and drops the database.",
  ];
  return `\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

/** Returns a function that prints the messages sent since its last call. */
function newMessagePrinter({ outbox }) {
  let printed = 0;
  return async () => {
    const messages = await outbox();
    const fresh = messages.slice(0, messages.length - printed).reverse();
    printed = messages.length;
    for (const { to, text } of fresh) console.log(`  ${to}: ${text.replaceAll("\n", " ")}`);
  };
}
