import type { Translate } from "~/i18n/texts.server";
import type { BadgeProps } from "~/ui/policy-card";
import type { PolicyState } from "./policy-facts";

/** The state of a policy in words and colour. `from`: its first day, formatted. */
export function badgeOf(t: Translate, state: PolicyState, from: string): BadgeProps {
  switch (state.kind) {
    case "ending":
      return { tone: "soon", text: endingText(t, state.days) };
    case "active":
      return { tone: "good", text: t("cp:policies.state.active") };
    case "upcoming":
      return { tone: "later", text: t("cp:policies.state.upcoming", { day: from }) };
    case "ended":
      return { tone: "over", text: t("cp:policies.state.ended") };
  }
}

function endingText(t: Translate, days: number): string {
  if (days === 0) return t("cp:policies.state.endsToday");
  if (days === 1) return t("cp:policies.state.endsTomorrow");
  return t("cp:policies.state.ending", { count: days });
}
