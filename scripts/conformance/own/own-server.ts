// `incipit serve` as a user starts it, in a small workspace of its own, with a token for its owner.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, "../../../bin/incipit.js")

export interface OwnServer {
  readonly url: string
  readonly secret: string
  readonly workspace: string
  /** Arguments for Node: a command of this program, with the same folders. */
  readonly command: (...args: readonly string[]) => readonly string[]
  /** Without keys of the person who runs this. */
  readonly env: NodeJS.ProcessEnv
  close(): Promise<void>
}

export async function openOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-own-"))
  const workspace = join(folder, "lighthouse")
  writeWorkspace(workspace)
  const flags = ["--workspace", workspace, "--state", join(folder, "state")]
  const env = { PATH: process.env.PATH, HOME: join(folder, "home"), LANG: "C.UTF-8" }
  const command = (...args: readonly string[]) => [PROGRAM, ...args, ...flags]
  const child = spawn(process.execPath, command("serve", "--port", "0", "--json"), {
    ...{ cwd: workspace, env, stdio: ["ignore", "pipe", "inherit"] },
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, "line", { signal: AbortSignal.timeout(START_MS) })
  const adding = command("token", "add", "--json", "--scopes", "read,operate")
  const { stdout } = await run(process.execPath, adding, { env })
  return {
    ...{ workspace, command, env },
    url: JSON.parse(line).url,
    secret: JSON.parse(stdout).token,
    async close() {
      const ended = once(child, "close")
      child.kill("SIGTERM")
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const START_MS = 120_000

const FILES: Readonly<Record<string, string>> = {
  "AGENTS.md": "# The lighthouse\n\nThe lamp is lit at dusk. The keeper writes the log in the morning.\n",
  "skills/tide-table/SKILL.md":
    "---\nname: tide-table\ndescription: Reads the tide table and says when it is safe to land.\n---\nLook at the day's row, and name both high waters.\n",
  "skills/fog-bell/SKILL.md":
    "---\nname: fog-bell\ndescription: Rings the fog bell by hand when the winch has failed.\n---\nRing it twice a minute.\n",
}

function writeWorkspace(folder: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
