// A temporary folder as pi would find it, filled by hand or from test/fixtures/pi, and the resulting prompt. Its own
// path appears as /folder, so that expected texts are the same on every machine.
import { cpSync } from "node:fs"
import { join } from "node:path"
import { sentence } from "../../../src/base/diagnostic.ts"
import type { Tool } from "../../../src/core/model/inputs.ts"
import { activeTools } from "../../../src/core/model/profile.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { pi } from "../../../src/profiles/pi/pi.ts"
import { piSystem } from "../../../src/sources/systems/pi.ts"
import { makeFolder } from "../../sources/folder.ts"
import { compileFolder, type FolderOptions } from "../compile-folder.ts"

export interface PiOptions extends Partial<Omit<FolderOptions, "system" | "root">> {
  /** Relative to the folder. Default: the workspace. */
  readonly cwd?: string
}

export function openPiFolder() {
  const folder = makeFolder()
  const compile = ({ cwd = "workspace", ...options }: PiOptions = {}): Prompt => {
    const directory = join(folder.path, cwd)
    return compileFolder({
      profile: pi,
      system: piSystem,
      root: directory,
      home: folder.home,
      tools: activeTools(pi),
      ...options,
      session: { directory, ...options.session },
      turn: { timeZone: "America/Chicago", ...options.turn },
    })
  }
  const masked = (text: string) => text.replaceAll(folder.path, "/folder")
  return {
    ...folder,
    compile,
    fill: (fixture: string) => cpSync(`test/fixtures/pi/${fixture}`, folder.path, { recursive: true }),
    skill: (path: string, description: string, more = "") =>
      folder.write(`${path}/SKILL.md`, `---\ndescription: ${description}\n${more}---\n`),
    text: (options?: PiOptions) => masked(compile(options).text),
    /** The text of one section. Undefined if it was left out. */
    section: (id: string, options?: PiOptions) => {
      const { plan } = compile(options)
      const spans = plan.entries.find((entry) => entry.id === id)?.spans ?? []
      const text = spans.map(({ block, start, end }) => plan.blocks[block]?.text.slice(start, end)).join("")
      return spans.length === 0 ? undefined : masked(text)
    },
    findings: (options?: PiOptions) =>
      compile(options)
        .plan.diagnostics.filter(({ code }) => code !== "moving-text")
        .map((finding) => masked(`${finding.code} ${sentence(finding)}`)),
  }
}

/** Tools by name: pi's own, or ones without a snippet. */
export function toolsNamed(...names: readonly string[]): readonly Tool[] {
  return names.map(
    (name) => pi.tools?.find((tool) => tool.name === name) ?? { name, description: "Any.", parameters: {} },
  )
}
