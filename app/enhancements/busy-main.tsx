// Without it: the browser itself shows that a page is loading.
import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { Spinner } from "~/ui/spinner";
import { useKeptTyped } from "./keep-typed";
import { LostConnectionAlert } from "./lost-connection";
import { useRequests } from "./requests";

/** The words of the spinner: at first, and once it takes long. */
interface BusyWords {
  readonly wait: string;
  readonly slow: string;
}

interface BusyMainProps {
  /** The page's language. When it changes, `main` is rendered again and keeps what was typed. */
  readonly language: string;
  readonly words: BusyWords;
  readonly lost: ComponentProps<typeof LostConnectionAlert>["words"];
  readonly children: ReactNode;
}

/** "Loading indicator removal delay" (specification §9), in ms. */
const REMOVE_MS = 100;
/** Quicker answers need no announcement (C-14), in ms. */
const ANNOUNCE_MS = 300;
/** After this long people begin to doubt, in ms. */
const SLOW_MS = 8000;

/** `main`, and a spinner over the whole page while any request runs (specification §2, §7). It takes no focus. */
export function BusyMain({ language, words, lost, children }: BusyMainProps) {
  const busy = useLingering(useRequests() > 0);
  const text = useStatus(busy, words);
  const ref = useKeptTyped();
  return (
    <>
      <main
        key={language}
        ref={ref}
        id="content"
        tabIndex={-1}
        aria-busy={busy || undefined}
        className="flex flex-1 flex-col"
      >
        <LostConnectionAlert words={lost} />
        {children}
      </main>
      <Spinner shown={busy}>{text}</Spinner>
    </>
  );
}

function useLingering(active: boolean): boolean {
  const [lingers, setLingers] = useState(false);
  useEffect(() => {
    if (active) setLingers(true);
    else {
      const timer = setTimeout(setLingers, REMOVE_MS, false);
      return () => {
        clearTimeout(timer);
      };
    }
    return undefined;
  }, [active]);
  return active || lingers;
}

function useStatus(busy: boolean, { wait, slow }: BusyWords): string {
  const [text, setText] = useState("");
  useEffect(() => {
    if (!busy) return;
    const timers = [setTimeout(setText, ANNOUNCE_MS, wait), setTimeout(setText, SLOW_MS, slow)];
    return () => {
      timers.forEach(clearTimeout);
      setText("");
    };
  }, [busy, wait, slow]);
  return text;
}
