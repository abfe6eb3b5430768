import type { AppLoadContext, EntryContext, ServerBuild } from "@remix-run/node";
import { documentCsp } from "~/server/front-door/content-policy";
import type { RequestContext, RouteArgs } from "~/server/front-door/context.server";

/** A request as a loader or action received it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly context: RequestContext;
}

type Routes = ServerBuild["routes"];
type Handle = (args: RouteArgs) => Promise<Response>;

/** The smallest app with every kind of answer the portal gives: documents, redirects, JSON, rejections. */
export function smallBuild(seen: Seen[]): ServerBuild {
  const note = async ({ request, context: { incoming } }: RouteArgs) => {
    const body = request.method === "GET" ? "" : await request.text();
    incoming.setCookies.push("visit=1; Path=/", "flow=2; Path=/");
    seen.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body,
      context: incoming,
    });
    return incoming;
  };
  const page: Handle = async (args) => {
    const { requestId: id } = await note(args);
    return Response.json({ id }, { headers: { "Set-Cookie": "own=3; Path=/" } });
  };
  const away: Handle = async (args) => {
    await note(args);
    return new Response(null, {
      status: 302,
      headers: { Location: "/home", "Cache-Control": "public, max-age=60" },
    });
  };
  const api: Handle = async (args) => {
    const { requestId } = await note(args);
    return Response.json(
      { requestId, method: args.request.method },
      { headers: { "Cache-Control": "public" } },
    );
  };
  const refusal: Handle = ({ request, context }) => {
    const { rejection: refused, requestId } = context.incoming;
    const told = { requestId, api: refused?.api, cookie: request.headers.get("Cookie") };
    return Promise.resolve(Response.json(told, { status: refused?.status ?? 404 }));
  };
  const routes: Routes = {
    root: { id: "root", path: "", module: { default: () => null } },
    home: {
      id: "home",
      parentId: "root",
      path: "home",
      module: { default: () => null, loader: page, action: page },
    },
    away: {
      id: "away",
      parentId: "root",
      path: "away",
      module: { default: undefined, loader: away, action: away },
    },
    api: {
      id: "api",
      parentId: "root",
      path: "home/api/*",
      module: { default: undefined, loader: api, action: api },
    },
    health: { id: "health", parentId: "root", path: "healthz", module: { default: undefined, loader: api } },
    refused: {
      id: "refused",
      parentId: "root",
      path: "refused/:code",
      module: { default: undefined, loader: refusal },
    },
  };
  const csp = documentCsp({ styleHash: "sha256-c3R5bGU=", https: false });
  const document = (
    _request: Request,
    status: number,
    headers: Headers,
    _remix: EntryContext,
    { incoming }: AppLoadContext,
  ) => {
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("Content-Security-Policy", csp);
    headers.set("X-Powered-By", "something");
    return new Response(`<!doctype html><title>${incoming.requestId}</title>`, { status, headers });
  };
  return {
    entry: { module: { default: document, handleError: () => undefined } },
    routes,
    assets: { version: "1", url: "/assets/manifest.js", entry: { module: "", imports: [] }, routes: {} },
    publicPath: "/assets/",
    assetsBuildDirectory: "assets",
    isSpaMode: false,
    mode: "production",
    future: {
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
      v3_singleFetch: true,
      v3_lazyRouteDiscovery: false,
    },
  };
}
