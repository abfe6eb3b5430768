import { z } from "zod";
import { sessionSecrets } from "./secret-variables.server";
import { origin, wholeNumber } from "./variable-values.server";

const MOST_MINUTES = 60;
const ISSUER = "an https address such as https://login.insurer.example/realms/staff";

const ONE_TENANT =
  "the address of one tenant, with its number, such as https://login.microsoftonline.com/8a6f…/v2.0, not one for many tenants";
/** Microsoft's hosts. */
const MICROSOFT =
  /(?:^|\.)(?:microsoftonline(?:-p)?\.(?:com|us|de|cn)|chinacloudapi\.cn|windows\.net|microsoft\.com|live\.com)\.?$/;
/** Their first folders for people of any tenant. The number is the tenant of all personal accounts. */
const MANY_TENANTS = /^\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(?:\/|$)/i;

/** The issuer's address, as its tokens name it. Without TLS only a demo may have it. */
const issuer = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), ISSUER)
  .refine((text) => !isForManyTenants(text), ONE_TENANT);

/** Whether people of other tenants could sign on there. `common` means that only at Microsoft. */
function isForManyTenants(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return text.includes("{") || (MICROSOFT.test(hostname) && MANY_TENANTS.test(pathname));
}

/** A role's or a claim's name. */
const word = z.string().regex(/^\S{1,100}$/, "one word of at most 100 characters");

/** The pages for the insurer's staff, a process of its own (`npm run help-desk`). A portal reads none of these. */
export const helpDeskVariables = {
  HELP_DESK_ORIGIN: origin("https://help-desk.example").optional().meta({
    description:
      "The origin at which staff see the help desk's pages, without a path; in production it must be https. It can't be `PUBLIC_ORIGIN`.",
    needed: "in production",
  }),
  HELP_DESK_ISSUER: issuer.optional().meta({
    description:
      "The insurer's own sign-on: the issuer's address in OpenID Connect, letter for letter as its configuration and its tokens name it; with Entra that of one tenant. The process reads `/.well-known/openid-configuration` below it when it starts, each hour in which somebody signs on, and again after a fault; a start doesn't wait for it. A demo without one lets anybody sign on as one of two invented people.",
    needed: "in production",
  }),
  HELP_DESK_CLIENT_ID: z.string().optional().meta({
    description:
      "The help desk's name at the issuer. Register `/help-desk/sign-on/answer` and `/help-desk/signed-out` of `HELP_DESK_ORIGIN` as its redirects after signing on and out.",
    needed: "in production",
  }),
  HELP_DESK_CLIENT_SECRET: z.string().optional().meta({
    description: "Its secret at the issuer.",
    secret: true,
    needed: "in production",
  }),
  HELP_DESK_ROLES_CLAIM: word.default("roles").meta({
    description:
      "The claim of the ID token that holds a person's roles, or the path to it, such as `realm_access.roles`: a claim of the whole name goes first. A list of names, or one text: if all of it is words of letters, digits and `.`, `_`, `:`, `-` between single commas or spaces, each word is a role; else the whole text is one.",
  }),
  HELP_DESK_LOOK: word.default("portal-look").meta({
    description: "The role of those who may look at customers' accounts.",
  }),
  HELP_DESK_ACT: word.default("portal-act").meta({
    description: "The role of those who may act on them, too.",
  }),
  HELP_DESK_NAME_CLAIM: word.default("preferred_username").meta({
    description:
      "The claim of the ID token with the name that the audit keeps, beside `sub`. Without it `sub` is the name.",
  }),
  HELP_DESK_SECRETS: sessionSecrets.optional().meta({
    description:
      "One or more secrets of at least 32 characters, separated by commas; `openssl rand -base64 32` makes one. The first seals the help desk's cookies, any of them opens them. They are its own, not a portal's. A demo without them makes one at each start.",
    secret: true,
    needed: "in production",
  }),
  HELP_DESK_SESSION_MINUTES: wholeNumber(1, MOST_MINUTES).default(60).meta({
    description:
      "How long (1 to 60 minutes) a member of staff stays signed on. The roles are those of the sign-on.",
  }),
  HELP_DESK_IDLE_MINUTES: wholeNumber(1, MOST_MINUTES).default(15).meta({
    description: "After how many minutes without a request (1 to 60) the session ends.",
  }),
  HELP_DESK_FRESH_MINUTES: wholeNumber(1, MOST_MINUTES).default(5).meta({
    description:
      "How old (1 to 60 minutes) a sign-on may be for a grave act: one that can open an account to somebody else.",
  }),
  HELP_DESK_LOOKS_PER_HOUR: wholeNumber(1, 100_000).default(60).meta({
    description: "How many customers one person may open in an hour.",
  }),
  HELP_DESK_APPROVAL: z.enum(["off", "on"], "off or on").default("off").meta({
    description: "`on`: a grave act waits for a second person.",
  }),
};

/** The values of these variables that other checks need. */
interface SetForHelpDesk {
  readonly PORTAL_MODE: "demo" | "production";
  readonly PUBLIC_ORIGIN?: string | undefined;
  readonly HELP_DESK_ORIGIN?: string | undefined;
  readonly HELP_DESK_ISSUER?: string | undefined;
  readonly HELP_DESK_CLIENT_ID?: string | undefined;
  readonly HELP_DESK_CLIENT_SECRET?: string | undefined;
}

/** A sentence for each variable of the help desk that doesn't fit the others. */
export function helpDeskProblems(settings: SetForHelpDesk): readonly string[] {
  const { PORTAL_MODE, PUBLIC_ORIGIN, HELP_DESK_ORIGIN, HELP_DESK_ISSUER } = settings;
  const isProduction = PORTAL_MODE === "production";
  const problems: string[] = [];
  if (isProduction && HELP_DESK_ORIGIN?.startsWith("http:") === true)
    problems.push("HELP_DESK_ORIGIN: expected an https origin in production");
  if (HELP_DESK_ORIGIN !== undefined && HELP_DESK_ORIGIN === PUBLIC_ORIGIN)
    problems.push("HELP_DESK_ORIGIN: expected another origin than PUBLIC_ORIGIN");
  if (HELP_DESK_ISSUER === undefined) return problems;
  if (isProduction && !HELP_DESK_ISSUER.startsWith("https:"))
    problems.push(`HELP_DESK_ISSUER: expected ${ISSUER}`);
  for (const name of ["HELP_DESK_ORIGIN", "HELP_DESK_CLIENT_ID", "HELP_DESK_CLIENT_SECRET"] as const)
    if (settings[name] === undefined) problems.push(`${name}: expected with HELP_DESK_ISSUER`);
  return problems;
}
