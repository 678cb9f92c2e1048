// A time zone that does not exist is said where it was written, in every layout that reads it: the clock passes over it.
import { expect, onTestFinished, test } from "vitest"
import { type Diagnostic, sentence } from "../../../src/base/diagnostic.ts"
import { coopSystem } from "../../../src/sources/systems/coop.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { incipitSystem } from "../../../src/sources/systems/incipit-system.ts"
import { moltisSystem } from "../../../src/sources/systems/moltis.ts"
import { osaSystem } from "../../../src/sources/systems/osa.ts"
import type { System } from "../../../src/sources/systems/system.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { makeFolder } from "../folder.ts"

const USER = (zone: string) => `---\nname: Ada\ntimezone: ${zone}\n---\nLikes tea.\n`

function findings(files: Readonly<Record<string, string>>, system: System = incipitSystem, as?: string) {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  for (const [path, text] of Object.entries(files)) folder.write(path, text)
  const workspace = { ...openWorkspace(folder.root, { home: folder.home }), homes: system.homes }
  const agent = gatherAgent(workspace, { system })
  const session = gatherSession(workspace, { system, env: {}, known: agent.value.files, ...(as && { as }) })
  const all: readonly Diagnostic[] = [...agent.diagnostics, ...session.diagnostics]
  return all
    .filter(({ code }) => code === "unknown-time-zone")
    .map((one) => [one.needs, sentence(one)] as const)
}

const SAID = (path: string, value = "Mars/Olympus") =>
  `${path}: "${value}" isn't a time zone, so the clock ignores it. Use a name such as Europe/Stockholm.`

test.each<[string, System, string, string]>([
  ["incipit", incipitSystem, "workspace/USER.md", "USER.md"],
  ["coop", coopSystem, "workspace/USER.md", "USER.md"],
  ["moltis", moltisSystem, "home/.moltis/USER.md", "~/.moltis/USER.md"],
  ["osa", osaSystem, "home/.osa/USER.md", "~/.osa/USER.md"],
])("in the USER.md of %s, to the owner", (_name, system, path, shown) => {
  expect(findings({ [path]: USER("Mars/Olympus") }, system)).toEqual([["full", SAID(shown)]])
})

test("in a person's own file", () => {
  const files = {
    "workspace/incipit.yaml": "users: { jonas: { trust: inner } }\n",
    "workspace/users/jonas/USER.md": USER("CEST+2"),
  }
  expect(findings(files, incipitSystem, "jonas")).toEqual([["full", SAID("users/jonas/USER.md", "CEST+2")]])
})

test("in the configuration, to the owner", () => {
  const files = { "workspace/incipit.yaml": "environment: { timezone: Mars/Olympus }\n" }
  expect(findings(files)).toEqual([["full", SAID("incipit.yaml")]])
})

test.each(["Europe/Stockholm", "UTC", "''", "off"])("not for %j in the configuration", (zone) => {
  expect(findings({ "workspace/incipit.yaml": `environment: { timezone: ${zone} }\n` })).toEqual([])
})

test.each([
  ["Europe/Stockholm", []],
  ["", []],
  ["7", [["full", SAID("USER.md", "7")]]],
  ["[a, b]", [["full", SAID("USER.md", "a list or a map")]]],
])("a file that says %j", (zone, expected) => {
  expect(findings({ "workspace/USER.md": USER(zone) })).toEqual(expected)
})
