import { ButtonLink } from "~/ui/button";
import type { CallResponse } from "~/contract/calls.server";
import type { Translate } from "~/i18n/texts.server";
import { dayInPoland, momentInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { offersPasskeys } from "../kit/passkey-sign-in";
import { shownFactorName } from "../kit/steps";
import { MOST_ROWS } from "./profile-devices";

type Factors = CallResponse<"factors">;

/** The methods to confirm sign-ins, in short. */
export function sumOfFactors(t: Translate, { factors, sms }: Factors): string {
  const passkeys = factors.filter(({ kind }) => kind === "passkey").length;
  const apps = factors.length - passkeys;
  return [
    ...(sms ? [t("factors:list.sms")] : []),
    ...(apps > 0 ? [t("factors:list.apps", { count: apps })] : []),
    ...(passkeys > 0 ? [t("factors:list.passkeys", { count: passkeys })] : []),
  ].join(", ");
}

/** The methods to confirm sign-ins: SMS, each app and passkey, the recovery code. Buttons change them. */
export function ProfileFactors({
  list,
  phone,
}: {
  readonly list: Factors;
  readonly phone: string | undefined;
}) {
  const t = useTexts();
  const { factors, sms, offered } = list;
  const state = t(sms ? "factors:list.smsOn" : "factors:list.smsOff");
  return (
    <>
      <p className="max-w-line">{t("factors:list.lead")}</p>
      <ul className="divide-y divide-line">
        <FactorRow
          name={t("factors:list.sms")}
          facts={phone === undefined ? state : `${state}, ${phone}`}
          button={
            factors.length > 0
              ? {
                  href: "/home/sms-at-sign-in",
                  text: t(sms ? "factors:list.turnOff" : "factors:list.turnOn"),
                }
              : undefined
          }
        />
        <AddedFactors list={list} />
      </ul>
      {offered.includes("app") && <AddButton href="/home/add-app" text={t("factors:list.add")} />}
      {offered.includes("passkey") && (
        <AddButton href="/home/add-passkey" text={t("factors:list.addPasskey")} />
      )}
    </>
  );
}

function AddButton({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <p className="mt-2">
      <ButtonLink to={href} variant="secondary">
        {text}
      </ButtonLink>
    </p>
  );
}

/** A row for each app and passkey, and for the recovery code. */
export function AddedFactors({ list: { factors, recoveryCode } }: { readonly list: Factors }) {
  const t = useTexts();
  const sharesName = (id: string, name: string) =>
    factors.some((other) => other.id !== id && shownFactorName(other.name) === name);
  return (
    <>
      {factors.slice(0, MOST_ROWS).map((factor) => {
        const { id } = factor;
        const name = shownFactorName(factor.name);
        const facts = factsOf(t, factor);
        return (
          <FactorRow
            key={id}
            name={name}
            facts={facts}
            button={{
              href: `/home/remove-factor?${new URLSearchParams({ id }).toString()}`,
              text: t("factors:list.remove"),
              of: t(factor.kind === "app" ? "factors:list.ofApp" : "factors:list.ofPasskey", {
                name: sharesName(id, name) ? `${name}. ${facts}` : name,
              }),
            }}
          />
        );
      })}
      {factors.length > 0 && (
        <FactorRow
          name={t("factors:list.recovery")}
          facts={recoveryFacts(t, recoveryCode)}
          button={{ href: "/home/recovery-code", text: t("factors:list.recoveryNew") }}
        />
      )}
    </>
  );
}

type Factor = Factors["factors"][number];

/** The kind of a factor; for a passkey also its use, and the device or password manager that keeps it. */
function kindOf(t: Translate, { kind, discoverable, maker }: Factor): string {
  if (kind === "app") return t("factors:list.app");
  const name = maker === undefined ? t("factors:list.passkey") : t("factors:list.passkeyOf", { maker });
  if (!offersPasskeys() || discoverable === undefined || discoverable === null) return name;
  return `${name}, ${t(discoverable ? "factors:list.signsIn" : "factors:list.onlyConfirms")}`;
}

function factsOf(t: Translate, factor: Factor): string {
  const { addedAt, lastUsedAt } = factor;
  const day = dayInPoland(t, addedAt);
  const used =
    lastUsedAt === null
      ? t("factors:list.added", { day })
      : t("factors:list.used", { day, moment: momentInPoland(t, lastUsedAt) });
  return `${kindOf(t, factor)}. ${used}`;
}

function recoveryFacts(t: Translate, code: Factors["recoveryCode"]): string {
  if (!code) return t("factors:list.recoveryNone");
  const set = t("factors:list.recoverySet", { day: dayInPoland(t, code.setAt) });
  return code.kept === false ? `${set} ${t("factors:list.recoveryUnsaved")}` : set;
}

function FactorRow({
  name,
  facts,
  button,
}: {
  readonly name: string;
  readonly facts: string;
  /** `of`: says more than the name, for screen readers. */
  readonly button?: { readonly href: string; readonly text: string; readonly of?: string } | undefined;
}) {
  return (
    <li className="py-4 sm:flex sm:items-center">
      <div className="min-w-0 sm:flex-1 sm:pr-4">
        <p className="min-w-0 break-words font-semibold">{name}</p>
        <p className="mt-1 text-sm text-muted">{facts}</p>
      </div>
      {button && (
        <p className="mt-3 sm:mt-0 sm:flex-none">
          <ButtonLink to={button.href} variant="secondary" wide={false}>
            {button.text}
            <span className="sr-only">: {button.of ?? name}</span>
          </ButtonLink>
        </p>
      )}
    </li>
  );
}
