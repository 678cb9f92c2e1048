// A table (exempt from the limit of lines): the routes of the server that are not below /api. The compatible ones are
// described by their own APIs.

export interface ServerPath {
  readonly method: "get" | "post"
  readonly path: string
  readonly tag: "Operating" | "Signing in" | "OpenAI" | "Anthropic" | "MCP" | "Channels"
  readonly summary: string
  readonly description?: string
  /** The scopes that a token needs one of; none if there is no token. */
  readonly scopes: readonly string[]
  /** The media type of the body, and of the answer. */
  readonly takes?: "application/json" | "application/x-www-form-urlencoded"
  readonly answers: "application/json" | "text/html" | "text/plain" | "nothing"
  readonly status?: 200 | 204 | 303
}

const OPENAI =
  "Compatible with OpenAI's API; `model` names the agent. docs/guide/clients.md says what differs."
const ANTHROPIC =
  "Compatible with Anthropic's API; `model` names the agent. docs/guide/clients.md says what differs."

export const SERVER_PATHS: readonly ServerPath[] = [
  {
    ...{ method: "get", path: "/healthz", tag: "Operating", scopes: [], answers: "text/plain" },
    summary: "Say that the process is alive",
  },
  {
    ...{ method: "get", path: "/readyz", tag: "Operating", scopes: [], answers: "text/plain" },
    summary: "Say whether it takes requests; 503 if not",
  },
  {
    ...{ method: "get", path: "/metrics", tag: "Operating", scopes: ["operate"], answers: "text/plain" },
    summary: "Counts for Prometheus",
  },
  {
    ...{ method: "get", path: "/", tag: "Signing in", scopes: [], answers: "text/html" },
    summary: "The start page, for a browser that has signed in",
  },
  {
    ...{ method: "get", path: "/login", tag: "Signing in", scopes: [], answers: "text/html" },
    summary: "A form for the one-time code",
  },
  {
    ...{ method: "post", path: "/login", tag: "Signing in", scopes: [], answers: "nothing", status: 303 },
    takes: "application/x-www-form-urlencoded",
    summary: "Sign in with the one-time code (`code`); sets a cookie",
  },
  {
    ...{ method: "post", path: "/logout", tag: "Signing in", scopes: [], answers: "nothing", status: 303 },
    summary: "Revoke the browser's token",
  },
  {
    ...{ method: "get", path: "/v1/models", tag: "OpenAI", scopes: ["talk"], answers: "application/json" },
    ...{ summary: "List the agents as models", description: OPENAI },
  },
  {
    ...{ method: "get", path: "/v1/models/{model}", tag: "OpenAI", scopes: ["talk"] },
    ...{ answers: "application/json", summary: "One agent as a model", description: OPENAI },
  },
  {
    ...{ method: "post", path: "/v1/chat/completions", tag: "OpenAI", scopes: ["talk"] },
    ...{ takes: "application/json", answers: "application/json" },
    ...{ summary: "Chat completions", description: OPENAI },
  },
  {
    ...{ method: "post", path: "/v1/responses", tag: "OpenAI", scopes: ["talk"] },
    ...{ takes: "application/json", answers: "application/json" },
    ...{ summary: "Responses", description: OPENAI },
  },
  {
    ...{ method: "post", path: "/v1/messages", tag: "Anthropic", scopes: ["talk"] },
    ...{ takes: "application/json", answers: "application/json" },
    ...{ summary: "Messages", description: ANTHROPIC },
  },
  {
    ...{ method: "post", path: "/v1/messages/count_tokens", tag: "Anthropic", scopes: ["talk"] },
    ...{ takes: "application/json", answers: "application/json" },
    ...{ summary: "Count the tokens of a request", description: ANTHROPIC },
  },
  {
    ...{ method: "post", path: "/mcp", tag: "MCP", scopes: ["read", "operate"] },
    ...{ takes: "application/json", answers: "application/json" },
    ...{ summary: "MCP over HTTP", description: "docs/guide/mcp-server.md says what can be asked." },
  },
  {
    ...{ method: "post", path: "/channels/{channel}", tag: "Channels", scopes: [] },
    ...{ takes: "application/json", answers: "nothing", summary: "What a channel delivers" },
    description: "Each channel checks its callers by a signature or a secret of its own.",
  },
]
