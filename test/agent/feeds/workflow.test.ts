import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openWorkflows } from "../../../src/agent/feeds/workflow.ts"
import { sentence } from "../../../src/base/diagnostic.ts"
import type { Trust } from "../../../src/base/trust.ts"
import { gatherWorkflows } from "../../../src/sources/workflow-files.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { makeFolder } from "../../sources/folder.ts"
import { testStore } from "../world/temporary-store.ts"

const RELEASE = `Text for people.

# Release

How we do it, 1. and 2.

1. Run the tests
   All of them,
   on *both* machines.

   - with logs
2) Tag it

\`\`\`sh
3. not a step
\`\`\`

3. Tell everyone 🎉
`

function workflows({
  who = "ada",
  trust = "full" as Trust,
  store = testStore(),
  folder = makeFolder(),
} = {}) {
  onTestFinished(() => folder.remove())
  const read = () => gatherWorkflows(openWorkspace(folder.root))
  const open = (kept = store.store) => openWorkflows(kept, { agent: "main", who, trust, read })
  return {
    folder,
    store,
    open,
    flows: open(),
    write: (name: string, text: string) => folder.write(`workspace/workflows/${name}`, text),
  }
}

test("a workflow is read from Markdown: numbered lines are steps, what is indented below is notes", async () => {
  const { flows, write } = workflows()
  write("release.md", RELEASE)
  expect(await flows.list()).toEqual({
    value: [
      {
        name: "release",
        path: "workflows/release.md",
        title: "Release",
        trust: "familiar",
        steps: [
          { title: "Run the tests", notes: ["All of them,", "on *both* machines.", "- with logs"] },
          { title: "Tag it", notes: [] },
          { title: "Tell everyone 🎉", notes: [] },
        ],
      },
    ],
    diagnostics: [],
  })
})

test("a workflow is read from YAML, with or without dashes at its top", async () => {
  const { flows, write } = workflows()
  write("a.yaml", 'title: 釈放\nsteps:\n  - one\n  - { title: two, notes: "first\\n\\nthen" }\n')
  write("b.yml", "---\ntrust: inner\nsteps: [only]\n")
  expect(await flows.list()).toEqual({
    value: [
      {
        name: "a",
        path: "workflows/a.yaml",
        title: "釈放",
        trust: "familiar",
        steps: [
          { title: "one", notes: [] },
          { title: "two", notes: ["first", "then"] },
        ],
      },
      {
        name: "b",
        path: "workflows/b.yml",
        title: "b",
        trust: "inner",
        steps: [{ title: "only", notes: [] }],
      },
    ],
    diagnostics: [],
  })
})

test("what is wrong with a file is a diagnostic, and the others still count", async () => {
  const { flows, write } = workflows()
  write("empty.md", "# Nothing\n\n- not numbered\n")
  write("long.md", Array.from({ length: 101 }, (_, at) => `${at + 1}. step`).join("\n"))
  write("odd.yaml", "title: x\nsteps: 7\n")
  write("torn.yaml", "steps:\n  - [\n")
  write("good.md", "1. go\n")
  write("good.yaml", "steps: [other]\n")
  write("notes.txt", "1. not read\n")
  const { value, diagnostics } = await flows.list()
  expect(value.map(({ name, steps }) => [name, steps.length])).toEqual([
    ["good", 1],
    ["long", 100],
  ])
  expect(diagnostics.map(sentence)).toEqual([
    "workflows/empty.md:1: has no numbered steps that start at the left margin; it was left out",
    "workflows/long.md:1: has 101 steps, more than 100; the rest was left out",
    "workflows/odd.yaml:2: steps: must be a list, not 7; it was left out",
    expect.stringMatching(/^workflows\/torn\.yaml:\d+: .*; it was left out$/),
    "workflows/good.yaml: is ignored because workflows/good.md has the same workflow name",
  ])
})

test("one goes through it step by step, in several sessions, and it ends with the last", async () => {
  const { flows, open, store, write } = workflows()
  write("release.md", RELEASE)
  const place = (current: number, step: string, notes: readonly string[] = []) => ({
    title: "Release",
    current,
    of: 3,
    step,
    notes,
    isFinished: false,
  })
  const first = place(1, "Run the tests", ["All of them,", "on *both* machines.", "- with logs"])
  expect([
    await flows.current(),
    await flows.advance(),
    await flows.back(),
    await flows.start("nothing"),
  ]).toEqual(Array(4).fill(undefined))
  expect([await flows.start("release"), await flows.back(), await flows.advance()]).toEqual([
    first,
    first,
    place(2, "Tag it"),
  ])
  const later = open(store.open())
  expect([await later.current(), await later.advance(), await later.back(), await later.advance()]).toEqual([
    place(2, "Tag it"),
    place(3, "Tell everyone 🎉"),
    place(2, "Tag it"),
    place(3, "Tell everyone 🎉"),
  ])
  expect([await later.advance(), await flows.current(), await flows.forPrompt(), await flows.stop()]).toEqual(
    [{ ...place(3, "Tell everyone 🎉"), isFinished: true }, undefined, undefined, false],
  )
})

test("starting another one leaves the first, and stopping leaves none", async () => {
  const { flows, write } = workflows()
  write("a.md", "1. one\n")
  write("b.md", "1. two\n")
  await flows.start("a")
  await flows.start("b")
  expect([await flows.forPrompt(), await flows.stop(), await flows.forPrompt()]).toEqual([
    { name: "b", steps: ["two"], current: 1, notes: [] },
    true,
    undefined,
  ])
})

test.each([
  ["a step was put before it", "1. new\n1. one\n1. two\n1. three\n", 3],
  ["a step before it went", "1. two\n1. three\n", 1],
  ["the same text stands twice: the nearer one", "1. two\n1. x\n1. two\n1. y\n1. z\n", 1],
  ["it was worded anew", "1. one\n1. second\n1. three\n", 2],
  ["most of it went", "1. other\n", 1],
])("the place is kept when %s", async (_what, text, current) => {
  const { flows, write } = workflows()
  write("w.md", "1. one\n1. two\n1. three\n")
  await flows.start("w")
  await flows.advance()
  write("w.md", text)
  expect((await flows.current())?.current).toBe(current)
})

test("who stops leaves the others where they are", async () => {
  const { flows, write, store, folder } = workflows()
  write("release.md", RELEASE)
  const { flows: bobs } = workflows({ who: "bob", store, folder })
  await flows.start("release")
  await bobs.start("release")
  expect([await flows.stop(), await flows.current(), (await bobs.current())?.current]).toEqual([
    true,
    undefined,
    1,
  ])
})

test("of several steps with the same text the nearest to the old place counts", async () => {
  const { flows, write } = workflows()
  write("round.md", "# Round\n\n1. Look\n2. Wait\n3. Walk\n4. Look\n")
  await flows.start("round")
  for (let step = 1; step < 4; step += 1) await flows.advance()
  write("round.md", "# Round\n\n1. Look\n2. Wait\n3. Look\n4. Walk\n")
  expect((await flows.current())?.current).toBe(3)
})

test("a file that is gone keeps its place until it is back", async () => {
  const { flows, folder, write } = workflows()
  write("w.md", "1. one\n2. two\n")
  await flows.start("w")
  await flows.advance()
  rmSync(join(folder.root, "workflows/w.md"))
  expect([
    await flows.forPrompt(),
    await flows.advance(),
    (await flows.list()).diagnostics.map(sentence),
  ]).toEqual([
    undefined,
    undefined,
    ["w: is in progress, but the workflow no longer exists. Its position is kept."],
  ])
  write("w.md", "1. one\n2. two\n")
  expect((await flows.current())?.current).toBe(2)
})

test("who may not see a workflow cannot tell it from one that is not there", async () => {
  const folder = makeFolder()
  const store = testStore()
  const { flows: owners, write } = workflows({ folder, store })
  const friend = workflows({ who: "bob", trust: "familiar", folder, store }).flows
  const tried = async () => ({ list: await friend.list(), started: await friend.start("vault") })
  const nothing = await tried()
  write("vault.md", "---\ntrust: full\n---\n1. open the vault\n")
  write("bad.md", "---\ntrust: full\n---\nno steps\n")
  expect(await tried()).toEqual(nothing)
  expect((await owners.start("vault"))?.step).toBe("open the vault")
  write("vault.yaml", "steps: [paint the vault]\n")
  const steps = [(await friend.start("vault"))?.step, (await owners.start("vault"))?.step]
  expect(steps).toEqual(["paint the vault", "open the vault"])
  expect((await friend.list()).diagnostics).toEqual([])
})
