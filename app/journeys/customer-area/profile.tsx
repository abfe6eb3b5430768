import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { openForm } from "~/forms/open-form.server";
import type { Translate } from "~/i18n/texts.server";
import { dayInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/words.server";
import { problem } from "~/shell/problem.server";
import { customerTitle } from "~/shell/titles.server";
import { CustomerPage } from "~/ui/customer-page";
import { ErrorSummary } from "~/ui/error-summary";
import { PageHeading } from "~/ui/page-heading";
import { Section } from "~/ui/section";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend } from "~/visit/load-from-backend.server";
import { documentPasswordPath } from "../kit/document-password-path";
import { FormErrorDialog } from "../kit/form-messages";
import { formTexts } from "../kit/form-texts.server";
import { buttonsOnlyForm } from "../kit/forms";
import { NoticeBox } from "../kit/notice-box";
import { noticeText, type NoticeText } from "../kit/notice.server";
import { isId } from "./load-or-not-found.server";
import { DEVICE_REMOVED } from "./notices.server";
import { ActionRow, DeviceList } from "./profile-parts";

const HERE = "/cp/profile";

export async function loader({ request }: LoaderFunctionArgs) {
  const { visit } = await signedIn(request);
  const profile = await loadFromBackend(visit, "profile");
  const { t } = visit;
  return {
    title: customerTitle(t, t("cp:profile.title")),
    // A notice about a weak document password says that it was saved, too.
    notice: noticeText(visit) ?? documentPasswordResult(request, t),
    customer: profile.name,
    username: profile.username,
    documentPassword: {
      state: t(profile.documentPassword ? "cp:profile.docPasswordSet" : "cp:profile.docPasswordNone"),
      action: t(profile.documentPassword ? "cp:profile.docPasswordChange" : "cp:profile.docPasswordCreate"),
      href: documentPasswordPath(profile.documentPassword ? "change" : "create"),
    },
    devices: profile.trustedDevices.map(({ id, deviceName, trustedAt, expiresAt }) => ({
      id,
      name: deviceName,
      since: t("cp:profile.deviceSince", { from: dayInPoland(t, trustedAt), to: dayInPoland(t, expiresAt) }),
      remove: t("cp:profile.deviceRemove", { name: deviceName }),
    })),
    words: words(t, {
      header: "cp:profile.header",
      access: "cp:profile.access",
      username: "cp:profile.username",
      usernameAction: "cp:profile.usernameAction",
      password: "cp:profile.password",
      passwordAction: "cp:profile.passwordAction",
      documentPassword: "cp:profile.docPassword",
      devices: "cp:profile.devices",
      devicesText: "cp:profile.devicesText",
      devicesNone: "cp:profile.devicesNone",
      removeAll: "cp:profile.devicesRemoveAll",
    }),
  };
}

/** Devices are removed here; every other change starts on its own screen. */
export async function action({ request }: ActionFunctionArgs) {
  const { visit } = await signedIn(request);
  const form = await openForm(request, buttonsOnlyForm);
  const id = form.posted("device");
  // An id that can't be part of a path belongs to no device, and is no reason to sign the customer out.
  if (form.intent !== "revoke-all" && !isId(id)) throw await problem(request, 400);
  const removed =
    form.intent === "revoke-all"
      ? await visit.call("deleteTrustedDevices", {})
      : await visit.call("deleteTrustedDevice", { id });
  if (removed.kind !== "done") return form.refuse(formTexts(visit.t, buttonsOnlyForm), removed);
  await visit.leaveNotice(DEVICE_REMOVED);
  return visit.redirectTo(HERE);
}

/** "/cp/profile receives a query parameter document-password-save-result" (specification §2); only the two modes count. */
function documentPasswordResult(request: Request, t: Translate): NoticeText | undefined {
  const result = new URL(request.url).searchParams.get("document-password-save-result");
  if (result !== "create" && result !== "change") return undefined;
  return { kind: "success", word: t("common:a11y.success"), text: t(`cp:result.${result}`) };
}

export default function Profile() {
  const { words, notice, customer, username, documentPassword, devices } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <CustomerPage>
      <FormErrorDialog refused={refused} here={HERE} />
      <PageHeading header={words.header}>{customer}</PageHeading>
      {refused?.alert ? (
        <div className="mt-4">
          <ErrorSummary id="errors" title={refused.alert.title} items={[]} />
        </div>
      ) : (
        <NoticeBox notice={notice} />
      )}
      <Section header={words.access}>
        <dl className="divide-y divide-line">
          <ActionRow
            term={words.username}
            value={username}
            action="/home/change-login"
            button={words.usernameAction}
          />
          <ActionRow
            term={words.password}
            value="••••••••••••"
            action="/home/change-password"
            button={words.passwordAction}
          />
          <ActionRow
            term={words.documentPassword}
            value={documentPassword.state}
            action={documentPassword.href}
            button={documentPassword.action}
          />
        </dl>
      </Section>
      <Section header={words.devices}>
        <p>{words.devicesText}</p>
        <DeviceList devices={devices} here={HERE} none={words.devicesNone} removeAll={words.removeAll} />
      </Section>
    </CustomerPage>
  );
}
