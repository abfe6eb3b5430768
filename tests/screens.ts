import routes from "~/routes";

/** The screens: the journeys' routes, and the page for unknown addresses. A test visits each in the gallery. */
export const SCREENS: readonly string[] = [
  ...Array.from(routes)
    .flatMap((one) => [one, ...(one.children ?? [])])
    .flatMap(({ file, id }) => {
      const name = /^journeys\/.+\/([\w-]+)\.tsx$/.exec(file)?.[1];
      // A module of two screens has an id for each.
      return name === undefined ? [] : (id ?? name);
    }),
  "not-found",
];
