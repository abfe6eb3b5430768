import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";
import { NO_CHANGED_LIBRARY } from "./scripts/eslint/no-changed-library.js";

const TYPESCRIPT = ["**/*.{ts,tsx}"];
const JAVASCRIPT = ["**/*.{js,mjs,cjs}"];
/** May read environment variables: app/platform, which lists them all, and code that runs outside the portal. */
const READ_ENVIRONMENT = ["app/platform/**", "scripts/**", "tests/**", "tools/**", "*.config.{ts,js}"];

const NO_HALF_TESTS = ["test", "it", "describe"].flatMap((object) =>
  ["only", "skip", "todo", "fixme"].map((property) => ({
    object,
    property,
    message: "No focused, skipped or unfinished tests: a test runs, or it goes.",
  })),
);
const NO_ENVIRONMENT = [
  {
    object: "process",
    property: "env",
    message: "Read environment variables in app/platform, which lists them all.",
  },
];

export default defineConfig(
  globalIgnores([
    "build/",
    ".cache/",
    ".data/",
    "test-results/",
    "attack-reports/",
    "playwright-report/",
    "coverage/",
  ]),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.strictTypeChecked, jsxA11y.flatConfigs.recommended],
    plugins: { "react-hooks": reactHooks },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A number in a template reads as it is written; the other types stay forbidden.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => dispatch()` is a common event handler.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // A React event handler may be async: React ignores what it returns.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      // In Remix, code answers by throwing a Response or the result of data().
      "@typescript-eslint/only-throw-error": [
        "error",
        { allow: ["Response", "TypedResponse", "Redirect", "DataWithResponseInit"] },
      ],
      // Marked so that nobody overlooks it: only a demo may have an issuer without TLS.
      "@typescript-eslint/no-deprecated": [
        "error",
        { allow: [{ from: "package", name: "allowInsecureRequests", package: "openid-client" }] },
      ],
      // We count length in code points (specification §5) and never split graphemes.
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
      // The plugin's other rules are for the React compiler, which we don't use.
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", { max: 400 }],
      "no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx"], location: "anywhere" }],
      "no-restricted-properties": ["error", ...NO_HALF_TESTS, ...NO_ENVIRONMENT],
    },
  },
  {
    files: READ_ENVIRONMENT,
    rules: { "no-restricted-properties": ["error", ...NO_HALF_TESTS] },
  },
  {
    files: ["app/**"],
    ignores: ["app/platform/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: ["process", "node:process"].map((name) => ({ name, importNames: ["env"] })) },
      ],
    },
  },
  {
    files: ["app/**/*.{ts,tsx}"],
    rules: {
      // The server logs JSON lines, with secrets masked; a browser's console goes unread.
      "no-console": "error",
      // The CSP allows the one inlined stylesheet and no style attributes.
      "no-restricted-syntax": [
        "error",
        ...NO_CHANGED_LIBRARY,
        {
          selector: "JSXAttribute[name.name='style']",
          message: "No style=: the CSP blocks it. Use a class.",
        },
      ],
    },
  },
  { files: ["vite.config.ts"], rules: { "no-restricted-syntax": ["error", ...NO_CHANGED_LIBRARY] } },
  {
    files: ["tests/**", "tools/**", "app/backend/**"],
    // No React there: `use` is an argument of Playwright's fixtures, and the backend "uses" codes.
    rules: {
      "react-hooks/rules-of-hooks": "off",
      // A Playwright fixture that needs no other fixture takes `{}`.
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
    },
  },
  {
    files: JAVASCRIPT,
    languageOptions: {
      globals: Object.fromEntries(
        [
          "process",
          "console",
          "Buffer",
          "URL",
          "AbortController",
          "setInterval",
          "clearInterval",
          "module",
          "document",
          "NodeFilter",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
