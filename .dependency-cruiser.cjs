/**
 * Who may import whom. Types count like values: a type is a dependency, too.
 *
 * Each line of `mayImport` is the whole of what a folder may import from this repository, apart from itself.
 * @type {Record<string, string[]>}
 */
const mayImport = {
  "front-door": ["^app/(contract|platform)/"],
  forms: ["^app/(contract|ui)/"],
  session: ["^app/(client|contract|front-door|platform)/"],
  contract: [],
  client: ["^app/(contract|platform)/", "^app/backend/index\\.server\\.ts$"],
  backend: ["^app/(contract|platform)/"],
  ui: [],
  // The rules of fields are plain functions; what surrounds them belongs to the server or to React.
  enhancements: ["^app/ui/", "^app/forms/(rules/|[^/]*rules?\\.ts$)"],
  // The gallery shows everything, so it sees everything but the routes and the backend.
  gallery: ["^app/(client|contract|forms|front-door|i18n|platform|screen|session|ui)/"],
  // The language of a request is what its cookie says, and cookies stand in one table.
  i18n: ["^locales/", "^app/platform/", "^app/session/cookies\\.server\\.ts$"],
  platform: [],
};

const folders = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `borders-of-${folder}`,
  comment: `app/${folder} may import only itself${allowed.length > 0 ? ` and ${allowed.join(", ")}` : ""}.`,
  severity: "error",
  from: { path: `^app/${folder}/` },
  to: { path: "^(app|locales|tests|scripts|public)/", pathNot: [`^app/${folder}/`, ...allowed] },
}));

const WIRING = "^app/(root|entry\\.server|entry\\.client)\\.tsx?$";
const PACKAGES = "(^|/)node_modules/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...folders,
    {
      name: "no-route-imports-another",
      comment: "What two screens share has a name and a place of its own, outside of app/routes.",
      severity: "error",
      from: { path: "^app/routes/" },
      to: { path: "^app/routes/" },
    },
    {
      name: "routes-are-entered-by-the-router-only",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/routes/" },
      to: { path: "^app/routes/" },
    },
    {
      name: "the-backend-has-one-door",
      comment: "routes/api and client reach the backend, through backend/index.server; nobody else does.",
      severity: "error",
      from: { path: ["^app/routes/api/", "^app/client/"] },
      to: { path: "^app/backend/", pathNot: "^app/backend/index\\.server\\.ts$" },
    },
    {
      name: "the-backend-is-behind-the-client",
      severity: "error",
      from: { path: ["^app/routes/", "^app/[^/]+$"], pathNot: "^app/routes/api/" },
      to: { path: "^app/backend/" },
    },
    {
      name: "texts-come-from-i18n",
      comment: "routes, root and the entries pick the words through app/i18n, and hand them on.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/i18n/" },
      to: { path: "^locales/" },
    },
    {
      name: "nothing-imports-the-wiring",
      severity: "error",
      from: { path: "^app/" },
      to: { path: WIRING },
    },
    {
      name: "browsers-get-no-server-code",
      comment: "Vite would refuse it in the build; here it is said at once.",
      severity: "error",
      from: { path: ["^app/(enhancements|ui)/", "^app/entry\\.client\\.tsx?$"] },
      to: { path: "\\.server(\\.tsx?$|/)" },
    },
    {
      name: "backend-knows-no-web-framework",
      severity: "error",
      from: { path: "^app/backend/" },
      to: { path: `${PACKAGES}(@remix-run|remix-i18next|i18next|react|react-dom|@conform-to)/` },
    },
    {
      name: "contract-and-ui-are-portable",
      comment:
        "Both sides of the contract share it, and the design system is props in, HTML out: no server packages.",
      severity: "error",
      from: { path: "^app/(contract|ui)/" },
      to: {
        path: `${PACKAGES}(@remix-run/(node|serve|express)|kysely|better-sqlite3|pg|pino|jose|@node-rs|i18next)/`,
      },
    },
    {
      name: "ui-and-enhancements-run-in-browsers",
      severity: "error",
      from: { path: "^app/(enhancements|ui)/", pathNot: "\\.server\\.tsx?$" },
      to: { dependencyTypes: ["core"] },
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
