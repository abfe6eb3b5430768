import type { LoaderFunctionArgs } from "@remix-run/node";
import { isoDayInPoland } from "~/platform/time.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { qrPng } from "~/ui/qr-picture";
import { answerFile } from "./load-or-not-found";
import { canBePaid } from "./policy-facts";
import { transferCode, transferOf } from "./transfer";

/** Serves the code of a transfer as a picture to keep: banks' apps read it from there on the same phone. */
export const loader = (args: LoaderFunctionArgs) =>
  answerFile(args, (t, { premium, policyNo }) => {
    if (premium === undefined || !canBePaid(premium, isoDayInPoland(Date.now()))) return undefined;
    const transfer = transferOf(premium, policyNo);
    const code = transfer && transferCode(transfer, premium);
    return code && { name: t("cp:payment.codeFile"), type: "image/png", body: qrPng(code) };
  });

export const action = readOnlyFile;
