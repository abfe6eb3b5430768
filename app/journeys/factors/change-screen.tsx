import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { CodeScreen } from "../kit/code-screen";
import { FactorScreen, OtherWays } from "../kit/factor-screen";
import { appCodeForm, factorCodeForm } from "../kit/forms";
import { PasskeyScreen } from "../kit/passkey-screen";
import type { loadChange } from "./change";

/** The screen on which a change of second factors is confirmed. */
export function ChangeScreen({
  refused,
  ...screen
}: Awaited<ReturnType<typeof loadChange>> & { readonly refused: RefusedForm | undefined }) {
  const { words, here, proof } = screen;
  const { factor, question, ways, waysTitle, smsAddress } = proof;
  const form = useScreenForm(proof.method === "app" ? appCodeForm : factorCodeForm, { refused });
  const others = <OtherWays title={waysTitle} ways={ways} />;
  const afterBlock = { address: smsAddress ?? here, sends: smsAddress !== undefined };
  if (question)
    return (
      <PasskeyScreen
        here={here}
        header={words.header}
        words={{ lead: words.lead }}
        question={question}
        refused={refused}
        ways={others}
        afterBlock={afterBlock}
      />
    );
  if (factor)
    return (
      <FactorScreen
        here={here}
        method="app"
        header={words.header}
        submit={words.submit}
        back={words.back}
        words={factor}
        form={form}
        refused={refused}
        ways={others}
        afterBlock={afterBlock}
      />
    );
  return <CodeScreen {...screen} form={form} refused={refused} />;
}
