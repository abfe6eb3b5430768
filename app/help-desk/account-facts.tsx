import type { ReactNode } from "react";
import { AUDIT_EVENTS } from "~/backend/index.server";
import type { AccountOverview, ShownEvent, ShownMessage, UnregisteredOverview } from "~/backend/types";
import type { Premium } from "~/contract/premium.server";
import type { Translate } from "~/i18n/texts.server";
import { dayInPoland, timeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { premiumFacts } from "~/journeys/customer-area/policy-facts";
import { groupsOfFour, transferOf } from "~/journeys/customer-area/transfer";
import { isoDayInPoland } from "~/platform/time.server";
import { Section } from "~/ui/page-layout";
import { type BadgeProps, type Fact, FactList, StateBadge } from "~/ui/policy-card";
import { readableDeviceName } from "~/visit/browser.server";

const TONES: Readonly<Record<AccountOverview["state"], BadgeProps["tone"]>> = {
  active: "good",
  locked: "soon",
  expired: "over",
  disabled: "over",
};

/** A customer's account: what `account show` prints, except delivery reports, which need the gateway. */
export function AccountFacts(shown: AccountOverview) {
  const t = useTexts();
  return (
    <>
      <Section header={t("helpDesk:facts.account")}>
        <FactList
          facts={[
            ...stateFacts(t, shown),
            { term: t("helpDesk:facts.username"), value: shown.username },
            { term: t("helpDesk:facts.registered"), value: at(t, shown.registeredAt) },
            { term: t("helpDesk:facts.lastSignIn"), value: lastSignIn(t, shown) },
            ...policyFacts(t, shown),
            {
              term: t("helpDesk:facts.documentPassword"),
              value: shown.documentPasswordSetAt
                ? t("helpDesk:facts.setAt", { time: at(t, shown.documentPasswordSetAt) })
                : t("helpDesk:none"),
            },
          ]}
        />
      </Section>
      <Section header={t("helpDesk:facts.signIn")}>
        <FactList
          facts={[
            fact(
              t,
              "tries",
              shown.tries.map((tries) => triesInWords(t, tries)),
            ),
            fact(
              t,
              "guesses",
              shown.guesses.map((guesses) => guessesInWords(t, guesses)),
            ),
            fact(
              t,
              "sessions",
              shown.sessions.map((session) => sessionInWords(t, session)),
            ),
            fact(
              t,
              "trustedDevices",
              shown.trustedDevices.map(({ deviceName, until }) =>
                t("helpDesk:facts.deviceUntil", { device: device(t, deviceName), time: at(t, until) }),
              ),
            ),
            { term: t("helpDesk:facts.knownBrowsers"), value: shown.knownBrowsers },
            fact(t, "usedUpCaps", capsInWords(t, shown)),
          ]}
        />
      </Section>
      <Messages messages={shown.messages} />
      <Events events={shown.events} header={t("helpDesk:facts.events")} />
    </>
  );
}

/** State, phone numbers and second factors: what an act's page shows, too. */
export function stateFacts(t: Translate, shown: AccountOverview): readonly Fact[] {
  const { state, phone, newPhone, factors } = shown;
  return [
    {
      term: t("helpDesk:facts.state"),
      value: <StateBadge tone={TONES[state]} text={t(`helpDesk:state.${state}`)} />,
    },
    { term: t("helpDesk:facts.phone"), value: phone },
    ...(newPhone
      ? [
          {
            term: t("helpDesk:facts.newPhone"),
            value: (
              <Lines
                lines={[
                  t("helpDesk:facts.newPhoneFrom", { number: newPhone.phone, time: at(t, newPhone.from) }),
                  newPhone.import
                    ? t("helpDesk:facts.newPhoneBy", { time: at(t, newPhone.import.at) })
                    : t("helpDesk:facts.newPhoneUnknown"),
                ]}
              />
            ),
          },
        ]
      : []),
    fact(t, "factors", factorsInWords(t, factors)),
  ];
}

/** The same for a customer without an account. */
export function UnregisteredFacts(shown: UnregisteredOverview) {
  const t = useTexts();
  return (
    <>
      <Section header={t("helpDesk:facts.account")}>
        <p className="mb-3 font-semibold">{t("helpDesk:facts.noAccount")}</p>
        <FactList
          facts={[
            {
              term: t("helpDesk:facts.phone"),
              value: t("helpDesk:facts.phoneReach", {
                number: shown.phone,
                reach: t(`helpDesk:reach.${shown.reach}`),
              }),
            },
            ...policyFacts(t, shown),
            fact(t, "usedUpCaps", capsInWords(t, shown)),
          ]}
        />
      </Section>
      <Messages messages={shown.messages} />
      <Events events={shown.tries} header={t("helpDesk:facts.lastTries")} />
    </>
  );
}

type ListName = "tries" | "guesses" | "sessions" | "trustedDevices" | "usedUpCaps" | "factors";

/** Facts under one name; "none" without any. */
function fact(t: Translate, name: ListName, lines: readonly string[]): Fact {
  return {
    term: t(`helpDesk:facts.${name}`),
    value: lines.length === 0 ? t("helpDesk:none") : <Lines lines={lines} />,
  };
}

function Lines({ lines }: { readonly lines: readonly ReactNode[] }) {
  return (
    <ul className="space-y-1">
      {lines.map((line, nth) => (
        <li key={nth}>{line}</li>
      ))}
    </ul>
  );
}

/** How many policies there are, and each premium as its customer reads it. */
function policyFacts(
  t: Translate,
  { policies, premiums }: Pick<AccountOverview, "policies" | "premiums">,
): readonly Fact[] {
  const today = isoDayInPoland(Date.now());
  return [
    {
      term: t("helpDesk:facts.policies"),
      value: t("helpDesk:facts.policiesValid", { all: policies.all, valid: policies.validToday }),
    },
    ...premiums.flatMap(({ policyNo, premium }) =>
      premiumFacts(t, premium, today).map(({ term, value }) => ({
        term: `${term}, ${policyNo}`,
        value: <Lines lines={[value, ...paymentInWords(t, premium, policyNo)]} />,
      })),
    ),
  ];
}

/** What the payment page shows beside the amount. */
function paymentInWords(t: Translate, premium: Premium, policyNo: string): readonly string[] {
  const transfer = transferOf(premium, policyNo);
  const { asOf } = premium;
  return [
    ...(transfer
      ? [
          `${t("cp:payment.account")}: ${groupsOfFour(transfer.account)}`,
          `${t("cp:payment.transferTitle")}: ${transfer.title}`,
        ]
      : []),
    ...(asOf === undefined ? [] : [t("cp:payment.asOf", { day: dayInPoland(t, asOf) })]),
  ];
}

function Messages({ messages }: Pick<AccountOverview, "messages">) {
  const t = useTexts();
  return (
    <Section header={t("helpDesk:facts.messages")}>
      {messages.length === 0 ? (
        <p>{t("helpDesk:none")}</p>
      ) : (
        <FactList
          facts={messages.map((message) => ({
            term: `${t(`helpDesk:message.${message.purpose}`)}, ${at(t, message.writtenAt)}`,
            value: <Outcome {...message} />,
          }))}
        />
      )}
    </Section>
  );
}

/** A message's delivery state. The gateway's reason is technical, and in English. */
function Outcome({ state, since, reason, gateway }: ShownMessage) {
  const t = useTexts();
  const by = gateway ?? t("helpDesk:messageBy.demo");
  return (
    <>
      {t(`helpDesk:messageState.${state}`, { by, time: at(t, since) })}
      {reason !== undefined && (
        <>
          {" "}
          (<span lang="en">{reason}</span>)
        </>
      )}
    </>
  );
}

function Events({ events, header }: { readonly events: readonly ShownEvent[]; readonly header: string }) {
  const t = useTexts();
  return (
    <Section header={header}>
      {events.length === 0 ? (
        <p>{t("helpDesk:none")}</p>
      ) : (
        <ol className="divide-y divide-line">
          {events.map((event, nth) => (
            <li key={nth} className="py-2 sm:flex">
              <span className="text-muted sm:w-1/4 sm:flex-none">{at(t, event.at)}</span>{" "}
              <span className="block min-w-0 flex-1 break-words sm:inline">{eventInWords(t, event)}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function eventInWords(t: Translate, { event, deviceName, byStaff, detail }: ShownEvent): string {
  const known = AUDIT_EVENTS.find((name) => name === event);
  const why = detailInWords(t, detail);
  const by = byStaff ? t("helpDesk:byStaff") : deviceName === "" ? undefined : device(t, deviceName);
  // An event of a later release has only its own name.
  return [known ? t(`helpDesk:event.${known}`) : event, why, by].filter(Boolean).join(", ");
}

/** Why a code was not sent. Other details are for the audit. */
function detailInWords(t: Translate, detail: string | undefined): string | undefined {
  if (detail?.startsWith("cap reached") === true) return t("helpDesk:detail.cap");
  return detail === "the number gets no SMS" ? t("helpDesk:detail.noSms") : undefined;
}

function factorsInWords(
  t: Translate,
  { factors, recoveryCodeSetAt, smsAtSignIn }: AccountOverview["factors"],
) {
  if (factors.length === 0) return [];
  return [
    ...factors.map(({ kind, addedAt, lastUsedAt, passkey }) =>
      [
        t(lastUsedAt ? "helpDesk:facts.factorUsed" : "helpDesk:facts.factorUnused", {
          kind: t(`helpDesk:factor.${kind}`),
          added: at(t, addedAt),
          used: lastUsedAt && at(t, lastUsedAt),
        }),
        ...(passkey ? passkeyInWords(t, passkey) : []),
      ].join(", "),
    ),
    recoveryCodeSetAt
      ? t("helpDesk:facts.recoveryCode", { time: at(t, recoveryCodeSetAt) })
      : t("helpDesk:facts.noRecoveryCode"),
    t(smsAtSignIn ? "helpDesk:facts.smsOn" : "helpDesk:facts.smsOff"),
  ];
}

type ShownPasskey = NonNullable<AccountOverview["factors"]["factors"][number]["passkey"]>;

function passkeyInWords(t: Translate, { signsIn, copied, maker }: ShownPasskey): readonly string[] {
  return [
    ...(maker === null ? [] : [maker]),
    ...(signsIn === null
      ? []
      : [t(signsIn ? "helpDesk:facts.passkeySignsIn" : "helpDesk:facts.passkeyConfirms")]),
    ...(copied === null ? [] : [t(copied ? "helpDesk:facts.passkeyCopied" : "helpDesk:facts.passkeyOnOne")]),
  ];
}

function lastSignIn(t: Translate, { lastSignIn: last }: AccountOverview): string {
  return last ? `${at(t, last.at)}, ${device(t, last.deviceName)}` : t("helpDesk:facts.noneLately");
}

function capsInWords(t: Translate, { usedUpCaps }: Pick<AccountOverview, "usedUpCaps">) {
  return usedUpCaps.map(({ of, until }) =>
    t("helpDesk:facts.capUntil", { cap: t(`helpDesk:cap.${of}`), time: at(t, until) }),
  );
}

function triesInWords(
  t: Translate,
  { where, deviceName, tries, lockedUntil }: AccountOverview["tries"][number],
): string {
  const words = [t("helpDesk:tries", { count: tries }), t(`helpDesk:where.${where}`)].join(" ");
  const named = deviceName === undefined ? words : `${words} (${device(t, deviceName)})`;
  return lockedUntil ? `${named}; ${t("helpDesk:lockedUntil", { time: at(t, lockedUntil) })}` : named;
}

function guessesInWords(
  t: Translate,
  { where, tries, inRow, stoppedUntil, untilConfirmed }: AccountOverview["guesses"][number],
): string {
  const words = `${t("helpDesk:tries", { count: tries })} ${t(`helpDesk:where.${where}`)}`;
  const row = inRow === undefined ? [] : [t("helpDesk:inRow", { count: inRow })];
  const stop = untilConfirmed
    ? [t("helpDesk:stoppedUntilConfirmed")]
    : stoppedUntil
      ? [t("helpDesk:stoppedUntil", { time: at(t, stoppedUntil) })]
      : [];
  return [words, ...row, ...stop].join("; ");
}

function sessionInWords(t: Translate, session: AccountOverview["sessions"][number]): string {
  return t(session.state === "pending" ? "helpDesk:facts.sessionPending" : "helpDesk:facts.sessionActive", {
    device: device(t, session.deviceName),
    since: at(t, session.startedAt),
    seen: at(t, session.lastSeenAt),
  });
}

function device(t: Translate, name: string): string {
  return readableDeviceName(t, name);
}

function at(t: Translate, time: Date): string {
  return timeInPoland(t, time.getTime());
}
