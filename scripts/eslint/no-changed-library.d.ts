export const NO_CHANGED_LIBRARY: readonly { readonly selector: string; readonly message: string }[];
