// Addendums: what a workspace says about operating systems and single machines, in `addendums/os/<os>.md` and
// `addendums/machine/<host>.md`. Only those for the machine that the session runs on are read.
import { hostname, platform } from "node:os"
import { join } from "node:path"
import type { SourceFile } from "../../core/model/source.ts"
import type { Convention, FileReader } from "../file-reader.ts"
import { segment, type Workspace } from "../workspace.ts"

const ADDENDUM: Convention = { role: "addendum", trust: "familiar" }

/** Maps the names people use, and Node's, to one name for each system. */
const SYSTEMS: Readonly<Record<string, string>> = { macos: "darwin", win32: "windows" }

/** The system's addendum, then the machine's. `environment:` overrides the detected names. */
export function addendumFiles({ folder, config }: Workspace, read: FileReader): readonly SourceFile[] {
  const { os, host } = config.environment ?? {}
  const system = nameOf(os, platform())
  const machine = nameOf(host, hostname())
  const from = (kind: string, name: string) =>
    segment(name) === undefined ? undefined : read(join(folder, "addendums", kind, `${name}.md`), ADDENDUM)
  // A machine has a short and a fully qualified name. Neither file replaces the other, since not every audience may see
  // both.
  const names = new Set([machine.split(".", 1)[0] ?? machine, machine])
  return [from("os", SYSTEMS[system] ?? system), ...[...names].map((name) => from("machine", name))].filter(
    (file) => file !== undefined,
  )
}

function nameOf(configured: unknown, found: string): string {
  return (typeof configured === "string" && configured !== "off" ? configured : found).toLowerCase()
}
