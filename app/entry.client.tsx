import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { PageStyle } from "~/shell/page-style";

/**
 * Hydrates the page. Without it every link and form works as plain HTML.
 *
 * Remix hydrates through TextEncoderStream; without it (Firefox < 113, Safari < 14.1) it would throw and React would
 * remove the page, so such browsers keep the server's HTML. So do those without Array.prototype.at (Chrome < 92,
 * Safari < 15.4), our test for everything else that the libraries rely on.
 */
if ("TextEncoderStream" in window && "at" in Array.prototype) {
  const style = document.getElementById("page-style")?.textContent ?? "";
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <PageStyle.Provider value={{ css: style, nonce: undefined }}>
          <RemixBrowser />
        </PageStyle.Provider>
      </StrictMode>,
    );
  });
}

// Specification §9: any service worker is unregistered.
if ("serviceWorker" in navigator) {
  void navigator.serviceWorker
    .getRegistrations()
    .then((registrations) => Promise.all(registrations.map((registration) => registration.unregister())))
    // A browser that won't list them (private mode, opaque origin) has none.
    .catch(() => undefined);
}
