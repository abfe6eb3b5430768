import { Outlet } from "@remix-run/react";
import { WARNING_MINUTES } from "~/contract/rules/page";
import { inEachLanguage } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { partForScripts } from "~/ui/for-scripts";

/** The layout of screens that need a session, pending or active, with the warning before its end. */
export default function Session() {
  const { language } = useTexts();
  return (
    <>
      <Outlet />
      <span {...WARNINGS[language]} />
    </>
  );
}

/** The warning, which scripts show, with how long sessions last and the texts that change while it is shown. */
const WARNINGS = inEachLanguage((language) => {
  const t = textsIn(language);
  const { SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } = environment().limits;
  const stay = t("common:action.stayLoggedIn");
  const said = {
    limits: { idleSeconds: SESSION_IDLE_SECONDS, maxSeconds: SESSION_MAX_SECONDS },
    text: t("common:session.warnText", { count: WARNING_MINUTES }),
    soon: t("common:session.warnSoon"),
    stay,
    close: t("common:action.close"),
  };
  const shown = (
    <Dialog id="session-end" role="alertdialog" header={t("common:session.warnTitle")} message=" " open>
      <Button type="button" data-escape>
        {stay}
      </Button>
      <form method="post" action="/home/logout" className="mt-3 sm:mr-3 sm:mt-0">
        <Button type="submit" variant="secondary">
          {t("layout:header.logout")}
        </Button>
      </form>
    </Dialog>
  );
  return partForScripts(t, { name: "session-end", shown, said: JSON.stringify(said) });
});
