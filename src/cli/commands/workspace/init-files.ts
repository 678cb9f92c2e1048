// The files that `init` writes, from a few answers.
import { INCIPIT_FOLDER, SYSTEM_FILE } from "../../../files/paths.ts"
import { type BaseFacts, baseText } from "../../../profiles/incipit/text.ts"
import type { FoundServer } from "./init-import.ts"

export interface Answers {
  readonly name: string
  readonly purpose: string
  readonly owner: string
  /** If undefined, the agent uses the first provider that has a key when it runs. */
  readonly model: string | undefined
  readonly hasHeartbeat: boolean
  /** To take over from the files of other agents. */
  readonly servers: readonly FoundServer[]
  /** CLAUDE.md is read although there is an AGENTS.md. */
  readonly readsBoth: boolean
}

export interface Place {
  readonly profile: string
  readonly timeZone: string
  /** The folder has instructions for coding agents. */
  readonly hasInstructions: boolean
}

/** By path. A profile that reproduces another system reads that system's files, so it gets none of these. */
export function filesOf(answers: Answers, place: Place): Readonly<Record<string, string>> {
  const { name, purpose, owner, hasHeartbeat } = answers
  // Plans are private, while a custom base belongs to the workspace.
  const ignored = `${INCIPIT_FOLDER}/*\n!${INCIPIT_FOLDER}/*SYSTEM.md\n`
  const configuration = { "incipit.yaml": configText(answers, place), ".gitignore": ignored }
  if (place.profile !== "incipit") return configuration
  return {
    "IDENTITY.md": `---\nname: ${JSON.stringify(name)}\n---\n\n${name} ${purpose}.\n`,
    "SOUL.md":
      "Calm, exact and a little dry. Says what it knows, says when it does not, and does not perform.\n",
    ...(!place.hasInstructions && { "AGENTS.md": instructions(name) }),
    "USER.md": `---\nname: ${JSON.stringify(owner)}\ntimezone: ${place.timeZone}\n---\n\nOwns this workspace.\n`,
    ...(hasHeartbeat && { "HEARTBEAT.md": HEARTBEAT }),
    ...configuration,
  }
}

function instructions(name: string): string {
  return `## How ${name} works\n\n- Read before you write, and check before you claim.\n- Ask when the answer would change what you do.\n- Say what you did in one sentence, and what you left.\n`
}

const HEARTBEAT = `Every morning:

1. **Tasks.** Look at the open tasks. Say which of them is due today, if one is.
2. **Notes.** Look at what was noted yesterday. Say what is left open.

When there is nothing to say, say nothing.
`

function configText(answers: Answers, { profile, timeZone }: Place): string {
  const { model, hasHeartbeat, servers, readsBoth } = answers
  const schedule = `# Done while \`incipit run --schedule\` or a chat runs.
schedule:
  - { cron: "0 8 * * *", run: HEARTBEAT.md, zone: ${timeZone} }
`
  return `# What goes into the prompt, for whom. docs/reference/configuration.md lists every key.
profile: ${profile}
${model === undefined ? "" : `model: ${JSON.stringify(model)}\n`}users:
  owner: { trust: full, match: ["terminal:*"] }
situations:
  dm: { ceiling: full }
  group: { ceiling: familiar }
  system: { ceiling: full }
${readsBoth ? "# Both AGENTS.md and CLAUDE.md.\nprompt: { context: all }\n" : ""}${serversText(servers)}${hasHeartbeat ? schedule : ""}`
}

/** Each on a line, as JSON, which is YAML as well. */
function serversText(servers: readonly FoundServer[]): string {
  if (servers.length === 0) return ""
  const from = [...new Set(servers.map((one) => one.from))].join(" and ")
  const lines = servers.map(({ name, entry }) => `  ${JSON.stringify(name)}: ${JSON.stringify(entry)}\n`)
  return `# Taken over from ${from}. Each starts only once you have approved it.\nmcp:\n${lines.join("")}`
}

/** Everything that a base may say, except what depends on certain tools. */
const EJECTED: BaseFacts = {
  mode: "full",
  hasTools: true,
  hasTasks: false,
  hasShell: true,
  parallel: true,
  writes: true,
}

/** A custom base shows tools and guidelines only where it places them. */
export function ejected(): Readonly<Record<string, string>> {
  return { [SYSTEM_FILE]: `${baseText(EJECTED)}\n\n## What you have\n\n{{TOOLS}}\n\n{{GUIDELINES}}\n` }
}
