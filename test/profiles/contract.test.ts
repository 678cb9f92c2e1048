// Runs the contract for each profile. A new profile adds its cases: a name and the gathered input.
import { resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { activeTools, type Profile } from "../../src/core/model/profile.ts"
import type { SectionSpec } from "../../src/core/model/section.ts"
import { verbatim } from "../../src/core/write/markup.ts"
import { coop } from "../../src/profiles/coop/coop.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { moltis } from "../../src/profiles/moltis/moltis.ts"
import { nova } from "../../src/profiles/nova/nova.ts"
import { osaBefore } from "../../src/profiles/osa/before.ts"
import { osa } from "../../src/profiles/osa/osa.ts"
import { pi } from "../../src/profiles/pi/pi.ts"
import { coopSystem } from "../../src/sources/systems/coop.ts"
import { incipitSystem } from "../../src/sources/systems/incipit-system.ts"
import { moltisSystem } from "../../src/sources/systems/moltis.ts"
import { novaSystem } from "../../src/sources/systems/nova.ts"
import { osaBeforeSystem, osaSystem } from "../../src/sources/systems/osa.ts"
import { piSystem } from "../../src/sources/systems/pi.ts"
import type { System } from "../../src/sources/systems/system.ts"
import { makeAgent, makeFile, makeSession, makeTurn } from "../core/make.ts"
import { type FolderOptions, gatherFolder } from "./compile-folder.ts"
import { broken, type ContractOptions, type ProfileCase, testProfile } from "./contract.ts"

interface Sample {
  readonly profile: Profile
  readonly system: System
  readonly root: string
  readonly cases: Readonly<Record<string, Partial<FolderOptions>>>
  readonly options?: ContractOptions
}

const FEEDS = {
  tasks: [{ id: "7", title: "Mend the lamp", status: "open", steps: ["Look", "Mend"] }],
  workflow: { name: "Release", steps: ["test", "tag"], current: 1 },
  communication: { formality: "casual", topics: ["boats"] },
  bulletin: ["Storm on Friday."],
  remaining: 118_000,
}

const SAMPLES: readonly Sample[] = [
  {
    profile: incipit,
    system: incipitSystem,
    root: resolve("examples/lighthouse"),
    cases: {
      "the owner": { tools: incipit.tools ?? [], session: { directory: resolve("examples/lighthouse") } },
      "a heartbeat": { session: { situation: "system", background: true } },
      "a stranger": { session: { channel: "telegram:1" } },
    },
  },
  {
    profile: nova,
    system: novaSystem,
    root: resolve("test/fixtures/nova"),
    cases: {
      "everything at once": {
        agent: "nova",
        tools: nova.tools ?? [],
        session: { channel: "telegram", task: "7", background: true, inputs: { memories: ["Given."] } },
        turn: { inputs: { tasks: [{ id: "7", title: "Given." }] } },
      },
      "an agent in a sandbox": { agent: "scribe", session: { background: true, task: "8" } },
      "a legacy agent": { agent: "old-hand" },
    },
  },
  {
    profile: coop,
    system: coopSystem,
    root: resolve("test/fixtures/coop"),
    cases: {
      "the owner": { tools: coop.tools ?? [], turn: { inputs: { remaining: 118_000 } } },
      "a group": { session: { situation: "group" } },
      "a stranger": { session: { channel: "telegram:1" } },
    },
  },
  {
    profile: pi,
    system: piSystem,
    options: { blankLines: "files are told untrimmed, and skills begin with a blank line of their own" },
    root: resolve("test/fixtures/pi"),
    cases: {
      "with its tools": { tools: activeTools(pi), session: { directory: resolve("test/fixtures/pi") } },
      "without tools": { session: { directory: resolve("test/fixtures/pi") } },
      "a stranger": { session: { channel: "telegram:1", directory: resolve("test/fixtures/pi") } },
    },
  },
  {
    profile: moltis,
    system: moltisSystem,
    root: resolve("test/fixtures/moltis/project"),
    cases: {
      "the owner": {
        home: resolve("test/fixtures/moltis/home"),
        tools: moltis.tools ?? [],
        session: { directory: resolve("test/fixtures/moltis/project") },
      },
      "definitions as text": {
        home: resolve("test/fixtures/moltis/home"),
        tools: moltis.tools ?? [],
        toolFormat: "fallback",
      },
      minimal: { home: resolve("test/fixtures/moltis/home"), session: { mode: "minimal" } },
      nothing: {},
    },
  },
  ...[
    { profile: osa, system: osaSystem },
    { profile: osaBefore, system: osaBeforeSystem, options: { page: "osa" } },
  ].map((both) => ({
    ...both,
    root: resolve("test/fixtures/osa/project"),
    cases: {
      "the owner": {
        home: resolve("test/fixtures/osa/home"),
        tools: osa.tools ?? [],
        turn: { message: "please build a new boat!", planMode: true, inputs: FEEDS },
      },
      nothing: {},
    },
  })),
]

for (const { profile, system, root, cases, options } of SAMPLES) {
  const gathered = Object.entries(cases).map(
    ([name, options]): ProfileCase => ({ name, ...gatherFolder({ system, root, ...options }) }),
  )
  testProfile(profile, gathered, options)
}

describe("the contract notices", () => {
  const inputs = {
    agent: makeAgent({ files: [makeFile({ role: "secret", text: "Psst, between us.", trust: "full" })] }),
    session: makeSession({ audience: { trust: "public" } }),
    turn: makeTurn(),
  }
  const stable = (
    id: string,
    text: string,
    facts: Partial<SectionSpec<"stable">> = {},
  ): SectionSpec<"stable"> => {
    const build = () => ({ parts: [{ text }] })
    return { id, pace: "stable", priority: "required", trust: "public", cut: "whole", build, ...facts }
  }
  const made = (...sections: readonly SectionSpec<"stable">[]): Profile => {
    return { name: "made", order: "declared", markup: verbatim, sections }
  }
  let calls = 0
  const counting = () => {
    calls += 1
    return { parts: [{ text: String(calls) }] }
  }
  test.each([
    ["an empty tag", made(stable("a", "<A>\n</A>")), ["an empty tag: <A>\n</A>"]],
    ["blank rubble", made(stable("a", "A.\n\n"), stable("b", "\nB.")), ["a run of 3 line ends"]],
    ["a tool that is not there", made(stable("a", "Use read.")), ["read is spoken of and not registered"]],
    [
      "bytes that differ",
      made(stable("a", "", { build: counting })),
      ["a section that was left out changed the text of others", "the same input gave other bytes"],
    ],
    ["what is hidden", made(stable("a", "Psst, between us.")), ["a hidden file says: Psst, between us."]],
    ["nothing in a good profile", made(stable("a", "A."), stable("b", "\n\nB.")), []],
  ])("%s", (_name, profile, expected) => {
    expect(broken(profile, inputs)).toEqual(expected)
  })
})
