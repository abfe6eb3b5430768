// Without it: the browser shows its own page when the portal can't be reached, and going back leads to the form.
import { UNSAFE_RemixContext as Remix, useRevalidator } from "@remix-run/react";
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ContextType,
  type ReactNode,
} from "react";
import { createPortal } from "react-dom";
import {
  UNSAFE_DataRouterContext as DataRouter,
  UNSAFE_DataRouterStateContext as DataRouterState,
  type Navigation,
} from "react-router-dom";
import { ErrorSummary } from "~/ui/error-summary";

/** What people read when the portal can't be reached. */
interface LostConnectionWords {
  readonly title: string;
  readonly text: string;
}

/** Whether the last request of this page got no answer from the portal. */
export const ConnectionLost = createContext(false);

type Route = NonNullable<ContextType<typeof DataRouter>>["router"]["routes"][number];

const IDLE: Navigation = {
  state: "idle",
  location: undefined,
  formMethod: undefined,
  formAction: undefined,
  formEncType: undefined,
  formData: undefined,
  json: undefined,
  text: undefined,
};

/**
 * Keeps the page when a form or a link gets no answer, so that the same button tries again (F14). To Remix such a
 * request never ends; the components inside see that it has. The next request takes its place.
 */
export function KeepPageOffline({ children }: { readonly children: ReactNode }) {
  const lost = useLostConnection();
  const state = useContext(DataRouterState);
  const shown = useMemo(() => (lost && state ? { ...state, navigation: IDLE } : state), [lost, state]);
  return (
    <ConnectionLost.Provider value={lost}>
      <DataRouterState.Provider value={shown}>{children}</DataRouterState.Provider>
    </ConnectionLost.Provider>
  );
}

/** Says that the portal can't be reached; inside a dialog if one is open, since nothing else can be read then. */
export function LostConnectionAlert({ words }: { readonly words: LostConnectionWords }) {
  const lost = useContext(ConnectionLost);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lost) ref.current?.focus();
  }, [lost]);
  if (!lost) return null;
  const alert = (
    <div className="page-grid pt-4">
      <ErrorSummary ref={ref} id="lost-connection" {...words} items={[]} />
    </div>
  );
  const dialog = document.querySelector("dialog[open][data-modal]");
  return dialog ? createPortal(alert, dialog) : alert;
}

/**
 * Asks the server whether this page is still valid. After a lost request, which Remix believes is still under way,
 * Remix can't ask, so the page is loaded again.
 */
export function useAskServer(): () => void {
  const { revalidate } = useRevalidator();
  return useContext(ConnectionLost) ? reload : revalidate;
}

function reload(): void {
  location.reload();
}

function useLostConnection(): boolean {
  const [lost, setLost] = useState(false);
  const router = useContext(DataRouter)?.router;
  const screens = useContext(Remix)?.manifest.routes;
  useEffect(() => {
    if (!router || !screens) return;
    const reach = window.fetch.bind(window);
    const held = () => {
      setLost(true);
      return new Promise<never>(() => undefined);
    };
    window.fetch = async (input, init) => {
      // A page brought back from memory must not stay unless the portal says that it may (S55).
      if (router.state.navigation.state === "idle") return reach(input, init);
      setLost(false);
      try {
        const answer = await reach(input, init);
        if (!isData(answer)) return await held();
        await answer.clone().arrayBuffer();
        return answer;
      } catch (error) {
        if (init?.signal?.aborted) throw error;
        return held();
      }
    };
    // When Remix can't load a screen's code, it loads the page again. So it only tries once the code has arrived.
    for (const route of router.routes.flatMap(withChildren)) {
      const { lazy } = route;
      const code = screens[route.id]?.module;
      if (lazy && code !== undefined) route.lazy = () => reach(code).then(lazy, held);
    }
    return () => {
      window.fetch = reach;
    };
  }, [router, screens]);
  return lost;
}

function withChildren(route: Route): readonly Route[] {
  return [route, ...(route.children ?? []).flatMap(withChildren)];
}

/** Whether Remix made this answer, and not a proxy or a network that asks people to sign in to it. */
function isData({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("text/x-script") ?? false;
}
