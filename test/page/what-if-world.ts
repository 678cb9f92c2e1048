// The lighthouse of the examples, served for What if: its clock can be set, and its files can be changed.
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import type { Scope } from "../../src/serve/auth/caller.ts"
import type {
  WhatIfAsked,
  WhatIfChanges,
  WhatIfInput,
  WhatIfPatch,
} from "../../src/serve/page/what-if/what-if-shown.ts"
import { toolFormatOf } from "../../src/workspace/tool-format.ts"
import { openWholeGateway, type WholeGateway } from "../serve/whole-gateway.ts"

export const MORNING = Date.UTC(2026, 10, 18, 9, 14)

export interface WhatIfWorld extends WholeGateway {
  readonly workspace: string
  read(path: string): string
  write(path: string, text: string): void
  setTime(at: number): void
  /** As the owner with all scopes, unless another token is given. */
  post(path: string, body: unknown, token?: string): Promise<Response>
  input(asked?: WhatIfAsked): Promise<WhatIfInput>
  patch(changes: WhatIfChanges, asked?: WhatIfAsked): Promise<WhatIfPatch>
  /** Runs the real `git apply` in the workspace. */
  gitApply(patch: string, ...flags: readonly string[]): void
  /** Ends the gateway and opens another one on the same folder, with another model. */
  again(model: string): Promise<WhatIfWorld>
}

export interface WhatIfWorldOptions {
  /** Files to write into the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** In the place of the one of incipit.yaml. */
  readonly profile?: Profile
}

const SCOPES: readonly Scope[] = ["talk", "read", "operate"]

export async function openWhatIfWorld({
  files = {},
  profile,
}: WhatIfWorldOptions = {}): Promise<WhatIfWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-what-if-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, "workspace")
  cpSync("examples/lighthouse", workspace, { recursive: true })
  for (const name of ["home", "state"]) mkdirSync(join(folder, name))
  for (const [path, text] of Object.entries(files)) put(join(workspace, path), text)
  return openOn(folder, { standsFor: "anthropic/claude-sonnet-5-5", profile })
}

interface Opened {
  readonly standsFor: string
  readonly profile: Profile | undefined
}

async function openOn(folder: string, { standsFor, profile }: Opened): Promise<WhatIfWorld> {
  const workspace = join(folder, "workspace")
  let time = MORNING
  const model = { ...offlineModel({ standsFor }), toolFormat: toolFormatOf(standsFor, {}) }
  const gateway = await openWholeGateway({
    ...{ folder, model, env: {}, now: () => time, timeZone: "Europe/Stockholm" },
    ...(profile && { profile }),
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await gateway.close()
    isOpen = false
  }
  onTestFinished(close)
  const own = await gateway.token(undefined, "dm", SCOPES)
  const post = (path: string, body: unknown, token = own) =>
    fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  const answered = async (path: string, body: unknown) => {
    const response = await post(path, body)
    if (!response.ok) throw new Error(await response.text())
    // The routes check what they answer against the same types.
    return (await response.json()) as never
  }
  return {
    ...{ ...gateway, workspace, post, close },
    read: (path) => readFileSync(join(workspace, path), "utf8"),
    write: (path, text) => put(join(workspace, path), text),
    setTime: (at) => {
      time = at
    },
    input: (asked = {}) => answered("/api/what-if", asked),
    patch: (changes, asked = {}) => answered("/api/what-if/patch", { ...asked, changes }),
    gitApply: (patch, ...flags) => {
      execFileSync("git", ["apply", ...flags, "-"], { cwd: workspace, input: patch, stdio: "pipe" })
    },
    async again(next) {
      await close()
      return openOn(folder, { standsFor: next, profile })
    },
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
