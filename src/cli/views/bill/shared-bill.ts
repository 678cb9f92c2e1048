// A bill that can be shown to strangers: the same figures, without paths, names or text. Files, servers, skills, tools,
// sessions and models get numbers, each the same one wherever it occurs. What is not listed here as harmless is left out.
import type { Advice, AdviceKind, Bill, BillMiss, CostGroup, OwnerCost } from "../../../capture/bill/bill.ts"
import type { Owner, OwnerKind } from "../../../capture/owner.ts"

/** Names of tools that clients bring: they say nothing about anybody. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set([
  ...[
    "Agent",
    "Bash",
    "BashOutput",
    "Edit",
    "Glob",
    "Grep",
    "LS",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "Skill",
  ],
  ...["Task", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Write"],
  ...["apply_patch", "exec_command", "shell", "update_plan", "view_image", "write_stdin"],
  ...["bash", "edit", "find", "glob", "grep", "list", "ls", "multiedit", "patch", "read", "task", "todoread"],
  ...["todowrite", "webfetch", "websearch", "write"],
  ...["glob_files", "google_web_search", "list_directory", "read_file", "read_many_files", "replace"],
  ...["run_shell_command", "save_memory", "search_file_content", "web_fetch", "write_file"],
])

const GROUP_NOUNS: Readonly<Record<CostGroup, string>> = {
  "tool-results": "tool",
  output: "output",
  conversation: "message",
  client: "part",
  instructions: "instruction file",
  files: "file",
  mcp: "MCP server",
  skills: "skill",
  hooks: "hook",
  "not-recorded": "part",
}

const ADVICE_TEXTS: Readonly<Record<AdviceKind, string>> = {
  ttl: "Another lifetime of the cache.",
  model: "Choosing the model before the first message.",
  "trim-results": "Shorter results of a command that ran often.",
  "large-file": "Not reading a large file that rode along.",
  "mcp-server": "Leaving out an MCP server.",
  skills: "Leaving out skills that were not used.",
  instructions: "Shorter instruction files.",
  pauses: "Fewer pauses that are longer than the cache lives.",
  edits: "Editing instruction files between sessions.",
  "no-cache": "Sending requests that can be cached.",
}

export function sharedBill(bill: Bill): Bill {
  const number = numbers()
  const name = (group: CostGroup, text: string) =>
    CLIENT_TOOLS.has(text) ? text : number(GROUP_NOUNS[group], pathOf(bill.owners, group, text))
  const priced = new Set(bill.prices.filter(({ kind }) => kind === "list").map(({ model }) => model))
  const model = (text: string) => (priced.has(text) ? text : number("model", text))
  const session = (text: string) => number("session", text)
  const groups = bill.groups.map((group) => ({
    ...group,
    items: group.items.map((item) => ({ ...item, name: name(group.group, item.name) })),
  }))
  const miss = (one: BillMiss) => sharedMiss(one, { number, model, session })
  return {
    ...bill,
    groups,
    owners: bill.owners.map((owner) => sharedOwner(owner, number)),
    bySession: bill.bySession.map((row) => ({ ...row, key: session(row.key), project: undefined })),
    byModel: bill.byModel.map((row) => ({ ...row, key: model(row.key) })),
    prices: bill.prices.map((price) => ({ ...price, model: model(price.model) })),
    misses: bill.misses.map(miss),
    missGroups: bill.missGroups.map((group) => ({ ...group, costliest: miss(group.costliest), names: [] })),
    advice: bill.advice.map(sharedAdvice),
    reading: { ...bill.reading, clients: bill.reading.clients.map((client) => ({ ...client, folders: [] })) },
    diagnostics: [],
  }
}

/** Groups have the ends of paths, as far as they differ. */
function pathOf(owners: readonly OwnerCost[], group: CostGroup, name: string): string {
  const isNamed = ({ path }: OwnerCost) => path === name || path?.endsWith(`/${name}`) === true
  return owners.find((owner) => owner.group === group && isNamed(owner))?.path ?? name
}

type Numbering = (noun: string, text: string) => string

/** `file 1`, `file 2`, in the order in which they are first asked for. */
function numbers(): Numbering {
  const known = new Map<string, Map<string, number>>()
  return (noun, text) => {
    const nouns = known.get(noun) ?? new Map<string, number>()
    known.set(noun, nouns)
    const at = nouns.get(text) ?? nouns.size + 1
    nouns.set(text, at)
    return `${noun} ${at}`
  }
}

/** Owners whose name is a word of ours. */
const OWN_WORDS: ReadonlySet<OwnerKind> = new Set(["client", "conversation", "output"])

function sharedOwner(owner: OwnerCost, number: Numbering): OwnerCost {
  const { path: _path, name: _name, server: _server, input: _input, ...rest } = owner
  // What stands around a file is the client's, and named like the file.
  const group = owner.kind === "envelope" ? "instructions" : owner.group
  return { ...rest, ...sharedName(owner, group, number) }
}

function sharedName(owner: Owner, group: CostGroup, number: Numbering): Partial<Owner> {
  const { kind, path, name, server } = owner
  const noun = GROUP_NOUNS[group]
  return {
    ...(path !== undefined && { path: number(noun, path) }),
    ...(server !== undefined && { server: number("MCP server", server) }),
    ...(name !== undefined && {
      name:
        CLIENT_TOOLS.has(name) || OWN_WORDS.has(kind)
          ? name
          : number(kind === "mcp-tool" ? "tool" : noun, name),
    }),
  }
}

interface MissNames {
  readonly number: Numbering
  readonly model: (text: string) => string
  readonly session: (text: string) => string
}

function sharedMiss(miss: BillMiss, { number, model, session }: MissNames): BillMiss {
  const { before: _before, after: _after, owner, ...rest } = miss
  const named = owner && {
    kind: owner.kind,
    match: owner.match,
    line: owner.line,
    lineBefore: owner.lineBefore,
    ...sharedName(owner, groupOfKind(owner.kind), number),
  }
  return {
    ...rest,
    session: session(miss.session),
    call: number("call", miss.call),
    // A field of a request, which a program may name as it likes.
    ...(miss.setting !== undefined && { setting: number("setting", miss.setting) }),
    ...(miss.models && { models: [model(miss.models[0]), model(miss.models[1])] as const }),
    ...(named && { owner: named }),
  }
}

/** What the owner of a change is most likely shown as elsewhere. */
function groupOfKind(kind: OwnerKind): CostGroup {
  if (kind === "file" || kind === "envelope") return "instructions"
  if (kind === "field") return "skills"
  if (kind === "mcp-tool") return "mcp"
  if (kind === "hook") return "hooks"
  return kind === "tool" || kind === "tool-result" ? "tool-results" : "client"
}

function sharedAdvice({ kind, savesUsd, simulated }: Advice): Advice {
  return { kind, text: ADVICE_TEXTS[kind], savesUsd, simulated }
}
