// `npm run reference-backend -- PORT FILE`: starts the reference backend on loopback, with the customers of a file
// (docs/conformance.md). Its messages are at /sms.json.
import { existsSync, readFileSync } from "node:fs";
import { load } from "./prepare/load.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { runMain, WrongUsage } from "./prepare/stop.mjs";

const [port, file, ...more] = process.argv.slice(2);

await runMain(async () => {
  if (!/^\d{1,5}$/.test(port ?? "") || !file || more.length > 0)
    throw new WrongUsage("Usage: npm run reference-backend -- PORT FILE");
  if (!existsSync(file)) throw new WrongUsage(`No such file: ${file}`);
  await prepareInstall();
  const { referenceBackend } = await load("tests/conformance/reference/server.ts");
  const backend = await referenceBackend(JSON.parse(readFileSync(file, "utf8")));
  backend.listen(Number(port), "127.0.0.1", () => {
    const origin = `http://127.0.0.1:${backend.address().port}`;
    console.log(`The reference backend is at ${origin}, its messages at ${origin}/sms.json`);
  });
});
