import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { withVariables } from "~/platform/config/environment.server";
import { fetchOutside } from "~/platform/network/forward-proxy.server";
import { freePort } from "../../free-port";

const GLOBAL = Symbol.for("undici.globalDispatcher.1");
const globalDispatcher = () => (globalThis as Readonly<Record<symbol, unknown>>)[GLOBAL];

it("[S70] a forward proxy is for calls outside alone: the process's own dispatcher stays", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => response.end(String(asked.push(request.url ?? ""))));
  server.on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  await fetch(`http://127.0.0.1:${port}/before`);
  const before = globalDispatcher();
  const outside = () => fetchOutside("https://login.insurer.example/a", { method: "GET" });
  await expect(withVariables({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, outside)).rejects.toThrow();
  await fetch(`http://127.0.0.1:${port}/after`);
  expect(asked).toEqual(["/before", "login.insurer.example:443", "/after"]);
  expect(globalDispatcher()).toBe(before);
});
