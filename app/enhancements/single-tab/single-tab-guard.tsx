// Without it: several tabs work side by side in one session; nothing is blocked.
import { useLocation, useRevalidator } from "@remix-run/react";
import { createContext, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { SecondTabOverlay, type SingleTabWords } from "./second-tab-overlay";
import { watchTabs, type TabWatch } from "./tab-watch";

/** Not guarded: the demo outbox, and the page shown when the portal itself is down (form contract, "Demo mode"). */
const UNGUARDED = /^\/(demo|service)(\/|$)/;

const BLURRED = "blurred";
/** Enough time for the first tab to answer and for a screen reader to finish reading the button, in ms. */
const ANNOUNCE_MS = 700;

/** Whether this tab is blocked, for components that must stay quiet behind the overlay. */
export const InSecondTab = createContext(false);

/**
 * Lets one tab at a time use the page. In a second tab the page is inert under an overlay, its state kept, until the
 * first one closes (specification §2, §4).
 */
export function SingleTabGuard({
  words,
  className,
  children,
}: {
  readonly words: SingleTabWords;
  readonly className: string;
  readonly children: ReactNode;
}) {
  const { pathname } = useLocation();
  const pageRef = useRef<HTMLDivElement>(null);
  const { blocked, focused, check } = useSingleTab(!UNGUARDED.test(pathname), pageRef);
  // Kept here: if the first tab answers late, the overlay goes away and comes back.
  const [answer, setAnswer] = useState("");
  const askAgain = () => {
    check();
    setAnswer("");
    setTimeout(setAnswer, ANNOUNCE_MS, words.header);
  };
  useInert(pageRef, blocked, focused);
  return (
    <>
      <div ref={pageRef} className={blocked ? `${className} ${BLURRED}` : className}>
        <InSecondTab.Provider value={blocked}>{children}</InSecondTab.Provider>
      </div>
      {blocked && <SecondTabOverlay words={words} answer={answer} check={askAgain} />}
    </>
  );
}

/** Whether this is a second tab, and what had the focus when it became one. */
function useSingleTab(guarded: boolean, pageRef: RefObject<HTMLElement>) {
  const [blocked, setBlocked] = useState(false);
  const tab = useRef<TabWatch>();
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    if (!guarded) return;
    tab.current = watchTabs((state) => {
      // A tab that checks again stays as it is until it knows.
      if (state === "Starting") return;
      if (!pageRef.current?.classList.contains(BLURRED)) focused.current = document.activeElement;
      setBlocked(state === "SecondTab");
    });
    return () => {
      tab.current?.stop();
      setBlocked(false);
    };
  }, [guarded, pageRef]);
  return { blocked, focused, check: () => tab.current?.check() };
}

/** While blocked, nothing on the page can be reached or read; then it restores the focus and refreshes the page. */
function useInert(
  pageRef: RefObject<HTMLElement>,
  blocked: boolean,
  focused: { readonly current: Element | null },
): void {
  const { revalidate } = useRevalidator();
  const refresh = useRef(revalidate);
  refresh.current = revalidate;
  useEffect(() => {
    const page = pageRef.current;
    if (!page || !blocked) return;
    const before = focused.current;
    // In browsers without `inert` the stylesheet hides the page.
    if ("inert" in page) page.setAttribute("inert", "");
    return () => {
      page.removeAttribute("inert");
      if (before instanceof HTMLElement) before.focus();
      refresh.current();
    };
  }, [pageRef, blocked, focused]);
}
