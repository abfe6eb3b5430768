import { join } from "node:path";
import { nodeFlags } from "./portal";
import { runServer, type Running } from "./process";
import type { RawAnswer } from "../../tests/raw-answer";

/** An answer, as sent over the channel to the bare server. */
export interface BareAnswer {
  readonly headers: RawAnswer["headers"];
  /** Base64. */
  readonly body: string;
}

/** Starts a plain `node:http` process that answers everything with these bytes. */
export function startBareServer({ headers, body }: Pick<RawAnswer, "headers" | "body">): Promise<Running> {
  const message: BareAnswer = { headers, body: body.toString("base64") };
  return runServer({
    name: "bare-server",
    args: [...nodeFlags(), join(".cache", "bench", "bare-server.mjs")],
    firstPath: "/",
    message,
  });
}
