/** The package has no types of its own where TypeScript looks for them. */
declare module "doiuse/lib/DoIUse.js" {
  import type { Node, Plugin } from "postcss";

  interface Found {
    /** Caniuse's name of the feature. */
    readonly feature: string;
    /** The rule, the at-rule or the declaration that needs it. */
    readonly usage: Node;
  }

  interface Options {
    /** In Browserslist's words. */
    readonly browsers: readonly string[];
    readonly onFeatureUsage: (found: Found) => void;
  }

  const DoIUse: new (options: Options) => Plugin;
  export default DoIUse;
}
