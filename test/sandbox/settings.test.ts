// The settings of the sandbox: what counts before they are approved, and the older form of them.

import { join } from "node:path"
import { expect, test } from "vitest"
import { isSandboxed } from "../../src/sandbox/sandboxed-session.ts"
import { sandboxSettings } from "../../src/sandbox/settings.ts"
import { loadConfig } from "../../src/sources/config/config.ts"
import { sandboxBefore } from "../../src/sources/config/sandbox/sandbox-before.ts"
import { type SandboxConfig, sandboxSchema } from "../../src/sources/config/sandbox/sandbox-schema.ts"
import { makeFolder } from "../sources/folder.ts"

const WIDE: SandboxConfig = {
  mode: "on",
  backend: "docker",
  ...{
    image: "debian",
    workspace: "read-only",
    read: ["~"],
    write: ["/srv"],
    network: "on",
    allow: ["example.org"],
  },
  ...{ required: true, env: ["KEY"], ask: false, leave: ["git push *"], limits: { processes: 9_999 } },
}

test("what is not approved only restricts", () => {
  expect(sandboxSettings(WIDE, false)).toEqual({
    ...sandboxSettings({ backend: "docker" }, true),
    ...{ mode: "on", workspace: "read-only", required: true, asks: true },
  })
  expect(sandboxSettings(WIDE, true)).toMatchObject({
    network: "on",
    env: ["KEY"],
    asks: false,
    write: ["/srv"],
  })
  expect(sandboxSettings({ mode: true, network: false, backend: "auto" }, false)).toMatchObject({
    ...{ mode: "on", network: "off", backend: "bubblewrap" },
  })
})

test.each([
  [{ allow: ["http://example.org"] }],
  [{ allow: ["example.org:1:2"] }],
  [{ image: "--privileged" }],
  [{ env: ["A=B"] }],
  [{ leave: ["rm *; true"] }],
  [{ leave: ["* push"] }],
  [{ limits: { processes: 1 } }],
])("%j is refused", (config) => {
  expect(sandboxSchema.safeParse(config).success).toBe(false)
})

test("the owner's own session is the main one", () => {
  const own = { id: "a", isOwner: true, audience: { trust: "full", situation: "dm", mode: "full" } } as const
  const others = [
    { ...own, isOwner: false },
    { ...own, background: true },
    { ...own, audience: { ...own.audience, situation: "system" } },
    { ...own, audience: { ...own.audience, situation: "group" } },
    { ...own, audience: { ...own.audience, mode: "subagent" } },
    { ...own, audience: { ...own.audience, trust: "inner" } },
  ] as const
  const inside = (mode: "off" | "on" | "non-main") =>
    [own, ...others].map((one) => isSandboxed({ mode }, one))
  expect([inside("off"), inside("on")]).toEqual([Array(7).fill(false), Array(7).fill(true)])
  expect(inside("non-main")).toEqual([false, true, true, true, true, true, true])
})

test("the older form under `environment` is understood, with a warning", () => {
  const folder = makeFolder()
  const path = folder.write(
    "incipit.yaml",
    "model: offline\nenvironment:\n  host: box\n  sandbox: { enabled: true, mode: all, backend: docker, workspace_mount: ro, network: disabled, image: x, more: 1 }\n",
  )
  const { config, diagnostics } = loadConfig(path ?? join(folder.path, "incipit.yaml"), "incipit.yaml")
  expect(config.sandbox).toEqual({
    ...{ mode: "on", backend: "docker", workspace: "read-only", network: "off", image: "x" },
  })
  expect(diagnostics).toEqual([
    {
      code: "renamed-key",
      path: "incipit.yaml",
      line: 4,
      was: "environment.sandbox",
      now: "sandbox",
      needs: "full",
    },
  ])
  expect([
    sandboxBefore({ enabled: false, mode: "all" }),
    sandboxBefore("docker"),
    sandboxBefore({}),
  ]).toEqual([undefined, undefined, { mode: "on" }])
  folder.remove()
})
