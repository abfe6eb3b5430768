import http, { type RequestListener, type Server } from "node:http";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";

/**
 * Makes remix-serve listen with our server (docs/decisions/small.md#server). It calls `http.createServer(app)` in the same turn
 * in which this build has been evaluated, and nothing else in Node lets us give that server its options. So for that one
 * call, whose only argument is a function, the property of `node:http` is ours; then it is Node's again.
 *
 * Call it last: if remix-serve doesn't make its server now, the process ends with one line.
 */
export function serveWith(makeServer: (app: RequestListener) => Server): void {
  const { createServer } = http;
  const restore = () => Object.assign(http, { createServer });
  const once = (...args: readonly unknown[]): Server => {
    const [app, ...more] = args;
    if (typeof app !== "function" || more.length > 0)
      return Reflect.apply(createServer, http, args) as Server;
    restore();
    clearImmediate(unused);
    return makeServer(app as RequestListener);
  };
  Object.assign(http, { createServer: once });
  const unused = setImmediate(() => {
    restore();
    failStartup(["remix-serve has not made its server: start the portal with npm start or npm run serve"]);
  });
}
