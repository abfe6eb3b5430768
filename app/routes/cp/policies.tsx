import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { textsFor } from "~/i18n/texts.server";
import { dayInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/words.server";
import { NoticeBox } from "~/screen/notice-box";
import { noticeOf } from "~/screen/notice.server";
import { customerTitle } from "~/screen/titles.server";
import { readOnly } from "~/screen/read-only.server";
import { enter } from "~/session/gate.server";
import { readData } from "~/session/read-data.server";
import { EmptySheetPicture } from "~/ui/illustrations/of-screens";
import { PageHeading } from "~/ui/page-heading";
import { CustomerPage } from "~/ui/customer-page";
import { PolicyCard } from "~/ui/policy-card";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-in");
  const { policies } = await readData(request, "policies");
  const t = await textsFor(request);
  return {
    title: customerTitle(t, t("cp:policies.title")),
    notice: await noticeOf(request, t),
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

export const action = readOnly("signed-in");

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
        <div className="mt-6 text-center">
          <EmptySheetPicture />
          <p className="mt-4">{words.empty}</p>
        </div>
      )}
    </CustomerPage>
  );
}
