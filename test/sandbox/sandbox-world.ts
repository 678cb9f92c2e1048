// A folder with a real sandbox, in which tests run commands. Without bubblewrap these tests are skipped; the global set-up
// says so.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { findBackend } from "../../src/sandbox/backends.ts"
import { type Boxes, createBoxes } from "../../src/sandbox/boxes.ts"
import type { InsideEnd, Sandbox } from "../../src/sandbox/sandbox-state.ts"
import type { SandboxedSession } from "../../src/sandbox/sandboxed-session.ts"
import { createSandboxes, type Sandboxes } from "../../src/sandbox/sandboxes.ts"
import { type SandboxSettings, sandboxSettings } from "../../src/sandbox/settings.ts"
import type { AgentFolders } from "../../src/sandbox/view.ts"
import type { SandboxConfig } from "../../src/sources/config/sandbox/sandbox-schema.ts"

/** Why real commands cannot be tried here; undefined if they can. */
export async function whyNoBubblewrap(): Promise<string | undefined> {
  const settings = sandboxSettings({ backend: "bubblewrap" }, true)
  const found = await findBackend({ settings, notIn: "/nowhere", path: process.env.PATH })
  return found.kind === "missing" ? found.why : undefined
}

export const OWN_SESSION: SandboxedSession = {
  id: "own",
  audience: { trust: "full", situation: "dm", mode: "full" },
  isOwner: true,
}

export interface World {
  /** The workspace, which is the working directory too; a real path. */
  readonly root: string
  /** Beside it: not to be seen. */
  readonly outside: string
  readonly sandboxes: Sandboxes
  readonly boxes: Boxes
  readonly warnings: string[]
  write(path: string, text: string): string
  read(path: string): string
  /** How it ended and what it printed, as one text. */
  run(command: string, session?: SandboxedSession): Promise<string>
  end(command: string, session?: SandboxedSession): Promise<InsideEnd & { readonly text: string }>
  sandbox(session?: SandboxedSession): Promise<Sandbox>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly config?: SandboxConfig
  readonly settings?: Partial<SandboxSettings>
  readonly folders?: Partial<AgentFolders>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
  /** The folder to make it in, if not the one for temporary files. */
  readonly below?: string
}

export function openWorld(options: WorldOptions = {}): World {
  const { config = {}, settings = {}, folders = {}, env = process.env, timeoutMs = 300_000 } = options
  const folder = realpathSync(mkdtempSync(join(options.below ?? tmpdir(), "sandbox-world-")))
  const [root, outside] = [join(folder, "workspace"), join(folder, "outside")]
  mkdirSync(root)
  mkdirSync(outside)
  const boxes = createBoxes()
  const warnings: string[] = []
  const sandboxes = createSandboxes({
    ...{ boxes, env, agent: "main", warn: (text: string) => void warnings.push(text) },
    settings: () => ({ ...sandboxSettings({ mode: "on", ...config }, true), ...settings }),
    folders: () => ({
      ...{ directory: root, workspace: root, others: [], fixed: [], hidden: [], home: undefined },
      ...folders,
    }),
  })
  const sandbox = async (session = OWN_SESSION) => {
    const state = await sandboxes.of(session)
    if (state.kind !== "on") throw new Error(`no sandbox: ${JSON.stringify(state)}`)
    return state
  }
  const end: World["end"] = async (command, session) => {
    let text = ""
    const print = (more: string) => {
      text += more
    }
    const signal = new AbortController().signal
    const ended = await (await sandbox(session)).run({ command, timeoutMs, signal, print })
    return { ...ended, text: text.trimEnd() }
  }
  return {
    ...{ root, outside, sandboxes, boxes, warnings, sandbox, end },
    write(path, text) {
      const full = join(root, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text)
      return full
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    async run(command, session) {
      const { code, signal, isLate, text, notes } = await end(command, session)
      return [`exit ${isLate ? "late" : (code ?? signal)}`, text, ...notes]
        .filter((line) => line !== "")
        .join("\n")
    },
    async close() {
      await boxes.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
