/** The Remix app: its routes and its entry. Remix makes this module, for a build and for a development server alike. */
declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/node";

  export const mode: ServerBuild["mode"];
  export const entry: ServerBuild["entry"];
  export const routes: ServerBuild["routes"];
  export const assets: ServerBuild["assets"];
  export const publicPath: ServerBuild["publicPath"];
  export const assetsBuildDirectory: ServerBuild["assetsBuildDirectory"];
  export const future: ServerBuild["future"];
  export const isSpaMode: ServerBuild["isSpaMode"];
}
