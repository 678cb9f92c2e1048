// Where the user is, as a browser would say: a scope file may hold it, and it goes to the facts about the session.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readScope } from "../../../src/cli/command-line/inputs.ts"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-scope-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const scope = (value: unknown) => {
  const path = join(folder, "scope.json")
  writeFileSync(path, JSON.stringify(value))
  return readScope(path)
}

test("time zone, language and place are in the prompt and move the clock", () => {
  const given = { timezone: "Asia/Tokyo", accept_language: "ja", location: "Osaka", memories: ["A."] }
  const { place, session: inputs } = scope(given)
  expect(inputs).toEqual({ memories: ["A."] })
  const workspace = openWorkspace(folder)
  const { value: agent } = gatherAgent(workspace)
  const { value: session } = gatherSession(workspace, { place, inputs, env: {}, timeZone: "UTC" })
  const turn = { id: "1", now: Date.UTC(2026, 5, 15, 20), timeZone: "UTC" }
  const head = createCompiler({ profile: incipit, counter: o200k }).head(agent, session, {})
  const { text, tail } = head.step(turn, {})
  expect(session.environment).toMatchObject({
    timezone: "Asia/Tokyo",
    accept_language: "ja",
    location: "Osaka",
  })
  expect(`${text}${tail?.text ?? ""}`).toMatch(/05:00 \(Asia\/Tokyo\)|05:00.*Asia\/Tokyo/)
})

test("a custom profile gets its inputs, whatever their pace", () => {
  const { place, session, turn } = scope({ harbour: "Skagen", tide: 1.2, message: "Hi.", location: "Osaka" })
  const others = { harbour: "Skagen", tide: 1.2 }
  expect({ place, session, turn }).toEqual({
    place: { location: "Osaka" },
    session: others,
    turn: { ...others, message: "Hi." },
  })
})

test.each([
  [{ timezone: "Mars/Olympus" }, /"Mars\/Olympus" isn't a time zone; use a name such as Europe\/Oslo/],
  [{ location: 7 }, /"location" must be a string/],
])("what cannot be used is said: %j", (value, message) => {
  expect(() => scope(value)).toThrow(message)
})
