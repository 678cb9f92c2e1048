// A process is killed around every change of its store while a message steers its turn, while its session is forked, and
// while it waits for its client's tools. Another one goes on: nothing is lost, and nothing was done twice.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, expect, test } from "vitest"
import { call, inStore, say, server, transcript, workspace } from "../agent/world/agent-world.ts"
import type { Json } from "../agent/world/servers/refusals.ts"
import type { Script } from "../agent/world/servers/script.ts"
import type { ProviderServer } from "../agent/world/servers/server.ts"
import { bundled } from "../bundled.ts"
import { noteFigures } from "../figures.ts"
import { tell } from "./turn-child.ts"

const PROGRAM = await bundled("test/soak/turn-child.ts")
const COMPILED = mkdtempSync(join(tmpdir(), "incipit-compiled-"))
afterAll(() => rmSync(COMPILED, { recursive: true, force: true }))

/** By what the conversation holds, since a step may be asked for twice. */
function script({ body }: { readonly body: Json }): Script {
  const text = JSON.stringify(body.messages)
  const used = (name: string) => text.includes(`"name":"${name}"`)
  if (text.includes('"text":"Ring."')) return used("ring") ? say("It rang.") : call(["ring", {}])
  return used("paint") ? say("Painted.") : call(["paint", {}])
}

async function killedAt(root: string, from: ProviderServer, at: string): Promise<string> {
  const child = spawn("node", [PROGRAM, root, at], {
    env: { ...process.env, ...from.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let printed = ""
  child.stdout.on("data", (data) => {
    printed += data
  })
  await once(child, "close")
  return printed.trim()
}

interface Told {
  readonly session: string
  readonly state: string
}

function check(root: string): void {
  const lines = readFileSync(join(root, "told"), "utf8").trim().split("\n")
  const last = JSON.parse(lines.at(-1) ?? "{}") as Record<"first" | "second" | "end", Told>
  expect(Object.values(last).map(({ state }) => state)).toEqual(["answered", "answered", "answered"])
  const said = transcript(root, last.first.session)
  // A call that may have been run is not run again, and the model is told.
  const isDoubtful = said.some((line) => line.startsWith("error: This was interrupted"))
  const acts = existsSync(join(root, "acts")) ? readFileSync(join(root, "acts"), "utf8") : ""
  expect(acts === "paint\n" || (acts === "" && isDoubtful)).toBe(true)
  for (const text of ["user: Paint the door.", "user: And the gate.", "calls paint {}"])
    expect(said.filter((line) => line === text)).toEqual([text])
  const branch = transcript(root, last.end.session)
  expect(
    branch.map((line) => line.replaceAll(/<branch-summary>[\s\S]*<\/branch-summary>/g, "(left)")),
  ).toEqual([...["user: (left)", "user: Ring.", "calls ring {}", "result: rang", "assistant: It rang."]])
  const open = "SELECT state FROM inbox WHERE state NOT IN ('done', 'joined')"
  expect(inStore(root, (store) => store.all(open))).toEqual([])
  expect(inStore(root, (store) => store.all("SELECT 1 FROM waits"))).toEqual([])
  const forks = inStore(root, (store) => store.all("SELECT session_id FROM branches"))
  for (const { session_id: fork } of forks)
    expect(transcript(root, String(fork))[0]).toContain("branch-summary")
}

test("killed while it is steered, forked, or waits for its client", { timeout: 900_000 }, async (context) => {
  const where = new Set<string>()
  let killed = 0
  for (let n = 1; ; n += 1) {
    const kills = await Promise.all(
      ["before", "after"].map(async (kind) => {
        const root = workspace()
        const from = await server(script)
        const at = await killedAt(root, from, `${kind} ${n}`)
        if (at !== "completed") await tell(root, from.env)
        check(root)
        return at
      }),
    )
    for (const at of kills) where.add(at)
    killed += kills.filter((at) => at !== "completed").length
    if (kills.every((at) => at === "completed")) break
  }
  noteFigures(context, { kills: killed })
  const calls = ["steering.take", "transcripts.fork", "waits.suspend", "waits.resolve", "transcripts.change"]
  const expected = calls.flatMap((name) => [`before ${name}`, `after ${name}`])
  expect(expected.filter((at) => !where.has(at))).toEqual([])
})
