import { build, type Rollup } from "vite";

/** What the portal's browser code imports from its libraries, without our own code. */
const USED = `
  export { createContext, startTransition, StrictMode, useContext, useEffect, useMemo, useRef, useState } from "react";
  export { hydrateRoot } from "react-dom/client";
  export { createPortal } from "react-dom";
  export { Fragment, jsx, jsxs } from "react/jsx-runtime";
  export { isRouteErrorResponse, Outlet, RemixBrowser, UNSAFE_RemixContext, useActionData, useFetchers, useLoaderData,
    useLocation, useMatches, useNavigate, useNavigation, useRevalidator, useRouteError, useRouteLoaderData,
  } from "@remix-run/react";
  export { Form, Link, UNSAFE_DataRouterContext, UNSAFE_DataRouterStateContext } from "react-router-dom";
  export { getFormProps, getInputProps, parse, useForm } from "@conform-to/react";
`;
const ENTRY = "\0libraries";

/** The libraries alone, as they come: what a screen with a form weighs at least, if nothing is cut out of them. */
export async function libraryBytes(): Promise<readonly Uint8Array[]> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "libraries",
        resolveId: (id) => (id === ENTRY ? ENTRY : undefined),
        load: (id) => (id === ENTRY ? USED : undefined),
      },
    ],
    build: {
      write: false,
      minify: "terser",
      modulePreload: false,
      target: ["chrome70", "safari12", "firefox78"],
      rollupOptions: { input: ENTRY, preserveEntrySignatures: "strict" },
    },
  });
  return [built]
    .flat()
    .flatMap((result) => ("output" in result ? result.output : []))
    .flatMap((file: Rollup.OutputChunk | Rollup.OutputAsset) =>
      file.type === "chunk" ? [Buffer.from(file.code)] : [],
    );
}
