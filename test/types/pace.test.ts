import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

/** Type-checks a small program and returns what the compiler says, without paths. */
function errorsOf(body: string): readonly string[] {
  const folder = mkdtempSync(join("test", "types", "tmp-"))
  try {
    const head = `import { section, textContent } from "../../../src/public/incipit.ts"\n`
    const common = `id: "x", priority: "low", trust: "public", cut: "whole"`
    writeFileSync(join(folder, "sample.ts"), `${head}section({ ${common}, ${body} })\n`)
    const flags = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--allowImportingTsExtensions",
      "--skipLibCheck",
    ]
    const { stdout } = spawnSync(
      "node_modules/.bin/tsc",
      [...flags, "--ignoreConfig", join(folder, "sample.ts")],
      { encoding: "utf8" },
    )
    return stdout.split("\n").flatMap((line) => /error (TS\d+: .*)$/.exec(line)?.[1] ?? [])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test("a stable section may read the agent", () => {
  expect(errorsOf(`pace: "stable", build: ({ agent }) => textContent(agent.id)`)).toEqual([])
})

test("a stable section that reads the session does not compile", () => {
  expect(errorsOf(`pace: "stable", build: ({ session }) => textContent(session.id)`)).toEqual([
    `TS2339: Property 'session' does not exist on type '{ readonly agent: AgentView; }'.`,
  ])
})

test("a stable section that reads the turn does not compile", () => {
  expect(errorsOf(`pace: "stable", build: (scope) => textContent(String(scope.turn.now))`)).toEqual([
    `TS2339: Property 'turn' does not exist on type '{ readonly agent: AgentView; }'.`,
  ])
})

test("a session section that reads the turn does not compile", () => {
  expect(errorsOf(`pace: "session", build: ({ turn }) => textContent(turn.id)`)).toEqual([
    `TS2339: Property 'turn' does not exist on type '{ readonly agent: AgentView; readonly session: SessionView; }'.`,
  ])
})

test("a turn section may read everything", () => {
  expect(
    errorsOf(
      `pace: "turn", build: ({ agent, session, turn }) => textContent(agent.id + session.id + turn.id)`,
    ),
  ).toEqual([])
})
