import { countExactOnly } from "../../services/accounts/compared-forms.server";
import { hasKeyCheck } from "../../store/key-check.server";
import { IN_ANY_SPELLING, exactOnlyInWords } from "../kit/exact-only-in-words.server";
import { portalKeyring } from "../kit/portal-database.server";
import { ok, warning, type Check } from "./check.server";

/** Whether policy numbers and identifiers are found however they are typed. */
export const spellings: Check = {
  name: "spellings",
  needs: ["keys"],
  run: async ({ db }) => {
    // Without keys there are no policyholders yet.
    if (!(await hasKeyCheck({ read: db() }))) return ok(IN_ANY_SPELLING);
    const exactOnly = exactOnlyInWords(await countExactOnly(db(), portalKeyring()));
    return exactOnly === undefined ? ok(IN_ANY_SPELLING) : warning(exactOnly);
  },
};
