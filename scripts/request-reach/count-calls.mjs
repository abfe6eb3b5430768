// Loaded into the portal before anything else (`node --import`): counts calls, and sends the counts to the parent
// process on request. Each answer covers the time since the previous one.
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

process.on("message", async (folderUrl) => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const functions = result
    .filter(({ url }) => url.startsWith(folderUrl))
    .flatMap(({ url, functions: ofScript }) => ofScript.map((ran) => ({ ...ran, script: url.split("?")[0] })))
    .map(({ script, ranges: [whole] }) => ({
      script,
      start: whole.startOffset,
      end: whole.endOffset,
      count: whole.count,
    }))
    // The one that starts at 0 is the module itself.
    .filter(({ start, count }) => start > 0 && count > 0);
  process.send(functions);
});
process.on("disconnect", () => process.exit());
process.channel.unref();
