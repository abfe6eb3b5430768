import type { ListedPolicy, PolicyPage } from "./policy-faults";
import type { Message, Way } from "./way";

/** Gives a fault to a backend that keeps the contract. */
export type Fault = (way: Way) => Way;

const LIST = "/cp/api/policies";

/** Changes the list of policies; `nth` counts its calls, from 1. */
export function faultyList(change: (list: readonly ListedPolicy[], nth: number) => object[]): Fault {
  let nth = 0;
  return (way) =>
    answering(way, LIST, async (response) => {
      const { policies } = (await response.json()) as { policies: readonly ListedPolicy[] };
      nth += 1;
      return { policies: change(policies, nth) };
    });
}

/** Changes a policy's page; `other` is the page of the same customer's next policy. */
export function faultyPage(change: (page: PolicyPage, other: PolicyPage) => PolicyPage): Fault {
  return (way) =>
    answering(way, /^\/cp\/api\/policies\/./, async (response, path, init) => {
      const page = (await response.json()) as PolicyPage;
      const { policies } = (await (await way.fetch(LIST, init)).json()) as { policies: ListedPolicy[] };
      const next = policies[(policies.findIndex(({ id }) => id === page.id) + 1) % policies.length];
      const other = await way.fetch(path.replace(page.id, next?.id ?? ""), init);
      return change(page, (await other.json()) as PolicyPage);
    });
}

/** Answers with another document of the same page. */
export const otherDocument: Fault = (way) => {
  const next = new Map<string, string>();
  const pages = answering(way, /^\/cp\/api\/policies\/./, async (response) => {
    const page = (await response.json()) as PolicyPage;
    const ids = page.documents.map(({ id }) => id);
    for (const [nth, id] of ids.entries()) next.set(id, ids[(nth + 1) % ids.length] ?? id);
    return page;
  });
  return {
    ...pages,
    fetch: (path, init) => {
      const id = path.split("/").at(-1) ?? "";
      return pages.fetch(path.includes("/documents/") ? path.replace(id, next.get(id) ?? id) : path, init);
    },
  };
};

/** While a list is on its way, answers everyone else who asks with the same one. */
export const oneListForAll: Fault = (way) => {
  let onItsWay: Promise<Response> | undefined;
  return {
    ...way,
    fetch: async (path, init) => {
      if (path !== LIST) return way.fetch(path, init);
      onItsWay ??= way.fetch(path, init).finally(() => (onItsWay = undefined));
      return (await onItsWay).clone();
    },
  };
};

/** Takes typed values for others, for example for another policy number. `phones` mixes up phones, too. */
export function mixedUp(
  typed: Readonly<Record<string, string>>,
  phones: Readonly<Record<string, string>> = {},
): Fault {
  const mixed = (body: string) =>
    JSON.stringify(JSON.parse(body), (_, value: unknown) =>
      typeof value === "string" ? (typed[value] ?? value) : value,
    );
  return (way) => ({
    ...way,
    fetch: (path, init) =>
      way.fetch(path, { ...init, ...(typeof init?.body === "string" && { body: mixed(init.body) }) }),
    outbox: async () =>
      (await way.outbox()).map((message): Message => ({ ...message, to: phones[message.to] ?? message.to })),
  });
}

type Change = (response: Response, path: string, init?: RequestInit) => Promise<object>;

/** Changes the body of the successful answers to a path. */
function answering(way: Way, which: string | RegExp, change: Change): Way {
  const isMeant = (path: string) => (typeof which === "string" ? path === which : which.test(path));
  return {
    ...way,
    fetch: async (path, init) => {
      const response = await way.fetch(path, init);
      if (!isMeant(path) || response.status !== 200) return response;
      const { headers } = response;
      return Response.json(await change(response, path, init), { headers });
    },
  };
}
