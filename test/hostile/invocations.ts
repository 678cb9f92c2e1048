// How every command of the command line is tried in a hostile folder: at least once each, with the flags that read
// more, or write. A test compares the names with the table of commands, so that a new command cannot be forgotten. Not
// with files that the user names, such as `simulate FILE`: those are read wherever they lead.
import { join } from "node:path"
import type { Place } from "./place.ts"

export interface Invocation {
  readonly args: readonly string[]
  readonly input?: string
  /** What it is there to write; it gets a folder of its own then. */
  readonly writes?: (place: Place) => readonly string[]
  /** It goes on until it is told to end, once it has written this. */
  readonly until?: RegExp
  /** It is there to listen, on this machine alone. */
  readonly listens?: boolean
}

const line = (text: string, more: Omit<Invocation, "args"> = {}): Invocation => ({
  args: text.split(" "),
  ...more,
})
const inFolder =
  (...names: readonly string[]) =>
  ({ start }: Place) =>
    names.map((name) => join(start, name))
/** What `hooks approve` and `folder approve` keep, in the user's home folder. */
const approvals = ({ takenHome }: Place) => [join(takenHome, ".incipit")]
/** A word of a command line with blanks in it. */
const words = (...args: readonly string[]): Invocation => ({ args })

/** What an agent asks of the server over stdin: the files, and tools that read more. */
const MCP_REQUESTS = [
  [
    "initialize",
    { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  ],
  ["resources/list", {}],
  ["resources/read", { uri: "incipit://files/../outside/secret.md" }],
  ["prompts/list", {}],
  ["tools/call", { name: "explain", arguments: { what: "../outside/secret.md" } }],
  ["tools/call", { name: "compile", arguments: {} }],
  ["tools/call", { name: "memory", arguments: { do: "search", query: "winch" } }],
]
  .map(([method, params], id) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
  .join("")

export const INVOCATIONS: Readonly<Record<string, readonly Invocation[]>> = {
  build: [
    line("build"),
    line("build --json --cwd sub"),
    line("build --annotated --in group"),
    line("build --compare osa"),
    line("build --recall --message winch --tools agent"),
    line("build --text --as __proto__ --in constructor --channel __proto__:x"),
    line("build --cwd /proc/self --task ../x --session ../../x"),
    line("build --tools tools.json --scope trace.yaml --agent ../.."),
    line("build --workspace AGENTS.md --profile osa"),
    line("build --watch", { until: /Watching/ }),
  ],
  explain: [
    line("explain soul"),
    line("explain ../outside/secret.md"),
    line("explain SOUL.md --as nobody"),
    line("explain hooks/pipe.ts"),
    line("explain /dev/zero"),
  ],
  diff: [line("diff . ."), line("diff . sub"), line("diff /dev/zero .")],
  check: [
    line("check"),
    line("check --leak full:group --strict"),
    line("check --frozen"),
    line("check --tools agent --json"),
    line("check --write-lock", { writes: inFolder("incipit.lock") }),
  ],
  simulate: [
    line("simulate"),
    line("simulate /dev/zero"),
    line("simulate --save calls.jsonl", { writes: inFolder("calls.jsonl") }),
  ],
  price: [line("price --edit SOUL.md"), line("price --add-skill skills/tea")],
  tour: [line("tour --workspace ."), line("tour --workspace . --yes")],
  chat: [
    line("chat", { input: "hello\n/quit\n" }),
    line("chat --continue --plan", { input: "/context\n/quit\n" }),
  ],
  run: [
    line("run hello"),
    line("run"),
    line("run -p @AGENTS.md", { input: "\u0000\u00ff" }),
    line("run --continue -", { input: "hello @../outside/secret.md" }),
    line("run --allow shell,edit hello"),
    line("run --sessions"),
    line("run --json --plan hello"),
    line("run --schedule", { until: /\S/ }),
  ],
  inspect: [
    line("inspect --json", { until: /\S/, listens: true }),
    line("inspect --no-open --as nobody --in constructor", { until: /\S/, listens: true }),
    line("inspect no-such-session"),
    line("inspect sub"),
    line("inspect /dev/zero"),
  ],
  mcp: [
    { ...line("mcp"), input: MCP_REQUESTS },
    line("mcp --as nobody --in constructor"),
    line("mcp --cost --json"),
    line("mcp --install __proto__"),
    line("mcp --install claude-code"),
    line("mcp --print cursor --json --scope user"),
    line("mcp --install claude-code --yes", { writes: inFolder(".mcp.json") }),
    line("mcp --install vscode --yes", { writes: inFolder(".vscode") }),
    line("mcp --remove opencode --yes", { writes: inFolder("opencode.json", "opencode.jsonc") }),
  ],
  "mcp login": [line("mcp login __proto__")],
  "mcp logout": [line("mcp logout __proto__")],
  "mcp status": [line("mcp status"), line("mcp status --json")],
  serve: [line("serve --port 0", { until: /\S/, listens: true })],
  "token add": [line("token add"), line("token add --user __proto__ --situation constructor")],
  "token list": [line("token list"), line("token list --json")],
  "token revoke": [line("token revoke __proto__")],
  "database status": [line("database status"), line("database status --json")],
  "database migrate": [line("database migrate")],
  "database move": [line("database move"), line("database move --to postgres://ada@127.0.0.1:1/x --dry-run")],
  "pair list": [line("pair list --json")],
  "pair confirm": [line("pair confirm ABCDEFGH --user __proto__")],
  "pair deny": [line("pair deny ../x:__proto__")],
  "pair forget": [line("pair forget ../x:__proto__")],
  signal: [line("signal hello")],
  skills: [line("skills"), line("skills --json")],
  config: [line("config"), line("config --json")],
  models: [line("models"), line("models --json")],
  init: [
    line("init --yes", { writes: (place) => [place.start, ...approvals(place)] }),
    line("init --eject", { writes: inFolder(".incipit") }),
    line("init --yes --import", { writes: (place) => [place.start, ...approvals(place)] }),
    line("init --yes made", { writes: (place) => [join(place.start, "made"), ...approvals(place)] }),
  ],
  hooks: [line("hooks"), line("hooks --json")],
  "folder approve": [
    line("folder approve", { writes: approvals }),
    line("folder approve --json", { input: "y\n", writes: approvals }),
    line("folder approve --yes", { writes: approvals }),
    line("folder approve AGENTS.md", { writes: approvals }),
  ],
  "folder list": [line("folder list")],
  "folder revoke": [line("folder revoke")],
  "hooks approve": [
    line("hooks approve"),
    line("hooks approve evil", { input: "n\n" }),
    line("hooks approve --yes", { writes: approvals }),
  ],
  "hooks revoke": [line("hooks revoke evil")],
  completions: [line("completions bash")],
  "memory index": [line("memory index"), line("memory index --rebuild")],
  "memory search": [line("memory search winch"), line("memory search winch --json --as nobody")],
  "memory get": [
    line("memory get private/notes.md"),
    line("memory get ../outside/secret.md"),
    line("memory get private/__proto__"),
    line("memory get keys/id_rsa"),
  ],
  "memory add": [
    line("memory add tea", { writes: inFolder("memory") }),
    line("memory add tea --store private --path ../../outside.md", { writes: inFolder("memory") }),
    line("memory add tea --store keys --path authorized_keys", { writes: inFolder("memory") }),
  ],
  "memory why-not": [line("memory why-not winch --query tea")],
  "memory export": [line("memory export ."), line("memory export ../outside --force")],
  "memory import": [line("memory import ."), line("memory import memory --all --force --dry-run --json")],
  schedule: [line("schedule")],
  "schedule add": [line("schedule add @daily hello"), words("schedule", "add", "* * * * *", "\u001b[2J")],
  "schedule remove": [line("schedule remove 1")],
  "queue list": [line("queue list"), line("queue list --json --agent ../..")],
  "queue retry": [line("queue retry"), line("queue retry ../x")],
  "queue drop": [line("queue drop __proto__ ../x --json")],
  "session fork": [line("session fork ../x --at __proto__"), line("session fork none --as __proto__")],
  "session undo": [line("session undo ../../x --json")],
  "session stop": [line("session stop __proto__")],
  "state list": [line("state list")],
  "state show": [line("state show"), line("state show --json AGENTS.md")],
  "state move": [line("state move ../outside --yes"), line("state move . sub")],
  "state forget": [line("state forget"), line("state forget --yes"), line("state forget --gone --yes")],
  "state adopt": [line("state adopt"), line("state adopt --yes"), line("state adopt --yes --acting")],
  logs: [line("logs"), line("logs --record incipit.yaml"), line("logs --record hooks/pipe.ts")],
  trace: [line("trace")],
  replay: [line("replay turn-1")],
  "why-miss": [line("why-miss")],
  cost: [line("cost"), line("cost --by file")],
  bill: [line("bill"), line("bill . --json"), line("bill --by owner --share")],
  statusline: [line("statusline", { input: '{"session_id":"../x","transcript_path":"AGENTS.md"}' })],
  capture: [line("capture"), line("capture . --metadata-only")],
  // It is there to run what the user names.
  wrap: [line("wrap")],
  proxy: [line("proxy --port 0", { until: /\S/, listens: true })],
  status: [line("status"), line("status --record /dev/zero")],
  export: [line("export"), line("export out.jsonl", { writes: inFolder("out.jsonl") })],
  prune: [line("prune"), line("prune --dry-run"), line("prune --person owner")],
}
