import { createServer } from "node:http";
import type { BareAnswer } from "./bare";

/** The floor for pages: the same bytes without any work. */
process.once("message", ({ headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, "base64");
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.listen(Number(process.env["PORT"]), "127.0.0.1");
});
