import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";
import { exportedDocstring } from "./scripts/eslint/exported-docstring.js";

const TYPESCRIPT = ["**/*.{ts,tsx}"];
const JAVASCRIPT = ["**/*.{js,mjs,cjs}"];
/** Where variables of the environment may be read: the one list of them, and what runs outside of the portal. */
const READ_ENVIRONMENT = ["app/platform/**", "scripts/**", "tests/**", "*.config.{ts,js}"];

const NO_HALF_TESTS = ["test", "it", "describe"].flatMap((object) =>
  ["only", "skip", "todo", "fixme"].map((property) => ({
    object,
    property,
    message: "A test runs, or it isn't there.",
  })),
);
const NO_ENVIRONMENT = [
  {
    object: "process",
    property: "env",
    message: "Variables are read in app/platform, where each is listed.",
  },
];

export default defineConfig(
  globalIgnores(["build/", ".cache/", ".data/", "test-results/", "playwright-report/", "coverage/"]),
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
      // `() => dispatch()` as an event handler is what everybody writes.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // A React event handler may be async: nobody waits for what it gives.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      // Remix answers by throwing a Response, or what data() makes.
      "@typescript-eslint/only-throw-error": [
        "error",
        { allow: ["Response", "TypedResponse", "Redirect", "DataWithResponseInit"] },
      ],
      // Code points are our unit of length (specification §5); nothing here cuts graphemes.
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
      // The plugin's other rules prepare for the React compiler, which is not used.
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
      "max-lines": ["error", { max: 250 }],
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
    plugins: { portal: { rules: { "exported-docstring": exportedDocstring } } },
    rules: {
      // The server's log is JSON lines, and masks what is secret; a browser's console is nobody's.
      "no-console": "error",
      "portal/exported-docstring": "error",
      // No style attribute: the policy for styles allows the one inlined sheet and nothing else.
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='style']",
          message: "No style=: the CSP blocks it. Use a class.",
        },
      ],
    },
  },
  {
    files: ["tests/**", "app/backend/**"],
    // No React there: Playwright's fixtures call an argument `use`, the backend uses codes.
    rules: {
      "react-hooks/rules-of-hooks": "off",
      // A fixture of Playwright that needs no other one says so by `{}`.
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
