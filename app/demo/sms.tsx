import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { clockTimeInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/texts.server";
import { problem } from "~/shell/problem.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/layout.server";
import { CustomerPage, PageHeading } from "~/ui/page-layout";
import { demoBackend } from "~/visit/backend-client/backend-client.server";
import { textsFor } from "~/visit/browser.server";

/** Digits as people read them: +48 500 100 001. */
const POLISH_NUMBER = /^(\+48)(\d{3})(\d{3})(\d{3})$/;

/** The demo outbox for people: the messages "sent", newest first. */
export async function loader(args: LoaderFunctionArgs) {
  const backend = await demoBackend();
  if (!backend) throw await problem(args, 404);
  const messages = await backend.outbox();
  const t = await textsFor(args.request);
  return {
    title: customerTitle(t, t("common:demo.outboxTitle")),
    messages: messages.map(({ to, text, sentAt }) => ({
      to: to.replace(POLISH_NUMBER, "$1\u00A0$2\u00A0$3\u00A0$4"),
      text,
      time: clockTimeInPoland(t, Date.parse(sentAt)),
      sentAt,
    })),
    words: words(t, { header: "common:demo.outboxTitle", empty: "common:demo.outboxEmpty" }),
  };
}

export const action = readOnly(async (args) => {
  if (!(await demoBackend())) throw await problem(args, 404);
});

export default function DemoSms() {
  const { words, messages } = useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={words.header} />
      {messages.length === 0 && <p className="mt-6">{words.empty}</p>}
      <ul className="mt-6 space-y-3">
        {messages.map((message) => (
          <li
            key={`${message.sentAt} ${message.text}`}
            className="rounded-card border border-line bg-card p-5"
          >
            <p className="text-sm text-muted">
              {message.to} · <time dateTime={message.sentAt}>{message.time}</time>
            </p>
            <p lang="pl" className="mt-2 whitespace-pre-line break-words text-lg">
              {message.text}
            </p>
          </li>
        ))}
      </ul>
    </CustomerPage>
  );
}
