// Without it: several tabs work side by side with one session; nothing is blocked.
import { useLocation, useRevalidator } from "@remix-run/react";
import { createContext, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { SecondTabOverlay, type SingleTabWords } from "./second-tab-overlay";
import { watchTabs, type TabWatch } from "./tab-watch";

/** The demo's outbox, and what is seen when the portal itself is broken (form contract, "Demo mode"). */
const LEFT_ALONE = /^\/(demo|service)(\/|$)/;

const BLURRED = "blurred";
/** Long enough for the first tab to have answered, and for a screen reader to have said which button it was; in ms. */
const STILL_MS = 700;

/** Whether this tab is blocked; for what must not speak up behind the overlay. */
export const InSecondTab = createContext(false);

/**
 * The page, for one tab at a time. In a second one it lies under an overlay, out of reach but as it was, and comes alive
 * when the first one closes (specification §2, §4).
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
  const { blocked, focused, check } = useOneTab(!LEFT_ALONE.test(pathname), pageRef);
  // Kept here: a first tab that answers late lets the overlay go and come again.
  const [answer, setAnswer] = useState("");
  const askAgain = () => {
    check();
    setAnswer("");
    setTimeout(setAnswer, STILL_MS, words.header);
  };
  useOutOfReach(pageRef, blocked, focused);
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
function useOneTab(guarded: boolean, pageRef: RefObject<HTMLElement>) {
  const [blocked, setBlocked] = useState(false);
  const tab = useRef<TabWatch>();
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    if (!guarded) return;
    tab.current = watchTabs((state) => {
      // Whoever asks again stays as it is until it knows.
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

/** While blocked, nothing on the page can be reached or read; then the focus is where it was, and the page is fresh. */
function useOutOfReach(
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
    // A browser that does not know it hides the page by its style.
    if ("inert" in page) page.setAttribute("inert", "");
    return () => {
      page.removeAttribute("inert");
      if (before instanceof HTMLElement) before.focus();
      refresh.current();
    };
  }, [pageRef, blocked, focused]);
}
