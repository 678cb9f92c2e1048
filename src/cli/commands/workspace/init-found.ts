// What `init` found in a folder, in lines: which system it belongs to, what enters the prompt, what does not and why, and
// what could be taken over.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { sentence } from "../../../base/diagnostic.ts"
import { plural } from "../../../base/text/figures.ts"
import { shownFrom } from "../../../files/inside.ts"
import { readRegular } from "../../../files/read-regular.ts"
import { existingPathOf } from "../../../files/real-path.ts"
import { visible } from "../../chat/screen/visible.ts"
import type { Terminal } from "../../terminal.ts"
import { fitCell, wrap } from "../../views/widths.ts"
import { gatherFromFlags } from "../prompt/resolve.ts"
import { type FoundServer, importableIn } from "./init-import.ts"
import { signOf } from "./init-signs.ts"

export interface Found {
  readonly lines: readonly string[]
  readonly servers: readonly FoundServer[]
  /** CLAUDE.md has text of its own, which is not read beside AGENTS.md. */
  readonly isShadowed: boolean
}

/** Nothing for an empty or missing folder, and for one that is a workspace already no more than what is used. */
export async function findIn(folder: string, terminal: Terminal): Promise<Found> {
  if (!existsSync(folder)) return { lines: [], servers: [], isShadowed: false }
  const sign = signOf(folder)
  const flags = { workspace: folder, cwd: folder, ...(sign && { profile: sign.profile }) }
  const { agent, session, profile, workspace, diagnostics } = await gatherFromFlags(flags, terminal)
  const files = [...agent.files, ...session.files].map(({ path }) => shownFrom(path, workspace.root))
  const skills = [...(agent.skills ?? []), ...(session.skills ?? [])]
  const used = [...new Set(files), ...(skills.length === 0 ? [] : [plural(skills.length, "skill")])]
  const whose = sign === undefined ? "" : `This folder has the layout of ${sign.system}. `
  const isNew = !existsSync(join(folder, "incipit.yaml"))
  const { servers, leftOut } = isNew ? importableIn(folder) : { servers: [], leftOut: [] }
  const here = [folder, workspace.root].map((path) => join(path, "/"))
  const problems = diagnostics
    .filter(({ code }) => code !== "no-files")
    .map((one) => here.reduce((text, path) => text.replaceAll(path, ""), sentence(one)))
  const unused = [...problems, ...leftOut.map((one) => `Not taken over: ${one}.`)]
  return {
    lines: [
      ...(used.length === 0
        ? []
        : wrap(`${whose}The profile ${profile.name} uses ${used.join(", ")}.`, terminal.columns)),
      ...unused.flatMap((text) => wrap(`- ${visible(text)}`, terminal.columns)),
    ],
    servers,
    isShadowed: isNew && profile.name === "incipit" && isShadowed(folder),
  }
}

/** Not if it is a link to the other, or leads to it. */
function isShadowed(folder: string): boolean {
  const [agents, claude] = ["AGENTS.md", "CLAUDE.md"].map((name) => join(folder, name))
  if (agents === undefined || claude === undefined || !existsSync(agents) || !existsSync(claude)) return false
  if (existingPathOf(agents) === existingPathOf(claude)) return false
  const read = readRegular(claude, MOST_BYTES)
  return read.kind === "read" && !/^\s*@(?:\.\/)?AGENTS\.md\s*$/.test(read.bytes.toString("utf8"))
}

const MOST_BYTES = 1_000_000

/** What a `--yes` leaves out. */
export function leftLines({ servers, isShadowed: isLeft }: Found): readonly string[] {
  const what = [
    ...(servers.length === 0 ? [] : [plural(servers.length, "MCP server")]),
    ...(isLeft ? ["CLAUDE.md"] : []),
  ]
  return what.length === 0 ? [] : [`Left out: ${what.join(", ")}. --import takes this over.`]
}

/** One line each: its name, what it runs or where it is, and the file that names it. */
export function serverLines(servers: readonly FoundServer[]): readonly string[] {
  const width = Math.min(20, Math.max(...servers.map(({ name }) => name.length)))
  return [
    "These MCP servers are named here:",
    ...servers.map(({ name, entry, from }) => {
      const { command, args, url } = entry
      const what = url === undefined ? [command, ...(Array.isArray(args) ? args : [])].join(" ") : url
      return `  ${fitCell(visible(name), width)}  ${visible(String(what))}  (${from})`
    }),
  ]
}
