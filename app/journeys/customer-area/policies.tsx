import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dayInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/words.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles.server";
import { CustomerPage } from "~/ui/customer-page";
import { EmptySheetPicture } from "~/ui/illustrations/of-screens";
import { PageHeading } from "~/ui/page-heading";
import { PhoneLinks } from "~/ui/phone-links";
import { PolicyCard } from "~/ui/policy-card";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend } from "~/visit/load-from-backend.server";
import { NoticeBox } from "../kit/notice-box";
import { noticeText } from "../kit/notice.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const { visit } = await signedIn(request);
  const { policies } = await loadFromBackend(visit, "policies");
  const { t } = visit;
  return {
    title: customerTitle(t, t("cp:policies.title")),
    notice: noticeText(visit),
    policies: policies.map(({ policyNo, name, validFrom, validTo }) => ({
      policyNo,
      name,
      period: `${dayInPoland(t, validFrom)} – ${dayInPoland(t, validTo)}`,
    })),
    words: words(t, {
      header: "cp:policies.header",
      empty: "cp:policies.empty",
      number: "cp:policies.number",
      period: "cp:policies.period",
    }),
  };
}

export const action = readOnly(signedIn);

export default function Policies() {
  const { words, notice, policies } = useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={words.header} />
      <NoticeBox notice={notice} />
      {policies.length > 0 ? (
        <ul className="mt-6 space-y-4">
          {policies.map((policy) => (
            <PolicyCard
              key={policy.policyNo}
              name={policy.name}
              facts={[
                { term: words.number, value: policy.policyNo },
                { term: words.period, value: policy.period },
              ]}
            />
          ))}
        </ul>
      ) : (
        <div className="mt-6 max-w-card">
          <EmptySheetPicture />
          <p className="mt-4">
            <PhoneLinks text={words.empty} />
          </p>
        </div>
      )}
    </CustomerPage>
  );
}
