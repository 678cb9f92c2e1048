import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { plansInFolder } from "../../../src/agent/feeds/plan-files.ts"
import { type PlanFile, planFrom, planName, shouldPropose } from "../../../src/agent/feeds/plan-text.ts"
import { openPlans } from "../../../src/agent/feeds/plans.ts"
import { sentence } from "../../../src/base/diagnostic.ts"
import { PLAN_MODE } from "../../../src/profiles/incipit/text.ts"
import { makeFolder } from "../../sources/folder.ts"
import { NOON } from "../world/temporary-store.ts"

const TEXT = `# Plan: Mend the lamp 🏮
## Steps
1. Look at it (lamp.md)
2. Mend it
## Risks
- It is hot
## Check
- It shines`
const ANSWER = `I looked around.\n\n${TEXT}\n`

function plans(who = "owner", folder = makeFolder()) {
  onTestFinished(() => folder.remove())
  return {
    folder,
    plans: openPlans({
      store: plansInFolder(folder.root),
      who,
      trust: who === "owner" ? "full" : "familiar",
      now: () => NOON,
    }),
    at: join(folder.root, ".incipit/plans"),
  }
}

test.each([
  ["Build a new API for the harbour with tests, docs and a command line, and migrate all data", true],
  ["build a whole new billing system for the trust", true],
  [
    "Now fix the lamp immediately, it is urgent and critical and the whole island is waiting for the light!",
    false,
  ],
  ["Build it", false],
  [
    "What would it take to build a new API for the harbour, with tests, documents, a command line and data?",
    false,
  ],
  [
    "/urgent build a new API for the harbour with tests, docs and a command line, and migrate all of the data",
    false,
  ],
])("whether a plan comes first: %s", (message, expected) => {
  expect(shouldPropose(message)).toBe(expected)
})

test("carrying a plan out asks for no other plan", () => {
  const { plans: ada } = plans()
  const { name } = ada.save({ goal: "Build the new harbour", text: TEXT }, "s1")
  ada.approve(name)
  const message = ada.resume(name)
  expect(message).toBe(
    `Carry out this approved plan. Keep to it; if it turns out wrong, stop and say why.\n\n${TEXT}`,
  )
  const large = "Refactor the whole payment module."
  expect([large, `${message}\n${large}`].map(shouldPropose)).toEqual([true, false])
})

test.each([
  ["the text around it", ANSWER, TEXT],
  ["a fence", `Here:\n\`\`\`markdown\n${TEXT}\n\`\`\`\nGood to go?`, TEXT],
  ["a heading after it", `${TEXT}\n\n# Notes\nmore`, TEXT],
  ["line ends of Windows", ANSWER.replaceAll("\n", "\r\n"), TEXT],
  ["another plan before it", `# Plan: Old\n## Steps\n1. a\n\n${TEXT}`, TEXT],
  ["no steps", "# Plan: Nothing\n## Steps\n- none\n", undefined],
  ["no goal", "# Plan:\n## Steps\n1. a\n", undefined],
  ["the form that is asked for", PLAN_MODE, PLAN_MODE.slice(PLAN_MODE.indexOf("# Plan:"))],
  ["no plan", "I changed nothing.", undefined],
])("a plan is found with %s", (_what, answer, expected) => {
  expect(planFrom(answer)?.text).toBe(expected)
})

test.each([
  ["Mend the lamp 🏮", "2026-06-15-mend-the-lamp"],
  ["../../etc/passwd", "2026-06-15-etc-passwd"],
  ["灯台を直す", "2026-06-15-灯台を直す"],
  ["🏮", "2026-06-15-plan"],
  ["x".repeat(99), `2026-06-15-${"x".repeat(40)}`],
])("the name of %j", (goal, expected) => {
  expect(planName(goal, NOON)).toBe(expected)
})

test("a plan is proposed, approved, changed and done, in a file that people can read", () => {
  const { plans: ada, at } = plans()
  const file = () => readFileSync(join(at, "2026-06-15-mend-the-lamp.md"), "utf8")
  const found = planFrom(ANSWER)
  if (found === undefined) throw new Error("there is a plan")
  const plan = {
    name: "2026-06-15-mend-the-lamp",
    status: "proposed",
    who: "owner",
    session: 'odd: "s1"',
    created: NOON,
    goal: "Mend the lamp 🏮",
    text: TEXT,
  }
  const head = `who: "owner"\nsession: "odd: \\"s1\\""\ncreated: "2026-06-15T12:00:00.000Z"\n`
  expect(ada.save(found, 'odd: "s1"')).toEqual(plan)
  expect([file(), ada.list()]).toEqual([
    `---\nstatus: proposed\n${head}---\n${TEXT}\n`,
    { value: [plan], diagnostics: [] },
  ])
  const approved = ada.approve(plan.name)
  expect([approved.status, ada.list().value]).toEqual(["approved", [approved]])
  const other = TEXT.replace("Mend it", "Replace it")
  expect(ada.change(plan.name, other)).toEqual({ ...plan, status: "changed", text: other })
  expect(file()).toBe(`---\nstatus: changed\n${head}---\n${other}\n`)
  expect(() => ada.resume(plan.name)).toThrow(expect.objectContaining({ code: "plan-not-approved" }))
  expect(() => ada.change(plan.name, "nothing")).toThrow(expect.objectContaining({ code: "bad-argument" }))
  ada.approve(plan.name)
  expect([ada.markDone(plan.name), ada.list().value, readdirSync(at)]).toEqual([
    { ...plan, status: "done", text: other },
    [{ ...plan, status: "done", text: other }],
    ["2026-06-15-mend-the-lamp.md"],
  ])
})

test("what one has left that died under the same number is in nobody's way", () => {
  const { plans: ada, at } = plans()
  mkdirSync(at, { recursive: true })
  for (let number = 1; number <= 100; number += 1)
    writeFileSync(join(at, `.${process.pid}-${number}.tmp`), "half a pl")
  const { name } = ada.save({ goal: "Mend the lamp", text: TEXT }, "s1")
  expect(ada.list().value.map((plan) => [plan.name, plan.text])).toEqual([[name, TEXT]])
})

test("two plans of one name on one day are two files", () => {
  const { plans: ada, at } = plans()
  const names = [1, 2, 3].map(() => ada.save({ goal: "Mend", text: TEXT }, "s").name)
  expect([names, readdirSync(at)]).toEqual([
    ["2026-06-15-mend", "2026-06-15-mend-2", "2026-06-15-mend-3"],
    ["2026-06-15-mend-2.md", "2026-06-15-mend-3.md", "2026-06-15-mend.md"],
  ])
})

test("a plan that was edited by hand after it was approved is not approved any more", () => {
  const { plans: ada, at } = plans()
  const { name } = ada.save({ goal: "Mend", text: TEXT }, "s")
  ada.approve(name)
  const path = join(at, `${name}.md`)
  writeFileSync(path, readFileSync(path, "utf8").replace("Mend it", "Burn it"))
  expect(ada.list().diagnostics.map(sentence)).toEqual([
    ".incipit/plans/2026-06-15-mend.md: was edited after it was approved. Approve it again.",
  ])
  expect(() => ada.resume(name)).toThrow(expect.objectContaining({ code: "plan-not-approved" }))
  ada.approve(name)
  expect(ada.resume(name)).toMatch(/Burn it/)
})

test("plans are listed oldest first, also those of one name and one moment", () => {
  const { plans: ada, at } = plans()
  const names = Array.from({ length: 11 }, () => ada.save({ goal: "Mend", text: TEXT }, "s").name)
  const { name: early } = ada.save({ goal: "Zinc", text: TEXT }, "s")
  const path = join(at, `${early}.md`)
  writeFileSync(path, readFileSync(path, "utf8").replace("12:00:00", "11:00:00"))
  expect(ada.list().value.map((plan) => plan.name)).toEqual([early, ...names])
})

test("only the text that was read is approved, in one read", () => {
  const { plans: ada, at } = plans()
  const { name } = ada.save({ goal: "Mend", text: TEXT }, "s")
  const path = join(at, `${name}.md`)
  const other = TEXT.replace("Mend it", "Burn it")
  writeFileSync(path, readFileSync(path, "utf8").replace("Mend it", "Burn it"))
  expect(() => ada.approve(name, { text: TEXT })).toThrow(
    expect.objectContaining({ code: "plan-not-approved" }),
  )
  expect(readFileSync(path, "utf8")).toMatch(/^---\nstatus: proposed\n/)
  let reads = 0
  const [plan] = ada.list().value
  if (plan === undefined) throw new Error("there is a plan")
  // Another text each time.
  const list = () => ({ value: [{ ...plan, text: reads++ === 0 ? other : TEXT }], diagnostics: [] })
  const written: unknown[] = []
  const store = { list, add: () => true, replace: (one: PlanFile) => void written.push(one.text) }
  const restless = openPlans({ store, who: "owner", trust: "full", now: () => NOON })
  expect([restless.approve(name, { text: other }).text, written]).toEqual([other, [other]])
})

test("when its session was last used is kept with an approved plan, until it is changed or done", () => {
  const { plans: ada, at } = plans()
  const { name } = ada.save({ goal: "Mend", text: TEXT }, "s")
  const read = { text: TEXT, usedAt: NOON + 7 }
  const used = () => /^used: .*$/m.exec(readFileSync(join(at, `${name}.md`), "utf8"))?.[0]
  ada.approve(name, read)
  expect([used(), ada.list().value[0]?.usedAt]).toEqual(['used: "2026-06-15T12:00:00.007Z"', NOON + 7])
  ada.change(name, TEXT)
  expect(used()).toBeUndefined()
  ada.approve(name, read)
  ada.approve(name)
  expect(used()).toBeUndefined()
  ada.approve(name, read)
  ada.markDone(name)
  expect(used()).toBeUndefined()
})

test("files are read again once they have changed, and one changed a moment ago always", () => {
  const folder = makeFolder()
  const { plans: ada, at } = plans("owner", folder)
  const { name } = ada.save({ goal: "Mend", text: TEXT }, "s")
  const path = join(at, `${name}.md`)
  let late = 0
  const store = plansInFolder(folder.root, () => Date.now() + late)
  const only = () => store.list(["owner"]).value[0]
  expect(only()).not.toBe(only())
  late = 60_000
  const known = only()
  expect(only()).toBe(known)
  expect(store.list(["ada"]).value).toEqual([])
  writeFileSync(path, readFileSync(path, "utf8").replace("Mend it", "Burn it"))
  expect(only()?.text).toContain("Burn it")
  renameSync(join(folder.root, ".incipit"), join(folder.path, "elsewhere"))
  symlinkSync(join(folder.path, "elsewhere"), join(folder.root, ".incipit"))
  expect(only()).toBeUndefined()
})

test("bad files are diagnostics, and the others still count", () => {
  const { plans: ada, at, folder } = plans()
  const { name } = ada.save({ goal: "Mend", text: TEXT }, "s")
  const front = 'who: ada\nsession: s\ncreated: "2026-06-15T12:00:00.000Z"'
  writeFileSync(join(at, "a.md"), TEXT)
  writeFileSync(join(at, "b.md"), "---\nstatus: [\n---\n")
  writeFileSync(join(at, "c.md"), `---\nstatus: done\n---\n${TEXT}\n`)
  writeFileSync(join(at, "d.md"), "---\nstatus: done\nwho: ada\nsession: s\ncreated: soon\n---\n")
  writeFileSync(join(at, "e.md"), `---\nstatus: done\n${front}\n---\nnothing\n`)
  symlinkSync(folder.write("outside.md", "secret"), join(at, "f.md"))
  const { value, diagnostics } = ada.list()
  expect(value.map((plan) => plan.name)).toEqual([name])
  expect(diagnostics.map(sentence)).toEqual([
    ".incipit/plans/a.md: is not a valid plan: its status is not one of proposed, approved, changed, done. It was left out.",
    expect.stringMatching(/^\.incipit\/plans\/b\.md: is not a valid plan: .*. It was left out.$/),
    ".incipit/plans/c.md: is not a valid plan: it does not say who it belongs to. It was left out.",
    ".incipit/plans/d.md: is not a valid plan: it does not say when it was created. It was left out.",
    '.incipit/plans/e.md: is not a valid plan: it has no "# Plan:" with numbered "## Steps". It was left out.',
    ".incipit/plans/f.md: is not a regular file. It was left out.",
  ])
  // Whose they would be is not known.
  expect(diagnostics.map(({ needs }) => needs)).toEqual(Array(6).fill("full"))
})

test("nobody sees, approves or carries out the plan of another", () => {
  const folder = makeFolder()
  const { plans: ada } = plans("ada", folder)
  const { plans: bob } = plans("bob", folder)
  const { name } = ada.save({ goal: "Mend", text: TEXT }, "s")
  for (const act of [bob.approve, bob.resume, bob.markDone, (one: string) => bob.change(one, TEXT)])
    expect(() => act(name)).toThrow(expect.objectContaining({ code: "no-such-plan" }))
  expect([bob.list(), ada.list().value.length]).toEqual([{ value: [], diagnostics: [] }, 1])
  expect(() => ada.approve("../../SOUL")).toThrow(expect.objectContaining({ code: "no-such-plan" }))
})

test("the name of a plan says nothing of the plans that others have", () => {
  const save = (who: string, folder: ReturnType<typeof makeFolder>) =>
    plans(who, folder).plans.save({ goal: "Sell the boat", text: TEXT }, "s").name
  const alone = save("person:bob", makeFolder())
  const folder = makeFolder()
  for (const other of ["owner", "person:ada", "room:telegram:-100"]) save(other, folder)
  expect([save("person:bob", folder), save("person:bob", folder)]).toEqual([alone, `${alone}-2`])
})

test("a folder that leads elsewhere is not written to", () => {
  const { plans: ada, folder } = plans()
  mkdirSync(join(folder.path, "elsewhere"))
  symlinkSync(join(folder.path, "elsewhere"), join(folder.root, ".incipit"))
  expect(() => ada.save({ goal: "Mend", text: TEXT }, "s")).toThrow(
    expect.objectContaining({ code: "unwritable-file" }),
  )
  expect([ada.list().value, readdirSync(join(folder.path, "elsewhere"))]).toEqual([[], []])
})
