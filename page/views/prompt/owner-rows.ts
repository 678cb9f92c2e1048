// The list for calls of other clients, of which there is no build report: whose each stretch of the request is.
import type { Owner, OwnerKind } from "../../../src/capture/owner.ts"
import type { CallDetail, ShownPart } from "../../../src/serve/page/shown.ts"
import type { ShownOutcome } from "../../parts/outcome.ts"
import { ownRows, TALK, talkKind } from "./own-rows.ts"
import { INCLUDED, type PromptList, type PromptRow, rowOf, type Weighed, weighed } from "./prompt-row.ts"

interface Named {
  readonly group: string
  readonly key: string
  readonly title: string
}

const GROUPS: readonly string[] = [
  ...["Files", "Descriptions from files", "Tools", "MCP servers", "Hooks"],
  ...["Conversation", "Tool results", "The client's own"],
]

/** By section for our own prompts: their build report says more than the owners, and calls of others have none. */
export function promptList(detail: CallDetail): PromptList {
  return detail.call.client === "incipit" || detail.report !== null ? ownRows(detail) : ownerRows(detail)
}

function ownerRows(detail: CallDetail): PromptList {
  const named = weighed(detail).map((one) => ({ one, ...nameOf(one, detail.parts[one.part]) }))
  const byGroup = Map.groupBy(named, ({ group }) => group)
  const groups = GROUPS.flatMap((title) => {
    const found = byGroup.get(title)
    return found === undefined ? [] : [{ title, rows: rowsOf(found) }]
  })
  return { groups, missing: [] }
}

function rowsOf(found: readonly (Named & { readonly one: Weighed })[]): readonly PromptRow[] {
  return [...Map.groupBy(found, ({ key }) => key)]
    .map(([key, items]) => {
      const all = items.map(({ one }) => one)
      return rowOf({ key, title: items[0]?.title ?? key, outcome: matchOf(all) }, all)
    })
    .sort((a, b) => b.tokens - a.tokens)
}

/** How sure it is whose the text is. */
function matchOf(all: readonly Weighed[]): ShownOutcome {
  const matches = new Set(all.map(({ span }) => span.owner?.match))
  if (matches.has("one-of"))
    return { ...INCLUDED, reason: "several files have this text; nothing says which one was read" }
  if (matches.has("inferred")) return { ...INCLUDED, reason: "partly inferred from the lines around it" }
  return INCLUDED
}

function nameOf(one: Weighed, part: ShownPart | undefined): Named {
  const { owner } = one.span
  if (owner === null) return unowned(part)
  const name = owner.name ?? ""
  const key = [owner.kind, owner.path ?? owner.server ?? "", name].join(":")
  const group = GROUP_OF[owner.kind]
  const title = titleOf(owner, part)
  return { group, key, title }
}

const GROUP_OF: Readonly<Record<OwnerKind, string>> = {
  file: "Files",
  field: "Descriptions from files",
  tool: "Tools",
  "mcp-tool": "MCP servers",
  hook: "Hooks",
  envelope: "The client's own",
  client: "The client's own",
  conversation: "Conversation",
  "tool-result": "Tool results",
  output: "Conversation",
}

function titleOf({ kind, path, name = "", server = "" }: Owner, part: ShownPart | undefined): string {
  switch (kind) {
    case "file":
      return shortPath(path ?? "a file")
    case "field":
      return name === "" ? (path ?? "a file") : name
    case "mcp-tool":
      return `${server} · ${name}`
    case "tool-result":
      return name === "" ? "Tool results" : name
    case "envelope":
      return "Frames around files"
    case "client":
      return `The client's own ${name === "" ? "text" : name}`
    case "conversation":
      return TALK[talkKind(part, null)]?.title ?? TALK[name]?.title ?? "Conversation"
    case "output":
      return "Answers"
    default:
      return name === "" ? kind : name
  }
}

/** The end of a path says which file it is; the whole path is beside it. */
function shortPath(path: string): string {
  return path.split("/").slice(-2).join("/")
}

function unowned(part: ShownPart | undefined): Named {
  if (part?.tier === "tools")
    return { group: "Tools", key: `tool::${part.tool ?? ""}`, title: part.tool ?? "a tool" }
  if (part?.tier === "system")
    return { group: "The client's own", key: "client::system", title: "The client's own text" }
  const kind = talkKind(part, null)
  const group = kind === "tool-result" ? "Tool results" : "Conversation"
  return { group, key: `(${kind})`, title: TALK[kind]?.title ?? kind }
}
