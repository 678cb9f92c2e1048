// Addendums: what a workspace says about kinds of machines and single ones, in `addendums/os/<os>.md` and
// `addendums/machine/<host>.md`. Only those of the machine on which the session runs are read.
import { hostname, platform } from "node:os"
import { join } from "node:path"
import type { SourceFile } from "../../core/model/source.ts"
import { type Convention, type FileReader, segment, type Workspace } from "../workspace.ts"

const ADDENDUM: Convention = { role: "addendum", trust: "familiar" }

/** Names that people and Node use for the same system. */
const SYSTEMS: Readonly<Record<string, string>> = { macos: "darwin", win32: "windows" }

/** Of the system, then of the machine. What `environment:` says about the two goes before what is found. */
export function addendumFiles({ folder, config }: Workspace, read: FileReader): readonly SourceFile[] {
  const { os, host } = config.environment ?? {}
  const system = nameOf(os, platform())
  const machine = nameOf(host, hostname())
  const from = (kind: string, name: string) =>
    segment(name) === undefined ? undefined : read(join(folder, "addendums", kind, `${name}.md`), ADDENDUM)
  // A machine has a name in its own network and a whole one; neither file takes the place of the other, since not
  // everybody may see both.
  const names = new Set([machine.split(".", 1)[0] ?? machine, machine])
  return [from("os", SYSTEMS[system] ?? system), ...[...names].map((name) => from("machine", name))].filter(
    (file) => file !== undefined,
  )
}

function nameOf(configured: unknown, found: string): string {
  return (typeof configured === "string" && configured !== "off" ? configured : found).toLowerCase()
}
