// Without it: the browser loads one page at a time, and shows it.
import { useFetchers, useNavigation, useRevalidator } from "@remix-run/react";

/** The "global count of requests in flight" (specification §3). */
export function useRequests(): number {
  const { state: navigation } = useNavigation();
  const { state: revalidation } = useRevalidator();
  const fetchers = useFetchers();
  return [navigation, revalidation, ...fetchers.map(({ state }) => state)].filter((state) => state !== "idle")
    .length;
}
