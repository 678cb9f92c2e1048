// Everything that one person can ask of an MCP server, as one text: what may not differ between two worlds is compared by it.
export type AskMcp = (method: string, params: Readonly<Record<string, unknown>>) => Promise<string>

/** Of files that may be there or not, hidden or not. */
const PATHS = [
  ...["SOUL.md", "AGENTS.md", "MEMORY.md", "IDENTITY.md", "HEARTBEAT.md", "USER.md", "users/alice/USER.md"],
  ...["rules/a.md", "memory/private/a.md", "private/a.md", "shared/b.md", "social/c.md", ".env", "none.md"],
]
const SKILLS = ["knots", "safe", "none"]
const NO_CALL = "01m7j3e3y476tj2g9e6j"

const TOOLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["memory", { do: "search", query: "boat zq" }],
  ["memory", { do: "search", query: "boat", limit: 1 }],
  ...[...PATHS, "../SOUL.md", "/etc/passwd"].map((path) => ["memory", { do: "get", path }] as const),
  ["memory", { do: "get" }],
  ...[...PATHS, ...SKILLS, "boat", "zq", "tools"].map((what) => ["explain", { what }] as const),
  ["explain", { what: "boat", call: "last" }],
  ["explain", { what: "MEMORY.md", call: `${NO_CALL}.1` }],
  ...[{}, { id: "last" }, { id: NO_CALL }, { id: `${NO_CALL}.1` }, { id: "0" }].map(
    (input) => ["trace", input] as const,
  ),
  ...["owner", "day", "session", "person", "model", "client"].map((by) => ["cost", { by }] as const),
  ...[{ session: NO_CALL }, { of: "agent" }, { of: "captures" }, { since: "7d" }].map(
    (input) => ["cost", input] as const,
  ),
  ...[{ limit: 200 }, { level: "error" }, { session: NO_CALL }].map((input) => ["logs", input] as const),
  ...[{}, { text: true }, { user: "alice" }, { user: "nobody" }, { situation: "group" }].map(
    (input) => ["compile", input] as const,
  ),
  ["bill", {}],
  ["nothing", {}],
]

const URIS = [
  ...[
    "incipit://prompt",
    "incipit://prompt/report",
    `incipit://calls/${NO_CALL}.1`,
    "incipit://files/%2e%2e/x",
  ],
  ...PATHS.map((path) => `incipit://files/${path}`),
  ...SKILLS.flatMap((name) => [`skill://${name}/SKILL.md`, `skill://${name}/run.sh`]),
]

const LISTS = ["resources/list", "prompts/list", "skills/list", "tools/list"]

const ASKED: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ...LISTS.map((method) => [method, {}] as const),
  ...LISTS.flatMap((method) => ["100", "0", "200", "x"].map((cursor) => [method, { cursor }] as const)),
  ["resources/templates/list", {}],
  ...TOOLS.map(([name, input]) => ["tools/call", { name, arguments: input }] as const),
  ...URIS.map((uri) => ["resources/read", { uri }] as const),
  ...SKILLS.map((name) => ["prompts/get", { name, arguments: { words: "now" } }] as const),
  ...["incipit://files/{+path}", "incipit://calls/{id}"].map(
    (uri) =>
      [
        "completion/complete",
        { ref: { type: "ref/resource", uri }, argument: { name: "path", value: "" } },
      ] as const,
  ),
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "safe" }, argument: { name: "words", value: "" } },
  ],
]

export async function everything(ask: AskMcp): Promise<string> {
  const found: string[] = []
  for (const [method, params] of ASKED)
    found.push(`${method} ${JSON.stringify(params)}: ${await ask(method, params)}`)
  // Ids depend on chance, and so does how many tokens they are.
  return found.join("\n").replaceAll(/"tokens":\d+\}/g, '"tokens":0}')
}
