const { MAY_IMPORT, OUTSIDE } = require("./scripts/house/may-import.cjs");

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A place of the table as a pattern: a room, a folder or a file of one, or a path outside of `app`. */
const place = (name) => `^${literally(OUTSIDE.includes(name) ? name : `app/${name}`)}(/|$)`;
/** Everything of ours: the folders of this repository, and the files beside them. */
const REPOSITORY = "^(app|deploy|docs|locales|public|scripts|tests|tools)/|^[^/]+\\.([cm]?[jt]sx?|json|md)$";

const rooms = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment: `app/${room} may import only itself${allowed.length > 0 ? ` and ${allowed.join(", ")}` : ""} (scripts/house/may-import.cjs).`,
  severity: "error",
  from: { path: place(room) },
  to: { path: REPOSITORY, pathNot: [place(room), ...allowed.map(place)] },
}));

/** Outside of every room: it puts the rooms together, and no room imports it. */
const WIRING = "^app/[^/]+\\.tsx?$";
/** All that runs in browsers. */
const BROWSERS = ["^app/(browser|contract/rules)/", "^app/entry\\.client\\.tsx?$"];
const PACKAGES = "(^|/)node_modules/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rooms,
    {
      name: "every-room-is-in-the-table",
      comment: "A folder of app without a line in scripts/house/may-import.cjs could import anything.",
      severity: "error",
      from: {},
      to: { path: "^app/[^/]+/", pathNot: Object.keys(MAY_IMPORT).map(place) },
    },
    {
      name: "no-journey-imports-another",
      comment: "What two journeys need lies in journeys/kit, which has no address and knows no journey.",
      severity: "error",
      from: { path: "^app/journeys/([^/]+)/" },
      to: { path: "^app/journeys/", pathNot: ["^app/journeys/$1/", "^app/journeys/kit/"] },
    },
    {
      name: "no-route-imports-another",
      comment: "What two addresses share has a name and a room of its own.",
      severity: "error",
      from: { path: "^app/routes/" },
      to: { path: "^app/routes/" },
    },
    {
      name: "journeys-are-collected-in-one-place",
      comment:
        "The router enters the screens, the gallery shows them; the server meets their list of cached screens. The help desk shows a premium in its customer's words.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/(journeys|demo/screens)/" },
      to: {
        path: "^app/journeys/",
        pathNot:
          "^app/journeys/(?:(?:cached-screens|customer-area/transfer)\\.ts|customer-area/policy-facts\\.tsx)$",
      },
    },
    {
      name: "the-wiring-stays-outside-of-backend-and-texts",
      comment: "root and the entries reach the backend through visit, and texts through i18n.",
      severity: "error",
      from: { path: WIRING },
      to: { path: REPOSITORY, pathNot: ["^app/(?!backend/)"] },
    },
    {
      name: "nothing-imports-the-server",
      comment:
        "A second import of the build would be a second portal with a second database. The front door's answers and headers are for all that serve pages.",
      severity: "error",
      from: { path: "^app/(?!server/)" },
      to: { path: "^app/server/(?!front-door/)" },
    },
    {
      name: "the-front-door-stands-alone",
      comment: "Rooms that serve pages use its answers and headers; the rest of the server uses those rooms.",
      severity: "error",
      from: { path: "^app/server/front-door/" },
      to: { path: REPOSITORY, pathNot: "^app/(server/front-door|contract|platform)/" },
    },
    {
      name: "nothing-imports-the-wiring",
      severity: "error",
      from: { path: "^app/" },
      to: { path: WIRING },
    },
    {
      name: "only-the-backend-client-knows-the-backend",
      severity: "error",
      from: { path: "^app/visit/", pathNot: "^app/visit/backend-client/" },
      to: { path: "^app/backend/" },
    },
    {
      name: "one-door-to-the-backend",
      comment: "The verbs of index.server.ts, and the types of types.ts (docs/decisions/rooms.md).",
      severity: "error",
      from: { path: "^app/(?!backend/)" },
      to: { path: "^app/backend/(?!index\\.server\\.ts$|types\\.ts$)" },
    },
    {
      name: "one-wall-to-the-browser",
      comment:
        "The script and the contract's rules are all that runs in browsers, and they import nothing else of ours.",
      severity: "error",
      from: { path: BROWSERS },
      to: { path: REPOSITORY, pathNot: BROWSERS },
    },
    {
      name: "browsers-have-no-node",
      severity: "error",
      from: { path: BROWSERS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "only-the-browsers-entry-imports-its-scripts",
      comment: "All other code runs on the server; what a page and its script agree on is in contract/rules.",
      severity: "error",
      from: { path: "^app/", pathNot: BROWSERS },
      to: { path: "^app/browser/" },
    },
    {
      name: "customers-know-no-service",
      comment: "A ground room: who customers are, by keys and tables alone.",
      severity: "error",
      from: { path: "^app/backend/customers/" },
      to: { path: "^app/backend/(?!(customers|audit|limits|secrets|store)/|dependencies\\.server\\.ts$)" },
    },
    {
      name: "messages-know-no-service",
      comment: "Services send messages; the room under them knows the audit, the keys and the tables alone.",
      severity: "error",
      from: { path: "^app/backend/messages/" },
      to: { path: "^app/backend/(?!(messages|secrets|store)/|audit/audit-event\\.server\\.ts$)" },
    },
    {
      name: "backend-knows-no-web-framework",
      severity: "error",
      from: { path: "^app/backend/" },
      to: { path: `${PACKAGES}(@remix-run|remix-i18next|i18next|react|react-dom|@conform-to)/` },
    },
    {
      name: "contract-is-portable",
      comment: "Both sides of the contract share it: no server packages.",
      severity: "error",
      from: { path: "^app/contract/" },
      to: {
        path: `${PACKAGES}(@remix-run/(node|serve|express)|kysely|@photostructure|pg|pino|jose|@node-rs|i18next)/`,
      },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: { path: "^app/" },
      to: { circular: true },
    },
    {
      name: "everything-resolves",
      severity: "error",
      from: { path: "^app/" },
      to: { couldNotResolve: true, pathNot: "^virtual:remix/server-build$" },
    },
    {
      name: "listed-packages-only",
      comment: "A package that is there by luck, or missing in an installation without development packages.",
      severity: "error",
      // The list of addresses is read by the build alone.
      from: { path: "^app/", pathNot: "^app/routes\\.ts$" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "npm-optional"],
        dependencyTypesNot: ["npm", "type-only"],
      },
    },
    {
      name: "names-say-what-is-inside",
      comment: "Folders and files called utils, helpers, misc or common collect what has no place.",
      severity: "error",
      from: {},
      to: { path: ["^app/.*/(utils?|helpers?|misc|common)[/.]", "^app/(utils?|helpers?|misc|common)[/.]"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
