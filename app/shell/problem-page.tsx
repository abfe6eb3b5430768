import { isRouteErrorResponse } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { timeInPoland } from "~/i18n/times.server";
import { brand } from "~/platform/config/brand.server";
import { PlainButtonLink } from "~/ui/button";
import { LooseBrickPicture, SignpostPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { problemOf, type ProblemStatus } from "./problem";

/** Texts that replace the texts of the status. */
export interface ProblemTexts {
  readonly header?: string | undefined;
  readonly text?: string | undefined;
  /** Every page says the same: a button would lead nowhere, and the helpline needs no number. */
  readonly isClosed?: boolean | undefined;
}

/** A problem in place of a screen. */
export interface ShownProblem extends ProblemTexts {
  readonly status: ProblemStatus;
}

/** The problem that a loader or an action threw, with its texts. Any other error is a 500. */
export function problemIn(error: unknown): ShownProblem {
  if (!isRouteErrorResponse(error)) return { status: 500 };
  return { ...(error.data as ProblemTexts | null), status: problemOf(error.status) };
}

interface ProblemPageProps extends ShownProblem {
  /** The number that visitors read out to the helpline. */
  readonly requestId: string;
  /** The path that was asked for. */
  readonly path: string;
}

/** Where the button to the portal would lead to the page that one is already on. */
const PAGES_OF_HOME: ReadonlySet<string> = new Set(["/home", "/cp"]);

/**
 * A page that says what went wrong, with the number that helps at any hour and a reference number for the helpline, but
 * neither for a mistyped address (F52). Plain links work without scripts.
 */
export function ProblemPage({ status, header, text, isClosed = false, requestId, path }: ProblemPageProps) {
  const t = useTexts();
  const isMistyped = status === 404;
  return (
    <Screen picture={isMistyped ? <SignpostPicture /> : <LooseBrickPicture />} pictureFirst>
      <PageHeading header={header ?? t(`errors:page.${status}.header`)}>
        {text ?? t(`errors:page.${status}.text`)}
      </PageHeading>
      {!isMistyped && brand().claims.assistance !== undefined && (
        <p className="mt-3">
          <PhoneLinks text={t("common:helpline.always")} />
        </p>
      )}
      {!isClosed && (
        <p className="mt-6">
          <PlainButtonLink href="/home">
            {t(PAGES_OF_HOME.has(path) ? "errors:page.again" : "errors:page.home")}
          </PlainButtonLink>
        </p>
      )}
      {!isMistyped && (
        <p className="mt-6 text-sm text-muted">
          <PhoneLinks
            text={
              isClosed
                ? t("common:helpline.line")
                : t("errors:page.ref", { id: requestId, time: timeInPoland(t, Date.now()) })
            }
          />
        </p>
      )}
    </Screen>
  );
}
