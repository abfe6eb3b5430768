/** The package has no types where TypeScript looks for them. */
declare module "doiuse/lib/DoIUse.js" {
  import type { Node, Plugin } from "postcss";

  interface Found {
    /** Caniuse's name for the feature. */
    readonly feature: string;
    /** The rule, at-rule or declaration that needs it. */
    readonly usage: Node;
  }

  interface Options {
    /** As Browserslist queries. */
    readonly browsers: readonly string[];
    readonly onFeatureUsage: (found: Found) => void;
  }

  const DoIUse: new (options: Options) => Plugin;
  export default DoIUse;
}
