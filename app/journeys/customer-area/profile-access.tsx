import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import { momentInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Section } from "~/ui/page-layout";
import { MaskedPhone, PhoneLinks } from "~/ui/phone";
import { TextLink } from "~/ui/text-link";
import { documentPasswordPath } from "../kit/addresses";
import { NOT_ME } from "./addresses";

type Profile = CallResponse<"profile">;

/** The profile's section on access: username, passwords and phone number, each with a way to change it. */
export function ProfileAccess({ profile }: { readonly profile: Profile }) {
  const t = useTexts();
  const { username, documentPassword, phone } = profile;
  return (
    <Section header={t("cp:profile.access")}>
      <dl className="-mb-3 divide-y divide-line">
        <ActionRow
          term={t("cp:profile.username")}
          value={username}
          action="/home/change-login"
          hiddenText={t("cp:profile.ofUsername")}
        >
          {t("cp:profile.change")}
        </ActionRow>
        <ActionRow
          term={t("cp:profile.password")}
          value="••••••••••••"
          action="/home/change-password"
          hiddenText={t("cp:profile.ofPassword")}
        >
          {t("cp:profile.change")}
        </ActionRow>
        <ActionRow
          term={t("cp:profile.docPassword")}
          value={t(documentPassword ? "cp:profile.docPasswordSet" : "cp:profile.docPasswordNone")}
          action={documentPasswordPath(documentPassword ? "change" : "create")}
          hiddenText={t("cp:profile.ofDocPassword")}
        >
          {t(documentPassword ? "cp:profile.change" : "cp:profile.create")}
        </ActionRow>
        {phone !== undefined && <PhoneRow phone={phone} newPhone={profile.newPhone} />}
      </dl>
    </Section>
  );
}

/** A detail that the customer can change: the current value, and a button that sends the code for the change. */
function ActionRow({
  term,
  value,
  action,
  hiddenText,
  children,
}: {
  readonly term: string;
  readonly value: string;
  readonly action: string;
  /** Added to the button's text for screen readers: the detail that it changes, which others see in the row. */
  readonly hiddenText: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="term-row items-center py-3 tight:block">
      <dt className="text-sm text-muted md:text-base">{term}</dt>
      <dd className="min-w-0 break-words pr-4 font-semibold">{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1 md:col-start-3 md:row-span-1">
        <Form method="post" action={action}>
          <Button type="submit" name="intent" value="send-code" variant="secondary" wide={false}>
            {children}
            <span className="sr-only"> {hiddenText}</span>
          </Button>
        </Form>
      </dd>
    </div>
  );
}

/** The phone number for codes, a pending new number, and advice on changing it. */
function PhoneRow({ phone, newPhone }: { readonly phone: string; readonly newPhone: Profile["newPhone"] }) {
  const t = useTexts();
  return (
    <div className="term-row pt-3">
      <dt className="col-span-2 text-sm text-muted md:col-span-1 md:text-base">{t("cp:profile.phone")}</dt>
      <dd className="col-span-2 font-semibold">
        <MaskedPhone shown={phone} />
      </dd>
      {newPhone && (
        <dd className="col-span-2 md:col-start-2">
          <NewPhone {...newPhone} /> <TextLink to={NOT_ME}>{t("cp:profile.notMe")}</TextLink>
        </dd>
      )}
      <dd className="col-span-2 md:col-start-2">
        <Disclosure summary={t("cp:profile.phoneAsk")}>
          <PhoneLinks text={t("cp:profile.phoneHow")} />
        </Disclosure>
      </dd>
    </div>
  );
}

/** A sentence about a new phone number that isn't in use yet. */
export function NewPhone({ phone: number, from }: NonNullable<Profile["newPhone"]>) {
  const t = useTexts();
  return t("cp:profile.newPhone", { number, moment: momentInPoland(t, from) });
}
