import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { atLeast } from "../../../src/base/trust.ts"
import type { Config } from "../../../src/sources/config/config-schema.ts"
import { limitedTo } from "../../../src/sources/config/limited-people.ts"
import { type AudienceQuery, resolveAudience } from "../../../src/sources/config/policy.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"

const CONFIG: Config = {
  users: {
    alice: { trust: "full", match: ["telegram:4711", "terminal:*"] },
    bob: { trust: "familiar", match: ["telegram:4712"] },
    eve: { trust: "fulll" },
  },
  situations: { dm: { ceiling: "full" }, group: { ceiling: "familiar" }, odd: { ceiling: "everyone" } },
}

function resolved(sender: AudienceQuery, config: Config = CONFIG) {
  const { audience, person, diagnostics } = resolveAudience(config, sender, "incipit.yaml")
  return { trust: audience.trust, person, findings: diagnostics.map(({ code }) => code) }
}

test("effective trust is the least of the person's and the situation's", () => {
  expect(resolved({ as: "alice", situation: "dm" })).toEqual({ trust: "full", person: "alice", findings: [] })
  expect(resolved({ as: "alice", situation: "group" })).toEqual({
    trust: "familiar",
    person: "alice",
    findings: [],
  })
  expect(resolved({ as: "bob", situation: "dm" })).toEqual({ trust: "familiar", person: "bob", findings: [] })
})

test("a person is known by an identity on a channel", () => {
  expect(resolved({ channel: "telegram:4711" })).toEqual({ trust: "full", person: "alice", findings: [] })
  expect(resolved({ channel: "telegram:4712" })).toEqual({ trust: "familiar", person: "bob", findings: [] })
})

test("over a channel, an unknown sender is public", () => {
  expect(resolved({ channel: "telegram:1" })).toEqual({ trust: "public", person: undefined, findings: [] })
  expect(resolved({ channel: "telegram:47111" })).toEqual({
    trust: "public",
    person: undefined,
    findings: [],
  })
})

test("the person at a local command line is the owner", () => {
  expect(resolved({})).toEqual({ trust: "full", person: "alice", findings: [] })
  expect(resolved({}, {})).toEqual({ trust: "full", person: undefined, findings: [] })
  expect(resolved({ situation: "group" }, {})).toEqual({ trust: "familiar", person: undefined, findings: [] })
})

test("at a local command line, a channel without an id is where the owner would be", () => {
  const there = { channel: "telegram", isLocal: true }
  expect(resolved(there)).toEqual({ trust: "full", person: "alice", findings: [] })
  expect(resolved(there, {})).toEqual({ trust: "full", person: undefined, findings: [] })
  expect(resolved({ ...there, situation: "group" }, {})).toEqual({
    trust: "familiar",
    person: undefined,
    findings: [],
  })
})

test("a channel without an id is a stranger's where nobody is at the command line", () => {
  expect(resolved({ channel: "telegram" })).toEqual({ trust: "public", person: undefined, findings: [] })
  expect(resolved({ channel: "telegram" }, {}).trust).toBe("public")
})

test("an id is never the owner's for being asked about at the command line", () => {
  for (const channel of ["telegram:1", "telegram:", ":", "web:unknown"])
    expect(resolved({ channel, isLocal: true }, {}).trust).toBe("public")
  expect(resolved({ channel: "telegram:4712", isLocal: true }).person).toBe("bob")
  const users = { crew: { trust: "familiar", match: ["signal*"] } }
  expect(resolved({ channel: "signal", isLocal: true }, { users }).trust).toBe("familiar")
  const rooms = { hall: { trust: "public" } }
  expect(resolved({ channel: "hall", isLocal: true }, { rooms }).trust).toBe("public")
})

test("to name one situation leaves the others as they are", () => {
  const config: Config = { situations: { group: { ceiling: "inner" } } }
  const trusts = ["dm", "group", "system"].map((situation) => resolved({ situation }, config).trust)
  expect(trusts).toEqual(["full", "inner", "full"])
})

test("whatever is unknown or misspelt fails closed, with a diagnostic", () => {
  expect(resolved({ as: "mallory" })).toEqual({
    trust: "public",
    person: "mallory",
    findings: ["unknown-user"],
  })
  expect(resolved({ as: "constructor" })).toEqual({
    trust: "public",
    person: "constructor",
    findings: ["unknown-user"],
  })
  expect(resolved({ as: "eve" })).toEqual({ trust: "public", person: "eve", findings: ["unknown-trust"] })
  expect(resolved({ as: "alice", situation: "party" })).toEqual({
    trust: "public",
    person: "alice",
    findings: ["unknown-situation"],
  })
  expect(resolved({ as: "alice", situation: "odd" })).toEqual({
    trust: "public",
    person: "alice",
    findings: ["unknown-trust"],
  })
  expect(resolved({ situation: "toString" }, {})).toEqual({
    trust: "public",
    person: undefined,
    findings: ["unknown-situation"],
  })
})

test("diagnostics about the configuration are the owner's: they name people and places", () => {
  const odd = { as: "mallory", situation: "party" }
  const { diagnostics } = resolveAudience(CONFIG, odd, "incipit.yaml")
  expect(diagnostics.map(({ code, needs }) => [code, needs])).toEqual([
    ["unknown-situation", "full"],
    ["unknown-user", "full"],
  ])
})

test("a room has one trust for all who are in it, and nobody's own file", () => {
  const config: Config = {
    ...CONFIG,
    rooms: {
      "telegram:-1": { trust: "full" },
      "telegram:-2": { trust: "inner", situation: "dm" },
      "telegram:-3": { trust: "x" },
    },
  }
  const inRoom = (channel: string, as?: string) => {
    const { audience, person, room, isOwner } = resolveAudience(
      config,
      { channel, ...(as && { as }) },
      "incipit.yaml",
    )
    return [audience.trust, audience.situation, person, room, isOwner]
  }
  expect([inRoom("telegram:-1", "alice"), inRoom("telegram:-2"), inRoom("telegram:-3", "alice")]).toEqual([
    ["familiar", "group", undefined, "telegram:-1", false],
    ["inner", "dm", undefined, "telegram:-2", false],
    ["public", "group", undefined, "telegram:-3", false],
  ])
})

test("what the workspace says about its user is about the owner alone", () => {
  const owner = (sender: AudienceQuery) => resolveAudience(CONFIG, sender, "incipit.yaml").isOwner
  expect([owner({}), owner({ as: "alice" }), owner({ as: "bob" }), owner({ channel: "telegram:1" })]).toEqual(
    [true, true, false, false],
  )
})

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "incipit-session-"))
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write(
    "incipit.yaml",
    "users: { bob: { trust: inner } }\nsituations:\n  dm: { ceiling: full }\n  group: { ceiling: familiar, prompt_overlay: ./prompts/group.md }\n  system: { ceiling: full, prompt_overlay: ./prompts/gone.md }\n",
  )
  write("users/bob/USER.md", "Bob")
  write("prompts/group.md", "Rules")
  write("channels/telegram.md", "Format")
  write("HEARTBEAT.md", "Beat")
})

afterEach(() => rmSync(root, { recursive: true }))

function session(sender: AudienceQuery) {
  const { value, diagnostics } = gatherSession(openWorkspace(root), sender)
  return {
    files: value.files.map(({ role, path, trust }) => `${role} ${path} ${trust}`),
    findings: diagnostics.map(({ code }) => code),
  }
}

test("a session brings the person's file, the situation's overlay and the channel's formatting", () => {
  expect(session({ as: "bob", situation: "group", channel: "telegram:42" })).toEqual({
    files: [
      "user users/bob/USER.md inner",
      "situation prompts/group.md public",
      "channel channels/telegram.md public",
    ],
    findings: [],
  })
})

test("periodic tasks belong to the system; an overlay that is not there is a diagnostic", () => {
  expect(session({ situation: "system" })).toEqual({
    files: ["heartbeat HEARTBEAT.md full"],
    findings: ["overlay-missing"],
  })
})

test("a name cannot lead out of the workspace", () => {
  writeFileSync(join(root, "SECRET.md"), "x")
  const names = ["..", ".", "../SECRET", "a/../../SECRET", "", "x\u0000"]
  expect(names.flatMap((name) => session({ as: name, channel: `${name}:1` }).files)).toEqual([])
})

test("limited to another configuration, nobody has more trust than in either, and strangers stay strangers", () => {
  const trust = fc.constantFrom("public", "familiar", "full")
  const match = fc.subarray(["chat:1", "chat:2", "chat:*", "terminal:*"])
  const few = { maxKeys: 3 }
  const config: fc.Arbitrary<Config> = fc.record({
    users: fc.dictionary(fc.constantFrom("ada", "bob", "cleo"), fc.record({ trust, match }), few),
    rooms: fc.dictionary(
      fc.constantFrom("chat:1", "chat:2"),
      fc.record({ trust, situation: fc.constantFrom("dm", "group", "yard") }),
      few,
    ),
    situations: fc.dictionary(fc.constantFrom("dm", "group", "yard"), fc.record({ ceiling: trust }), few),
  })
  const sender = fc.record(
    {
      as: fc.constantFrom("ada", "bob"),
      channel: fc.constantFrom("chat:1", "chat:2"),
      situation: fc.constantFrom("dm", "yard"),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(config, config, sender, (now, approved, from) => {
      const [limited, ...both] = [limitedTo(now, approved), now, approved].map((one) =>
        resolveAudience(one, from, "incipit.yaml"),
      )
      for (const one of both)
        expect(atLeast(one.audience.trust, limited?.audience.trust ?? "full")).toBe(true)
      expect([undefined, both[1]?.person]).toContain(limited?.person)
      expect(resolveAudience(limitedTo(now, now), from, "incipit.yaml")).toEqual(both[0])
    }),
    { numRuns: 300 },
  )
})
