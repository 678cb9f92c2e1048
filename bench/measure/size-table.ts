// The size of the default prompt in five configurations, from minimal to large. The docs show the same table.
import { compile, type Mode, o200k, type Prompt, type Tool } from "../../src/public/incipit.ts"
import { incipit } from "../../src/public/profiles.ts"
import { gatherAgent, gatherSession, openWorkspace } from "../../src/public/sources.ts"

const NAMES = ["read", "write", "edit", "list", "find", "grep", "shell"]
const BUILTIN = (incipit.tools ?? []).filter(({ name }) => NAMES.includes(name))

/** What a typical MCP server brings. */
function serverTools(servers: number): readonly Tool[] {
  return Array.from({ length: servers * 8 }, (_, at) => ({
    name: `server${Math.floor(at / 8) + 1}_tool_${(at % 8) + 1}`,
    description:
      "Looks something up in the service and returns what it found, newest first, one entry a line.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", description: "What to look for." },
        limit: { type: "integer", description: "At most so many entries." },
      },
      required: ["query"],
    },
  }))
}

interface Configuration {
  readonly name: string
  readonly workspace?: true
  readonly tools: readonly Tool[]
  readonly mode?: Mode
}

const CONFIGURATIONS: readonly Configuration[] = [
  { name: "minimal: no tools, no files (`--mode minimal`)", tools: [], mode: "minimal" },
  { name: "no files, no tools: base and bundled soul", tools: [] },
  { name: "typical: no files, seven tools", tools: BUILTIN },
  { name: "full: the sample workspace, seven tools", workspace: true, tools: BUILTIN },
  {
    name: "large: the sample workspace, seven tools and 40 of five servers",
    workspace: true,
    tools: [...BUILTIN, ...serverTools(5)],
  },
]

function promptOf({ workspace, tools, mode = "full" }: Configuration): Prompt {
  const turn = { id: "turn-1", now: Date.UTC(2026, 5, 15, 7), timeZone: "UTC" }
  if (workspace === undefined) {
    const audience = { trust: "full", situation: "dm", mode } as const
    const agent = { id: "main", files: [], tools, extensions: [] }
    return compile(incipit, { agent, session: { id: "s", files: [], audience }, turn }, { counter: o200k })
  }
  const opened = openWorkspace("examples/lighthouse")
  const agent = gatherAgent(opened, { tools }).value
  const session = gatherSession(opened, { mode }).value
  return compile(incipit, { agent, session, turn }, { counter: o200k })
}

export interface SizeRow {
  readonly name: string
  readonly characters: number
  readonly tokens: number
  /** The tokens of stable text that does not come from a file. */
  readonly own: number
  readonly tools: number
  readonly toolTokens: number
}

export function sizeRows(): readonly SizeRow[] {
  return CONFIGURATIONS.map(rowOf)
}

export const SIZE_HEADS = [
  "configuration",
  "characters",
  "tokens of the prompt",
  "of them the profile's own stable text",
  "tools",
  "tokens of their definitions",
]

export function sizeCells({ name, characters, tokens, own, tools, toolTokens }: SizeRow): readonly string[] {
  return [name, ...[characters, tokens, own, tools, toolTokens].map(whole)]
}

function rowOf(configuration: Configuration): SizeRow {
  const { plan, tools, text } = promptOf(configuration)
  const tokens = plan.blocks.reduce((sum, block) => sum + block.tokens, 0)
  const toolTokens = plan.entries.reduce((sum, entry) => sum + (entry.kind === "tool" ? entry.tokens : 0), 0)
  const own = plan.entries
    .filter(
      ({ kind, pace, spans }) =>
        kind === "section" && pace === "stable" && spans.every(({ from }) => from?.kind !== "file"),
    )
    .reduce((sum, entry) => sum + entry.tokens, 0)
  return { name: configuration.name, characters: text.length, tokens, own, tools: tools.length, toolTokens }
}

function whole(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}
