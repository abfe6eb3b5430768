import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { clockTimeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { problem } from "~/shell/problem";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { CustomerPage, PageHeading } from "~/ui/page-layout";
import { demoBackend } from "~/visit/backend-client/backend-client.server";
import { textsFor } from "~/visit/browser.server";

/** Digits as people read them: +48 500 100 001. */
const POLISH_NUMBER = /^(\+48)(\d{3})(\d{3})(\d{3})$/;

/** The demo outbox for people: the messages "sent", newest first. */
export async function loader(args: LoaderFunctionArgs) {
  const backend = await demoBackend();
  if (!backend) throw problem(404);
  const messages = await backend.outbox();
  const t = await textsFor(args.request);
  return {
    title: customerTitle(t, t("common:demo.outboxTitle")),
    messages,
  };
}

export const action = readOnly(async () => {
  if (!(await demoBackend())) throw problem(404);
});

export default function DemoSms() {
  const t = useTexts();
  const { messages } = useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={t("common:demo.outboxTitle")} />
      {messages.length === 0 && <p className="mt-6">{t("common:demo.outboxEmpty")}</p>}
      <ul className="mt-6 space-y-3">
        {messages.map(({ to, text, sentAt }) => (
          <li key={`${sentAt} ${text}`} className="rounded-card border border-line bg-card p-5">
            <p className="text-sm text-muted">
              {to.replace(POLISH_NUMBER, "$1\u00A0$2\u00A0$3\u00A0$4")} ·{" "}
              <time dateTime={sentAt}>{clockTimeInPoland(t, Date.parse(sentAt))}</time>
            </p>
            <p lang="pl" className="mt-2 whitespace-pre-line break-words text-lg">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </CustomerPage>
  );
}
