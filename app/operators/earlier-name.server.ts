import "./index.server";

// `node build/commands NAME …`: the earlier way to run a command, still used in operators' scripts.
