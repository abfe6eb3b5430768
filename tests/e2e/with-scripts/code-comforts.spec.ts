import { LIMITS } from "~/platform/config/limits";
import { ANNA } from "../../demo-customers";
import { expect, test } from "../fixtures";
import { effectsHaveRun, stopClock } from "../requests-of-a-page";

const RESEND = "Wyślij kod ponownie";

test("§4 the resend button is ignored for its time after a click, and says so", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(ANNA);
  const before = await portal.messagesTo(ANNA.phone);
  await page.clock.install();
  await stopClock(page);
  const button = person.button(RESEND);
  const posts = await person.countPosts(async () => {
    await button.click();
    await expect(page.getByText("Wysyłamy SMS. To zajmie chwilę.")).toBeVisible();
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await button.dispatchEvent("click");
    await page.clock.runFor(LIMITS.RESEND_THROTTLE_MS - 1);
    await effectsHaveRun(page);
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await button.dispatchEvent("click");
    await effectsHaveRun(page);
  });
  expect(posts).toBe(1);
  await page.clock.runFor(1);
  await expect(button).not.toHaveAttribute("aria-disabled");
  await expect(page.getByText("Wysyłamy SMS. To zajmie chwilę.")).toHaveCount(0);
  expect(await portal.messagesTo(ANNA.phone)).toBeLessThanOrEqual(before + 1);
});

test("[C-39] WebOTP: the code of the message is filled in, and nothing is sent until a person sends it", async ({
  person,
  page,
  portal,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "OTPCredential", { value: () => undefined, configurable: true });
    Object.defineProperty(navigator, "credentials", {
      value: {
        get: ({ signal }: CredentialRequestOptions) =>
          new Promise((resolve, reject) => {
            addEventListener("sms", (event) => {
              resolve({ code: (event as CustomEvent<string>).detail });
            });
            signal?.addEventListener("abort", () => {
              sessionStorage.setItem("stopped", "yes");
              reject(new Error("stopped"));
            });
          }),
      },
    });
  });
  await person.reachCode(ANNA);
  const code = await portal.lastCode(ANNA.phone);
  const posts = await person.countPosts(async () => {
    await page.evaluate((detail) => dispatchEvent(new CustomEvent("sms", { detail })), code);
    await expect(person.field("authorizationCode")).toHaveValue(code);
    await expect(person.button("Potwierdź")).not.toHaveAttribute("aria-disabled");
    await expect(person.field("trustDevice")).toBeChecked();
    // An earlier request would be counted by the time this one is answered.
    await person.button("Potwierdź").click();
    await expect(page).toHaveURL("/cp");
  });
  expect(posts).toBe(1);
  expect(await page.evaluate(() => sessionStorage.getItem("stopped"))).toBe("yes");
});

test("a password field says that Caps Lock is on", async ({ person, page }) => {
  await person.arrive();
  const field = person.field("password");
  const press = (on: boolean) =>
    field.evaluate((input, modifierCapsLock) => {
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "A", modifierCapsLock, bubbles: true }));
    }, on);
  await press(true);
  await expect(page.getByText("Klawisz Caps Lock jest włączony.")).toBeVisible();
  await press(false);
  await expect(page.getByText("Klawisz Caps Lock jest włączony.")).toHaveCount(0);
  // The hint must stay, and the button must not move, while the button is being clicked.
  await press(true);
  await person.login(ANNA);
  await expect(page).toHaveURL("/home/mfa");
});

test("[F16, F32, C-32] a code field is too short for a password, but a code that is pasted arrives whole", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(ANNA);
  const field = person.field("authorizationCode");
  const paste = async (text: string) => {
    // The selected text is copied, as by a person.
    await page.evaluate((copied) => {
      const box = document.body.appendChild(document.createElement("textarea"));
      box.value = copied;
      box.select();
    }, text);
    await page.keyboard.press("Control+X");
    await field.clear();
    await page.keyboard.press("Control+V");
    await page.evaluate(() => document.querySelector("textarea")?.remove());
  };
  await paste(ANNA.password);
  await expect(field).not.toHaveValue(ANNA.password);
  await paste("123 456");
  await expect(field).toHaveValue(/^123 ?456$/);
  const [message] = await portal.outbox();
  await paste(message?.text ?? "");
  await expect(field).toHaveValue(await portal.lastCode(ANNA.phone));
  await expect(person.button("Potwierdź")).not.toHaveAttribute("aria-disabled", "true");
  // With two possible codes it enters neither: the browser goes on as usual.
  const isLeftAlone = await field.evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "123456 albo 654321");
    return input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  expect(isLeftAlone).toBe(true);
});
