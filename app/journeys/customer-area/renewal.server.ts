import type { Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import type { PolicyState } from "./policy-facts";
import type { RenewalWords } from "./renewal";

/** A policy says for this long after its end how to get cover again. */
const ENDED_DAYS = 90;

/**
 * Advice when cover ends: the insurer's page for renewals, or else the helpline's number. Nothing for a policy that
 * isn't about to end, or ended long ago.
 * @param lastDay the last day of cover, formatted
 */
export function renewalWords(t: Translate, state: PolicyState, lastDay: string): RenewalWords | undefined {
  if (state.kind !== "ending" && state.kind !== "ended") return undefined;
  const { kind, days } = state;
  if (kind === "ended" && days > ENDED_DAYS) return undefined;
  const { renewal } = brand();
  return {
    header: t(`cp:renewal.${kind}`),
    lastDay: t("cp:renewal.lastDay", { day: lastDay }),
    step:
      renewal === undefined
        ? { call: t(`cp:renewal.${kind}Call`) }
        : { text: t(`cp:renewal.${kind}Link`), href: renewal },
  };
}
