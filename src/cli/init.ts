// `incipit init`: a workspace that compiles without findings, from a few questions. Nothing is ever overwritten.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline/promises"
import { IncipitError } from "../core/error.ts"
import { type BaseFacts, baseText } from "../profiles/incipit-text.ts"
import type { Invocation } from "./command.ts"
import type { Terminal } from "./terminal.ts"

/** All that a base may say but for what only certain tools make true. */
const EJECTED: BaseFacts = {
  mode: "full",
  hasTools: true,
  hasTasks: false,
  hasShell: true,
  parallel: true,
  shell: true,
  writes: true,
}

interface Answers {
  readonly name: string
  readonly purpose: string
  readonly owner: string
}

const DEFAULTS: Answers = { name: "Ada", purpose: "helps with whatever comes up", owner: "you" }

export async function run({ words, flags, terminal }: Invocation): Promise<number> {
  const folder = resolve(terminal.cwd, words[0] ?? ".")
  const files =
    flags.eject === true ? ejected() : filesOf(await answersOf(flags, terminal), terminal.timeZone)
  const written = Object.entries(files).filter(([path, text]) => writeNew(join(folder, path), text))
  const kept = Object.keys(files).filter((path) => !written.some(([name]) => name === path))
  for (const [path] of written) terminal.out(`wrote ${join(words[0] ?? "", path)}\n`)
  for (const path of kept) terminal.err(`kept  ${join(words[0] ?? "", path)}, which is there already\n`)
  if (flags.eject !== true)
    terminal.out(
      `\nSee what it comes to: incipit build${words[0] === undefined ? "" : ` --workspace ${words[0]}`}\n`,
    )
  return 0
}

async function answersOf(flags: { readonly [name: string]: unknown }, terminal: Terminal): Promise<Answers> {
  const name = typeof flags.name === "string" ? flags.name : undefined
  if (flags.yes === true) return { ...DEFAULTS, ...(name !== undefined && { name }) }
  if (!process.stdin.isTTY) {
    throw new IncipitError("bad-argument", "init asks questions, and there is nobody to answer; add --yes")
  }
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const question = async (text: string, fallback: string) =>
    (await ask.question(`${text} [${fallback}] `)).trim() || fallback
  try {
    return {
      name: name ?? (await question("What is the agent called?", DEFAULTS.name)),
      purpose: await question("What does it do, in a few words?", DEFAULTS.purpose),
      owner: await question("And what is your name?", terminal.env.USER ?? DEFAULTS.owner),
    }
  } finally {
    ask.close()
  }
}

function filesOf({ name, purpose, owner }: Answers, timeZone: string): Readonly<Record<string, string>> {
  return {
    "IDENTITY.md": `---\nname: ${JSON.stringify(name)}\n---\n\n${name} ${purpose}.\n`,
    "SOUL.md":
      "Calm, exact and a little dry. Says what it knows, says when it does not, and does not perform.\n",
    "AGENTS.md": `## How ${name} works\n\n- Read before you write, and check before you claim.\n- Ask when the answer would change what you do.\n- Say what you did in one sentence, and what you left.\n`,
    "USER.md": `---\nname: ${JSON.stringify(owner)}\ntimezone: ${timeZone}\n---\n\nOwns this workspace.\n`,
    "incipit.yaml": CONFIG,
  }
}

const CONFIG = `# What goes into the prompt, for whom. docs/reference/configuration.md lists every key.
profile: incipit
users:
  owner: { trust: full, match: ["terminal:*"] }
situations:
  dm: { ceiling: full }
  group: { ceiling: familiar }
  system: { ceiling: full }
`

/** A base of one's own shows tools and guidelines only where it places them. */
function ejected(): Readonly<Record<string, string>> {
  return { ".incipit/SYSTEM.md": `${baseText(EJECTED)}\n\n## What you have\n\n{{TOOLS}}\n\n{{GUIDELINES}}\n` }
}

function writeNew(path: string, text: string): boolean {
  if (existsSync(path)) return false
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: "wx" })
  return true
}
