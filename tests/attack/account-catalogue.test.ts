import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { metBy } from "../pairs";
import type { Portal } from "../portal";
import { Visitor } from "../visitor";
import {
  json,
  PROFILE,
  sharedAttachedPortal,
  SIGNED_IN,
  type HostileBackend,
  type Reply,
} from "./hostile-backend";
import { SENT_FORMS, type SentForm } from "./account-forms";
import { readPage } from "./account-page";

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});
beforeEach(() => {
  backend.reset();
});

/** Sends a form to a backend that gives its call this answer. */
async function send({ path, call, fields, signedIn, before, hasDocumentPassword }: SentForm, reply: Reply) {
  const visitor = new Visitor(portal);
  visitor.cookies.set("accepted-cookies", "true");
  if (signedIn) for (const [name, value] of Object.entries(SIGNED_IN)) visitor.cookies.set(name, value);
  if (before) await visitor.post(before.path, before.fields);
  if (hasDocumentPassword) backend.replies.profile = json(200, { ...PROFILE, documentPassword: true });
  backend.replies[call] = reply;
  const answer = await visitor.post(path, fields);
  return { visitor, answer, page: readPage(answer.body) };
}

/** Whether the form has only one field to fill in, not counting switches and buttons. */
const isOnlyField = ({ fields }: SentForm) =>
  Object.keys(fields).filter((field) => field !== "intent" && field !== "trustDevice").length === 1;

const code = (errorCode: string) => json(400, { errorCode });

const INLINE = [
  ["007", "authorizationCode", "Nieprawidłowy kod autoryzacyjny."],
  ["010", "authorizationCode", "Nieprawidłowy kod autoryzacyjny."],
  ["012", "newUsername", "Ta nazwa użytkownika jest już zajęta."],
  ["013", "newPassword", "To hasło było już używane."],
] as const;

const TO_START = /<a [^>]*href="\/home"/;
/** Where 015 leads: to where the change began. */
const ORIGINS = new Map([
  ["/home/confirm-login", /<a [^>]*href="\/cp"/],
  ["/home/change-login", /<a [^>]*href="\/cp\/profile"/],
]);
const SIGNS_OUT =
  /<form method="post" action="\/home\/logout"[^>]*>\s*<button [^>]*name="intent" value="to-login"/;
const NEW_CODE = /<button [^>]*name="intent" value="send-code"/;
const MODAL = [
  ["014", "Masz już konto", TO_START],
  ["015", "Nazwy nie można teraz zmienić", TO_START],
  ["105", "Konto wygasło", TO_START],
  ["106", "Konto zablokowane", SIGNS_OUT],
  ["108", "Konto wyłączone", TO_START],
  ["016", "Kod autoryzacyjny zablokowany", NEW_CODE],
  ["999", "Nie udało się", TO_START],
] as const;

const WAITS = [
  [429, "rate-limited", 61, "Zbyt wiele prób. Spróbuj ponownie za 2 minuty."],
  [503, "busy", 2, "Spróbuj ponownie za 2 sekundy."],
] as const;

const FORMS = Object.entries(SENT_FORMS).map(([name, form], nth) => ({
  name,
  form,
  meets: <Other>(others: readonly Other[]) => metBy(nth, Object.keys(SENT_FORMS).length, others),
}));

// unit/forms' show-refusal.test.ts has what each code shows; here each form meets some codes, before a release all.
describe.each(FORMS)("the error catalogue on $name", ({ form, meets }) => {
  test.each(meets(INLINE))(
    "§8 %s is shown at the field %s, or in the general dialog if the form has no such field",
    async (errorCode, field, text) => {
      const { answer, page } = await send(form, code(errorCode));
      expect([answer.status, page.title.startsWith("Błąd: ")]).toEqual([400, true]);
      if (!form.at?.includes(field)) {
        expect([page.dialog, page.says(`Kod błędu: ${errorCode}`)]).toEqual(["Nie udało się", true]);
        return;
      }
      expect(page.dialog).toBeUndefined();
      expect(page.errorAt(field)).toContain(text);
      // If a form has only one field, the error is shown at the field alone (F24).
      if (isOnlyField(form)) expect(page.alert).toBe("");
      else {
        expect(page.alert).not.toBe("");
        // The alert's title has its own wording, and its link only names the field (F43).
        expect(page.alert).not.toContain(text);
      }
      for (const other of Object.keys(form.fields))
        if (other !== field) expect(page.errorAt(other)).toBeUndefined();
    },
  );

  test.each(meets(MODAL))(
    "§8 %s opens the dialog “%s” with its button",
    async (errorCode, header, button) => {
      const { visitor, answer, page } = await send(form, code(errorCode));
      expect([answer.status, page.title.startsWith("Błąd: ")]).toEqual([400, true]);
      expect(page.dialog).toBe(header);
      const origin = errorCode === "015" ? ORIGINS.get(form.path) : undefined;
      expect(page.dialogHtml).toMatch(origin ?? button);
      // Typed values stay, except passwords and codes.
      for (const [field, typed] of Object.entries(form.fields))
        if (["policyNo", "pid", "username", "newUsername", "newUsernameRepeat"].includes(field))
          expect([field, page.value(field)]).toEqual([field, typed]);
        else if (field !== "intent") expect([field, page.value(field)]).toEqual([field, ""]);
      // If the button leads to the start page, the flow is forgotten.
      if (button === TO_START) expect(visitor.cookies.has("flow")).toBe(false);
    },
  );

  test.each(meets(WAITS))(
    "%i: the same page with the time to wait, and nobody is signed out",
    async (status, errorCode, wait, text) => {
      const { visitor, answer, page } = await send(
        form,
        json(status, { errorCode, retryAfterSeconds: wait }),
      );
      expect([answer.status, answer.header("Retry-After")]).toEqual([status, String(wait)]);
      expect(page.alert).toContain(text);
      expect(visitor.cookies.has("session")).toBe(form.signedIn === true);
      if (form.before) expect(visitor.cookies.has("flow")).toBe(true);
    },
  );
});
