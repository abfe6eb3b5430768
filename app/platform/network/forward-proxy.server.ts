import { environment } from "../config/environment.server";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

let throughProxy:
  | { readonly proxy: string; readonly noProxy: string; readonly fetch: Promise<Fetch> }
  | undefined;

/**
 * Fetches from a service outside of the insurer's network: an SMS gateway or the staff's issuer. Through the forward proxy of
 * HTTPS_PROXY if there is one, by a dispatcher of its own: no other request of the process goes that way.
 */
export async function fetchOutside(url: string, init: RequestInit): Promise<Response> {
  const { HTTPS_PROXY: proxy, NO_PROXY: noProxy } = environment();
  if (proxy === undefined) return fetch(url, init);
  if (throughProxy?.proxy !== proxy || throughProxy.noProxy !== noProxy)
    throughProxy = { proxy, noProxy, fetch: fetchBy(proxy, noProxy) };
  return (await throughProxy.fetch)(url, init);
}

async function fetchBy(httpsProxy: string, noProxy: string): Promise<Fetch> {
  // Node's own fetch sets the process's dispatcher once it is loaded. Else undici's would be it.
  void globalThis.Response;
  const undici = await import("undici");
  // Empty, so that it doesn't look for HTTP_PROXY.
  const dispatcher = new undici.EnvHttpProxyAgent({ httpProxy: "", httpsProxy, noProxy });
  // The same standard, of another release than Node's own.
  const proxied = undici.fetch as unknown as (url: string, init: object) => Promise<Response>;
  return (url, init) => proxied(url, { ...init, dispatcher });
}
