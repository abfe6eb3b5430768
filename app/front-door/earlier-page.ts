import type { RequestTarget } from "./request-target";

/**
 * A page of the release before, open in a browser while the portal is upgraded, asks for data where ours load or send
 * pages (docs/operations/upgrade.md). To be removed once no such page can be open.
 */
export interface EarlierPage {
  /** The address of the page whose data it asks for. */
  readonly address: string;
  /** Whether it sent a form. */
  readonly sent: boolean;
}

/** What a page of the release before asks for; undefined if it is not its data. */
export function earlierPageOf({ local, query }: RequestTarget, method: string): EarlierPage | undefined {
  const path = local.split("?", 1)[0] ?? "";
  if (!path.endsWith(".data")) return undefined;
  const page = path === "/_root.data" ? "/" : path.slice(0, -".data".length);
  // Remix adds `index` to forms only.
  return { address: query === "" || query === "index" ? page : `${page}?${query}`, sent: method === "POST" };
}

/** Tells such a page to load the address, as its Remix understands it. Then it is a page of ours. */
export function reloadForEarlierPage({ address, sent }: EarlierPage): Response {
  const shape = sent
    ? '{"_1":2,"_3":4,"_5":6,"_7":8,"_9":6}'
    : '["SingleFetchRedirect",1],{"_2":3,"_4":5,"_6":7,"_8":9,"_10":7}';
  const values = `"redirect",${JSON.stringify(address)},"status",302,"revalidate",false,"reload",true,"replace"`;
  return new Response(`[${shape},${values}]\n`, {
    status: 404,
    headers: { "Content-Type": "text/x-script; charset=utf-8" },
  });
}
