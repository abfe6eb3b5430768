import type { CDPSession, Page } from "@playwright/test";

/** Chromium's own device for passkeys, driven over its debugging protocol. */
export class VirtualDevice {
  readonly #cdp: CDPSession;
  readonly #id: string;

  private constructor(cdp: CDPSession, id: string) {
    this.#cdp = cdp;
    this.#id = id;
  }

  /**
   * @param asksForPerson whether it can ask for a PIN or a finger
   * @param suggests whether fields suggest its passkeys; it then signs in as soon as one is touched
   */
  static async plugIn(page: Page, { asksForPerson = true, suggests = false } = {}): Promise<VirtualDevice> {
    if (!suggests)
      await page.addInitScript(() => {
        PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
      });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: asksForPerson ? "internal" : "usb",
        hasResidentKey: asksForPerson,
        hasUserVerification: asksForPerson,
        isUserVerified: asksForPerson,
        automaticPresenceSimulation: true,
      },
    });
    return new VirtualDevice(cdp, authenticatorId);
  }

  async #credential() {
    const { credentials } = await this.#cdp.send("WebAuthn.getCredentials", { authenticatorId: this.#id });
    const [credential] = credentials;
    if (!credential) throw new Error("the device has no passkey");
    return credential;
  }

  /** Makes its counter run back, as a copy of the device would. */
  async countFromZero(): Promise<void> {
    const { credentialId, ...credential } = await this.#credential();
    const authenticatorId = this.#id;
    await this.#cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
    await this.#cdp.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...credential, credentialId, signCount: 0 },
    });
  }
}
