// Every line that a prompt has about the sandbox is compared with what is found by trying under bubblewrap: for every
// combination of the settings in `npm run soak`, and here for a third of them, in which each two values meet.
import process from "node:process"
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { SHELL } from "../../src/profiles/incipit/tools/agent.ts"
import { moltis } from "../../src/profiles/moltis/moltis.ts"
import { proofs } from "../../src/sandbox/check/proofs.ts"
import { protections } from "../../src/sandbox/check/protections.ts"
import { withSandbox } from "../../src/sandbox/in-prompt.ts"
import type { SandboxedSession } from "../../src/sandbox/sandboxed-session.ts"
import { createSandboxes } from "../../src/sandbox/sandboxes.ts"
import { sandboxSettings } from "../../src/sandbox/settings.ts"
import {
  SANDBOX_MODES,
  SANDBOX_NETWORKS,
  SANDBOX_SCOPES,
  SANDBOX_WORKSPACES,
  type SandboxConfig,
} from "../../src/sources/config/sandbox/sandbox-schema.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeSession, makeTurn } from "../core/make.ts"
import { IS_LONG } from "../long.ts"
import { OWN_SESSION, openWorld, type World, whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()

const ROOM: SandboxedSession = {
  id: "room",
  audience: { trust: "full", situation: "group", mode: "full" },
  isOwner: false,
}

interface Lines {
  readonly incipit: string | undefined
  readonly moltis: string | undefined
  readonly tool: string | undefined
}

/** What the prompts of a session say. */
async function linesOf(world: World, who: SandboxedSession): Promise<Lines> {
  const agent = makeAgent({ tools: [SHELL] })
  const session = makeSession({ ...who, environment: { os: "linux" } })
  const input = await withSandbox({ agent, session }, world.sandboxes)
  const lineIn = (profile: typeof incipit, pattern: RegExp) => {
    const head = createCompiler({ profile, counter: o200k }).head(input.agent, input.session)
    return pattern.exec(head.step(makeTurn()).text)?.[1]
  }
  return {
    incipit: lineIn(incipit, /^Sandbox: (.*)$/m),
    moltis: lineIn(moltis, /^Sandbox\(shell\): (.*)$/m),
    tool: input.agent.tools?.[0]?.description,
  }
}

const SCOPED = SANDBOX_SCOPES.flatMap((scope, first) =>
  SANDBOX_WORKSPACES.flatMap((workspace, second) =>
    SANDBOX_NETWORKS.map((network, third) => ({
      config: { scope, workspace, network },
      isProved: IS_LONG || (first + second + third) % 3 === 0,
    })),
  ),
)

const MOUNTS = { "read-only": "ro", "read-write": "rw", none: "none" }
const NETWORKS = { off: "disabled", "allow-list": "allow-list", on: "enabled" }

describe.skipIf(WHY_NOT !== undefined)("the lines of the prompt", () => {
  test.each(SCOPED)("hold: %j", async ({ config, isProved }) => {
    for (const mode of SANDBOX_MODES) {
      const world = openWorld({ config: { ...config, mode, allow: ["example.org"] } })
      const [own, room] = [await linesOf(world, OWN_SESSION), await linesOf(world, ROOM)]
      const facts = [`mode=${mode}`, "backend=bubblewrap"]
      const rest = Object.entries(config).map(([key, value]) => `${key}=${value}`)
      const said = {
        incipit: [...facts, ...rest].join(" | "),
        moltis: `enabled=true | mode=${mode === "on" ? "all" : mode} | backend=bubblewrap | scope=${config.scope} | workspace_mount=${MOUNTS[config.workspace]} | network=${NETWORKS[config.network]}`,
        tool: expect.stringContaining("in the sandbox"),
      }
      const none = { incipit: undefined, moltis: undefined, tool: SHELL.description }
      expect([own, room]).toEqual([mode === "on" ? said : none, mode === "off" ? none : said])
      if (mode === "on" && isProved) await provesAll(world, config)
      await world.close()
    }
  })

  test("what has no line is proved as well", async () => {
    const world = openWorld({ settings: { limits: SMALL } })
    const found = await protections(await world.sandbox(), process.env.HOME)
    expect(found.filter((one) => one.said !== one.found)).toEqual([])
    expect(found.map(({ fact }) => fact)).toContain("processes")
    await world.close()
  })

  test("a proof fails where its line does not hold", async () => {
    const world = openWorld({ config: { network: "on", workspace: "read-only" } })
    const honest = await world.sandbox()
    const facts = { ...honest.facts, network: "off", workspace: "read-write", scope: "agent" } as const
    const found = await proofs({
      sandbox: { ...honest, facts },
      others: { session: await world.sandbox({ ...OWN_SESSION, id: "b" }), agent: await world.sandbox(ROOM) },
      directory: world.root,
    })
    expect(found.filter((one) => one.said !== one.found).map(({ fact }) => fact)).toEqual([
      "scope",
      "workspace",
      "network",
    ])
    await world.close()
  })

  test("nothing is said of a sandbox that cannot be had, and commands are refused if it is required", async () => {
    for (const required of [false, true]) {
      const config = { mode: "on", backend: "podman", image: "no-such-image", required } as const
      const world = openWorld({ config, env: { PATH: "/nowhere" } })
      expect(await linesOf(world, OWN_SESSION)).toEqual({
        incipit: undefined,
        moltis: undefined,
        tool: SHELL.description,
      })
      expect(await world.sandboxes.of(OWN_SESSION)).toEqual({
        kind: "missing",
        why: "podman is not installed",
        isRequired: required,
      })
      const instead = required ? "Commands are refused." : "Commands run on the host, after a question."
      expect(world.warnings).toEqual([`The sandbox cannot be set up: podman is not installed. ${instead}`])
      await world.close()
    }
  })
})

async function provesAll(world: World, config: SandboxConfig): Promise<void> {
  const elsewhere = createSandboxes({
    ...{ boxes: world.boxes, env: process.env, agent: "other", warn: () => {} },
    settings: () => sandboxSettings({ mode: "on", ...config, allow: ["example.org"] }, true),
    folders: () => ({
      ...{ directory: world.root, workspace: world.root, others: [], fixed: [], hidden: [], home: undefined },
    }),
  })
  const agent = await elsewhere.of({ ...OWN_SESSION, id: "c" })
  if (agent.kind !== "on") throw new Error("no sandbox")
  const found = await proofs({
    sandbox: await world.sandbox(),
    others: { session: await world.sandbox({ ...OWN_SESSION, id: "b" }), agent },
    directory: world.root,
  })
  expect(found.map(({ fact }) => fact)).toEqual(["backend", "scope", "workspace", "network"])
  for (const { fact, said, found: is } of found) expect([fact, is]).toEqual([fact, said])
}

const SMALL = {
  ...{ memoryBytes: 400_000_000, processes: 60, fileBytes: 30_000_000 },
  ...{ tmpBytes: 20_000_000, outputBytes: 10_000_000 },
}
