// `npm run topology [-- PORTALS]`: what deploy/compose.yaml runs, without containers, until Ctrl-C: portals in production
// mode on a PostgreSQL database of their own, behind nginx with TLS. The customers are those of the demo.
import { prepare } from "./prepare/prepare.mjs";
import { missingForTopology } from "./prepare/browsers.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const MOST = 10;
const LOOK_MS = 500;

await runMain(async () => {
  const [word = "2"] = process.argv.slice(2);
  const portals = Number(word);
  if (!Number.isInteger(portals) || portals < 1 || portals > MOST)
    throw new Stop(`npm run topology takes how many portals, 1 to ${MOST}, not "${word}".`);
  await prepare();
  const missing = await missingForTopology();
  if (missing.length > 0) throw new Stop(`The topology needs ${missing.join(" and ")}.`);

  const { runnerImport } = await import("vite");
  const config = {
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "~": inProject("app") } },
  };
  const { module } = await runnerImport(inProject("tests/topology/topology.ts"), config);
  if (!module.CAN_START)
    throw new Stop("The topology needs a PostgreSQL on 127.0.0.1:5432, or TEST_DATABASE_URL.");
  const topology = await module.startTopology({ portals });
  console.log(greeting(topology));
  const telling = setInterval(tellMessages(topology), LOOK_MS);
  await new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
  });
  clearInterval(telling);
  await topology.stop();
});

function greeting({ origin, httpPort, members, nginx }) {
  const lines = [
    `Portal:        ${origin} (its certificate is nobody's)`,
    `By http:       http://127.0.0.1:${httpPort}, which leads there`,
    ...members.map(({ port }, at) => `Process ${at + 1}:     http://127.0.0.1:${port}`),
    `nginx writes:  ${nginx.accessLog}`,
    "Text messages are printed here. Ctrl-C ends everything, and drops the database.",
  ];
  return `\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

/** Prints what was not there when it looked last. */
function tellMessages({ outbox }) {
  let told = 0;
  return async () => {
    const messages = await outbox();
    const fresh = messages.slice(0, messages.length - told).reverse();
    told = messages.length;
    for (const { to, text } of fresh) console.log(`  ${to}: ${text.replaceAll("\n", " ")}`);
  };
}
