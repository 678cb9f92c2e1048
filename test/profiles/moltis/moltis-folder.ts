// The folder of a Moltis user: a data folder in the home folder, a project, and what is sent from there.
import { basename } from "node:path"
import type { Tool } from "../../../src/core/model/inputs.ts"
import type { Plan } from "../../../src/core/model/plan.ts"
import { moltis } from "../../../src/profiles/moltis/moltis.ts"
import { moltisSystem } from "../../../src/sources/systems/moltis.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { compileFolder, type FolderOptions } from "../compile-folder.ts"

export type MoltisOptions = Partial<Omit<FolderOptions, "profile" | "system">>

export interface MoltisFolder extends Folder {
  /** The folder's own path appears as `/tmp/moltis` in the text. */
  build(options?: MoltisOptions): { readonly text: string; readonly plan: Plan }
  text(options?: MoltisOptions): string
  /** The text of one section, without its separator. */
  section(id: string, options?: MoltisOptions): string | undefined
  outcome(id: string, options?: MoltisOptions): string | undefined
}

export function openMoltis(): MoltisFolder {
  const folder = makeFolder()
  const shown = (text: string) => text.replaceAll(folder.path, "/tmp/moltis")
  const build = (options: MoltisOptions = {}) => {
    const { root, home } = folder
    const prompt = compileFolder({ profile: moltis, system: moltisSystem, root, home, ...options })
    return { text: shown(prompt.text), plan: prompt.plan, prompt }
  }
  return {
    ...folder,
    build,
    text: (options) => build(options).text,
    section: (id, options) => {
      const { plan } = build(options)
      const spans = plan.entries.find((entry) => entry.id === `moltis/${id}`)?.spans ?? []
      const text = spans.map(({ block, start, end }) => plan.blocks[block]?.text.slice(start, end)).join("")
      return spans.length === 0 ? undefined : shown(text).trim()
    },
    outcome: (id, options) =>
      build(options).plan.entries.find((entry) => entry.id === `moltis/${id}`)?.outcome.kind,
  }
}

/** Built-in tools of the profile by name; others get a description made from the name. */
export function toolsNamed(...names: readonly string[]): readonly Tool[] {
  return names.map(
    (name) =>
      moltis.tools?.find((tool) => tool.name === name) ?? {
        name,
        description: `Does ${basename(name)}.`,
        parameters: { type: "object", properties: {} },
      },
  )
}

/** Every kind of file, with realistic content. */
export function fill({ write }: Folder): void {
  write(
    "home/.moltis/IDENTITY.md",
    "---\nname: Rex\nemoji: 🦊\ncreature: fox\nvibe: dry and warm\n---\nNotes.\n",
  )
  write("home/.moltis/SOUL.md", "You are patient.\n\nYou like short answers.\n")
  write("home/.moltis/USER.md", "---\nname: Ada\ntimezone: Europe/Paris\nlocation: Lyon\n---\nLikes tea.\n")
  write("home/.moltis/AGENTS.md", "<!-- for people -->\n<!-- and again -->\n\nAsk before you push.\n")
  write("home/.moltis/TOOLS.md", "Prefer ripgrep.\n")
  write(
    "home/.moltis/skills/commit/SKILL.md",
    "---\nname: commit\ndescription: Create git commits\n---\nLong instructions.\n",
  )
  write(
    "workspace/app/.moltis/skills/bake/SKILL.md",
    "---\nname: bake\ndescription: Build the release\n---\nMore.\n",
  )
  write("workspace/CLAUDE.md", "Everything here is written in Rust.\n")
  write("workspace/app/CLAUDE.md", "Run `just test` before you commit.\n")
  write("workspace/app/CLAUDE.local.md", "My database listens on port 5433.\n")
  write("workspace/app/AGENTS.md", "No new dependencies.\n")
  write("workspace/app/.claude/rules/style.md", "Two spaces.\n")
}
