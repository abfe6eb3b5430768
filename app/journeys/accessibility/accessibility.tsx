import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { readOnly } from "~/shell/read-only.server";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { CustomerPage, PageHeading, Section } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink } from "~/ui/text-link";
import { openVisit } from "~/visit/visit.server";

/**
 * What the statement says, and when it was last compared with docs/accessibility.md, which a test holds beside it. The names are
 * keys of `accessibility:missing`: first what is not checked by hand, then the deviations.
 */
export const STATEMENT = {
  checkedOn: "2026-11-28",
  /** By when a report is answered. */
  answerDays: 30,
  unchecked: ["screenReaders", "passwordManagers", "codeFromMessage", "contrastThemes"],
  deviations: ["summary", "waitingButton", "oldDialogs", "demoRibbon", "emptyField"],
} as const;

/** The accessibility statement, open to every visitor: it asks the backend nothing and sets no cookie. */
export async function loader(args: LoaderFunctionArgs) {
  const { t } = await openVisit(args);
  return { title: signInTitle(t, t("accessibility:title")) };
}

export const action = readOnly();

export default function Accessibility() {
  const t = useTexts();
  const missing = [...STATEMENT.unchecked, ...STATEMENT.deviations];
  const { accessibility } = brand();
  return (
    <CustomerPage>
      <PageHeading header={t("accessibility:header")}>{t("accessibility:text")}</PageHeading>
      <Section header={t("accessibility:standard.header")}>
        <p>{t("accessibility:standard.text")}</p>
        <p className="mt-2">{t("accessibility:standard.ways")}</p>
      </Section>
      <Section header={t("accessibility:missing.header")}>
        <BulletList items={missing.map((name) => t(`accessibility:missing.${name}`))} />
        <p className="mt-4 text-sm text-muted">
          {t("accessibility:missing.checked", { day: dayInPoland(t, STATEMENT.checkedOn) })}
        </p>
      </Section>
      <Section header={t("accessibility:report.header")}>
        <p>{t("accessibility:report.text", { answerDays: STATEMENT.answerDays })}</p>
        <p className="mt-2">
          <PhoneLinks text={t("common:helpline.line")} />
        </p>
        {accessibility.email !== undefined && (
          <p className="break-words">
            <PlainLink href={`mailto:${accessibility.email}`}>{accessibility.email}</PlainLink>
          </p>
        )}
        {accessibility.complaint !== undefined && (
          <p lang="pl" className="mt-2 break-words">
            <PhoneLinks text={accessibility.complaint} />
          </p>
        )}
      </Section>
      <Section header={t("accessibility:documents.header")}>
        <p>{t("accessibility:documents.text")}</p>
      </Section>
    </CustomerPage>
  );
}
