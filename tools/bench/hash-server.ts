import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { makeComparison } from "./comparisons";

const PLACES = 1000;

/** The cost of a sign-in to any Node server: it reads the call, compares the password and answers, and nothing else. */
const compare = await makeComparison(PLACES);

async function signIn(request: IncomingMessage): Promise<void> {
  await json(request);
  await compare();
}

createServer((request, response) => {
  const worked = request.method === "POST" ? signIn(request) : Promise.resolve();
  void worked.then(() => {
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
}).listen(Number(process.env["PORT"]), "127.0.0.1");
