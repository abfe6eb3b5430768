// `node build/commands NAME …`: how the commands were called before, in operators' scripts.
import "./index.server";
