import { z } from "zod";
import { CALLS, type Access, type CallName } from "../../app/contract/calls.server";
import { CATALOGUE_CODES, ERROR_CATALOGUE } from "../../app/contract/errors";
import { PDF, pdfFile } from "../../app/contract/pdf-file.server";
import { DESCRIPTIONS, RULES } from "./openapi-descriptions";

/** A JSON object in the document. */
type Json = Readonly<Record<string, unknown>>;

/** The contract's version. It goes up with each breaking change for backends. */
const VERSION = "1.0.0";

/**
 * The backend contract as OpenAPI 3.1, from the same schemas that check the calls.
 * @returns the document, ready for JSON
 */
export function openApiDocument(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of Object.keys(CALLS) as CallName[]) {
    const { method, path } = CALLS[name];
    (paths[path] ??= {})[method.toLowerCase()] = operation(name);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Policyholder portal: the backend contract", version: VERSION, description: RULES },
    servers: [{ url: "/", description: "The origin that BACKEND_URL names" }],
    tags: [...new Set(Object.values(DESCRIPTIONS).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: COMPONENTS.schemas,
      responses: COMPONENTS.responses,
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "session",
          description: "`__Host-session` if the backend's origin is https.",
        },
      },
    },
  };
}

function operation(name: CallName): Json {
  const { access, request, method, path } = CALLS[name];
  const { tag, summary, description, refusal } = DESCRIPTIONS[name];
  const { inPath, inBody } = fieldsOf(schemaOf(request), path);
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityFor(access),
    ...(inPath.length > 0 && { parameters: inPath }),
    ...(takesBody(method) && {
      requestBody: {
        required: Array.isArray(inBody["required"]),
        content: { "application/json": { schema: inBody } },
      },
    }),
    responses: responsesOf(name, [...catalogueCodesOf(name), ...(refusal === undefined ? [] : [refusal])]),
  };
}

/** Requires a session, or allows one for calls that don't need it. */
function securityFor(access: Access): readonly Json[] {
  return mayLackSession(access) ? [{}, { session: [] }] : [{ session: [] }];
}

function mayLackSession(access: Access): boolean {
  return access === "always" || access === "signed-out" || access === "open";
}

/** The codes of the error catalogue that a call can refuse with. */
function catalogueCodesOf(name: CallName): readonly string[] {
  return CATALOGUE_CODES.filter((code) => ERROR_CATALOGUE[code].calls.some((call) => call === name));
}

function responsesOf(name: CallName, codes: readonly string[]): Json {
  const { access, method, response, mayBeMissing } = CALLS[name];
  const refers = (component: keyof typeof COMPONENTS.responses) => ({
    $ref: `#/components/responses/${component}`,
  });
  return {
    ...(method === "DELETE"
      ? { 204: { description: "Done" } }
      : { 200: { description: "Done", content: contentOf(response) } }),
    ...(codes.length > 0 && { 400: refusedWith(codes) }),
    ...(!mayLackSession(access) && { 401: refers("NoSession") }),
    ...(mayBeMissing && { 404: refers("NotFound") }),
    ...(method !== "GET" && { 403: refers("CrossSite") }),
    ...(access === "signed-out" && { 409: refers("SignedIn") }),
    ...((access === "open" || access === "active") && { 409: refers("NotActivated") }),
    ...(takesBody(method) && {
      411: refers("NoLength"),
      413: refers("TooLarge"),
      415: refers("NotJson"),
      422: refers("Invalid"),
    }),
    429: refers("RateLimited"),
    503: refers("Unavailable"),
  };
}

function contentOf(response: z.ZodType): Json {
  return response === pdfFile ? { [PDF]: {} } : { "application/json": { schema: schemaOf(response) } };
}

function refusedWith(codes: readonly string[]): Json {
  return {
    description: `Refused with a code of the error catalogue: ${[...codes].toSorted().join(", ")}`,
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Refusal" }],
          properties: { errorCode: { enum: [...codes].toSorted() } },
        },
      },
    },
  };
}

function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT";
}

/** Splits a call's fields into those in its path and those in its body. */
function fieldsOf(schema: Json, path: string): { inPath: readonly Json[]; inBody: Json } {
  const {
    properties = {},
    required,
    ...rest
  } = schema as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  const isInPath = (field: string) => path.includes(`{${field}}`);
  // The description comes after the rest of the field's schema.
  const described = Object.entries(properties).map(([field, { description, ...own }]) => {
    return [field, { ...own, ...(description !== undefined && { description }) }] as const;
  });
  const needed = (required ?? []).filter((field) => !isInPath(field));
  return {
    inPath: described
      .filter(([field]) => isInPath(field))
      .map(([name, { description, ...own }]) => ({
        name,
        in: "path",
        required: true,
        ...(description !== undefined && { description }),
        schema: own,
      })),
    inBody: {
      ...rest,
      properties: Object.fromEntries(described.filter(([field]) => !isInPath(field))),
      ...(needed.length > 0 && { required: needed }),
    },
  };
}

/** A schema as JSON Schema 2020-12, as OpenAPI 3.1 requires. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...own } = z.toJSONSchema(schema, { io: "input" });
  return own;
}

const seconds = { type: "number", minimum: 0 };
const ofSchema = (name: string) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});
const retryAfter = { "Retry-After": { description: "Seconds", schema: { type: "integer", minimum: 0 } } };
const coded = (errorCode: string, more: Json, required: readonly string[]) => ({
  type: "object",
  properties: { errorCode: { const: errorCode }, ...more },
  required: ["errorCode", ...required],
});

const COMPONENTS = {
  schemas: {
    Nothing: { type: "object" },
    Refusal: {
      type: "object",
      properties: {
        errorCode: { type: "string", minLength: 1, maxLength: 40 },
        retryAfterSeconds: { ...seconds, description: "With a timed lock (106)" },
        unknown: {
          const: true,
          description:
            "Optional, beside 007 of a sign-in by passkey: the passkey was removed or never was, so that devices may forget it.",
        },
        triesLeft: {
          type: "integer",
          minimum: 0,
          description: "With a wrong password (101): how many more lock the account. May be left out",
        },
      },
      required: ["errorCode"],
    },
    Invalid: coded(
      "invalid",
      { fields: { type: "array", items: { type: "string" }, description: "The fields that broke a rule" } },
      ["fields"],
    ),
    RateLimited: coded("rate-limited", { retryAfterSeconds: seconds }, ["retryAfterSeconds"]),
    Unavailable: {
      type: "object",
      properties: { errorCode: { enum: ["busy", "unavailable"] }, retryAfterSeconds: seconds },
      required: ["errorCode", "retryAfterSeconds"],
    },
  },
  responses: {
    NoSession: { description: "No session, or the session has ended", content: ofSchema("Nothing") },
    NotFound: { description: "Not the customer's own, or not there", content: ofSchema("Nothing") },
    CrossSite: { description: "A write from another site" },
    NotActivated: {
      description: "The session is pending: the sign-in code is missing",
      content: ofSchema("Nothing"),
    },
    SignedIn: {
      description: "The session is active: somebody is signed in already",
      content: ofSchema("Nothing"),
    },
    NoLength: { description: "The body has no declared length" },
    TooLarge: { description: "The body is over 16 KB" },
    NotJson: { description: "The body is not application/json in UTF-8" },
    Invalid: { description: "The payload breaks its schema or a rule", content: ofSchema("Invalid") },
    RateLimited: { description: "Too many attempts", headers: retryAfter, content: ofSchema("RateLimited") },
    Unavailable: {
      description: "Too much work at once (`busy`), or the data can't be had now (`unavailable`)",
      headers: retryAfter,
      content: ofSchema("Unavailable"),
    },
  },
} as const;
