import { runFirefox } from "../../../browsers/drivers/firefox";
import { webDriverBrowser } from "../../../browsers/drivers/webdriver";
import { until } from "../../../browsers/until";
import type { SavedSignIn, StartManaged } from "./manager";

/** Preferences that a driven Firefox would change, set as customers have them. */
const CUSTOMERS = {
  "remote.prefs.recommended": false,
  "signon.rememberSignons": true,
  "signon.autofillForms": true,
};

const SAVE = `
  const [origin, username, password] = arguments;
  const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
  login.init(origin, origin, null, username, password, "", "");
  return Services.logins.addLoginAsync(login).then(() => true);
`;

/** Reads the sign-in that Firefox offers to save in its panel, and closes the panel; null if it offers none. */
const OFFER = `
  const { document, PopupNotifications } = Services.wm.getMostRecentWindow("navigator:browser");
  const notification = PopupNotifications.getNotification("password");
  if (!notification || !PopupNotifications.isPanelOpen) return null;
  const [username, password] = ["username", "password"].map(
    (name) => document.getElementById("password-notification-" + name).value,
  );
  if (password === "") return null;
  notification.remove();
  return { username, password };
`;

/** What the field suggests: "both" a saved sign-in and a passkey, or "less"; empty while no suggestions are open. */
const SUGGESTED = `
  const popup = Services.wm.getMostRecentWindow("navigator:browser").document.getElementById("PopupAutoComplete");
  if (!popup.popupOpen) return "";
  const kinds = [...popup.richlistbox.children].map((item) => item.getAttribute("originaltype"));
  const said = [...popup.richlistbox.children].map((item) => item.getAttribute("ac-comment")).join();
  return kinds.includes("loginWithOrigin") && said.includes("promptForAuthenticator") ? "both" : "less";
`;

/** Starts Firefox with its password manager on, as customers have it. */
async function runManaged(path: string, origin: string) {
  const firefox = await runFirefox(path, () => CUSTOMERS);
  const { command, send } = firefox;
  // A page of the origin, since a cookie is added to the open page's.
  await send("Navigate", { url: `${origin}/healthz` });
  const takeOver = async (cookies: ReadonlyMap<string, string>) => {
    await command("WebDriver:DeleteAllCookies");
    for (const [name, value] of cookies) await command("WebDriver:AddCookie", { cookie: { name, value } });
  };
  return { ...firefox, takeOver };
}

/** Starts Firefox with a saved sign-in. */
export const startFirefoxWithSaved: StartManaged = async (path, origin, { username, password }) => {
  const { send, privileged, takeOver, quit } = await runManaged(path, origin);
  await privileged(SAVE, origin, username, password);
  const browser = webDriverBrowser(send, "", quit);
  const click = async (css: string) => {
    const [element] = await browser.all(css);
    await element?.click();
  };
  return {
    takeOver,
    goto: (address) => browser.goto(address),
    address: () => browser.address(),
    evaluate: (expression) => browser.evaluate(expression),
    press: () => Promise.resolve(),
    click,
    suggestPasskey: async (css) => {
      await click(css);
      await until("Firefox to suggest a passkey", async () => {
        const suggested = await privileged(SUGGESTED);
        if (suggested === "both") return true;
        // Suggestions that were open before the page has asked for passkeys have none.
        const [field] = await browser.all(css);
        await field?.press(suggested === "" ? "ArrowDown" : "Escape");
        return false;
      });
    },
    stop: quit,
  };
};

/** Starts Firefox with nothing saved yet. */
export async function startFirefoxThatSaves(path: string, origin: string) {
  const { send, privileged, takeOver, quit } = await runManaged(path, origin);
  return {
    browser: webDriverBrowser(send, "", quit),
    takeOver,
    /** The sign-in that it offers to save, once it does; the offer is then turned down. */
    offer: async () => (await until("Firefox to offer to save", () => privileged(OFFER))) as SavedSignIn,
  };
}
