import type { LoaderFunctionArgs } from "@remix-run/node";
import { useTexts } from "~/i18n/use-texts";
import { type Brand, brand, isFreeToCall } from "~/platform/config/brand.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { CustomerPage, PageHeading, Section } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { ClaimButton, ClaimSection } from "./claim";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  return { title: customerTitle(visit.t, visit.t("cp:contact.title")) };
}

export const action = readOnly(signedIn);

export default function Contact() {
  const t = useTexts();
  const { email } = brand();
  return (
    <CustomerPage>
      <PageHeading header={t("cp:contact.header")} />
      <div className="lg:flex lg:items-start">
        <div className="min-w-0 lg:flex-1">
          <Helpline />
          <Section header={t("cp:contact.before")}>
            <BulletList items={[t("cp:contact.beforeNumber"), t("cp:contact.never")]} />
          </Section>
        </div>
        <div className="lg:ml-6 lg:w-5/12 lg:flex-none">
          <ClaimSection>
            <ClaimButton />
          </ClaimSection>
          {email !== undefined && (
            <Section header={t("cp:contact.email")}>
              <p className="-my-2.5 break-words">
                <PlainLink href={`mailto:${email}`}>{email}</PlainLink>
              </p>
              <p className="mt-4">{t("cp:contact.emailNever")}</p>
            </Section>
          )}
        </div>
      </div>
    </CustomerPage>
  );
}

function Helpline() {
  const t = useTexts();
  const { phones, hours } = brand();
  return (
    <Section header={t("cp:contact.helpline")}>
      <ul>
        {phones.map((phone) => (
          <li key={phone} className="py-2">
            <span className="text-2xl font-semibold text-link">
              <PhoneLinks text={phone} />
            </span>{" "}
            <span className="block text-sm text-muted sm:inline">
              {`(${t(isFreeToCall(phone) ? "common:helpline.free" : "common:helpline.paid")})`}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2">{t("common:helpline.hours")}</p>
      <p className="mt-1 font-semibold">{t(`common:helpline.${helplineState(new Date(), hours)}`)}</p>
    </Section>
  );
}

/** The helpline's state now: keys of `common:helpline`. */
export type HelplineState = "openNow" | "closedToday" | "closedTomorrow" | "closedMonday";

const FRIDAY = 5;
// Made once: making one takes longer than running a loader.
const weekdayAndHour = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Warsaw",
  weekday: "short",
  hour: "2-digit",
  hourCycle: "h23",
});

/** Whether the helpline is open at this moment, in Poland (specification §1: from 9 to 18), or when it opens. */
export function helplineState(now: Date, { opens, closes }: Brand["hours"]): HelplineState {
  const parts = weekdayAndHour.formatToParts(now);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(part("weekday"));
  const hour = Number(part("hour"));
  const working = day >= 1 && day <= FRIDAY;
  if (working && hour >= opens && hour < closes) return "openNow";
  if (working && hour < opens) return "closedToday";
  const opensTomorrow = day < FRIDAY;
  return opensTomorrow ? "closedTomorrow" : "closedMonday";
}
