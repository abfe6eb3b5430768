import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { SessionWarning } from "~/enhancements/session-warning";
import { oncePerLanguage } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { environment } from "~/platform/config/environment.server";
import { textsFor } from "~/visit/language.server";

/**
 * The layout of screens that need a session. It has no gate, and reveals only words and limits; each screen has its
 * own.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const t = await textsFor(request);
  const { SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } = environment().limits;
  return {
    limits: { idleSeconds: SESSION_IDLE_SECONDS, maxSeconds: SESSION_MAX_SECONDS },
    warning: warningOf(t),
  };
}

const warningOf = oncePerLanguage((t) => {
  const left = (count: number) => t("common:session.warnText", { count });
  return {
    ...words(t, {
      title: "common:session.warnTitle",
      stay: "common:action.stayLoggedIn",
      signOut: "layout:header.logout",
      close: "common:action.close",
    }),
    text: [left(1), left(2)] as const,
  };
});

export default function Session() {
  const { limits, warning } = useLoaderData<typeof loader>();
  return (
    <>
      <Outlet />
      <SessionWarning limits={limits} words={warning} />
    </>
  );
}
