import { expect, test } from "vitest"
import { openTaskBoard, taskText } from "../../../src/agent/feeds/tasks.ts"
import { ToolFailure } from "../../../src/tools/host.ts"
import { testStore } from "../world/temporary-store.ts"

function board(who = "ada", store = testStore()) {
  return {
    store,
    tasks: openTaskBoard(store.store, { agent: "main", who, trust: "full" }),
  }
}

const failure = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof ToolFailure) return error.message
    throw error
  }
  return "no failure"
}

test("a task is made, changed and finished; what is not said stays", async () => {
  const { tasks } = board()
  const steps = [
    { title: "Look", done: true },
    { title: " Mend\nit ", done: false },
  ]
  expect(await tasks.write({ title: " Fix  the lamp 🏮 ", description: "It flickers.", steps })).toEqual({
    id: "1",
    title: "Fix the lamp 🏮",
    description: "It flickers.",
    status: "open",
    steps: [
      { title: "Look", done: true },
      { title: "Mend it", done: false },
    ],
  })
  await tasks.write({ id: "1", status: "working" })
  await tasks.write({ id: "1", description: "" })
  expect(await tasks.list()).toEqual([
    {
      id: "1",
      title: "Fix the lamp 🏮",
      status: "working",
      steps: [
        { title: "Look", done: true },
        { title: "Mend it", done: false },
      ],
    },
  ])
})

test("only open ones are sent, and the one that the session is about", async () => {
  const { tasks } = board()
  for (const status of ["open", "working", "done", "dropped"] as const)
    await tasks.write({ title: status, status })
  const ids = async (bound?: string) => (await tasks.forPrompt(bound)).map(({ id }) => id)
  expect([await ids(), await ids("3"), await ids("1"), await ids("99")]).toEqual([
    ["1", "2"],
    ["1", "2", "3"],
    ["1", "2"],
    ["1", "2"],
  ])
})

test("ids count for each person, and none is given twice, not even after all were erased", async () => {
  const { store, tasks } = board()
  const { tasks: bobs } = board("bob", store)
  await tasks.write({ title: "one" })
  await tasks.write({ title: "two" })
  await bobs.write({ title: "his" })
  await tasks.erase()
  expect([
    await tasks.list(),
    (await tasks.write({ title: "three" })).id,
    (await bobs.list()).map(({ id }) => id),
  ]).toEqual([[], "3", ["1"]])
})

test("what was written is there after the store was opened again", async () => {
  const { store, tasks } = board()
  await tasks.write({ title: "water the 植物" })
  const again = openTaskBoard(store.open(), { agent: "main", who: "ada", trust: "full" })
  expect(await again.list()).toEqual(await tasks.list())
  expect((await again.write({ title: "next" })).id).toBe("2")
})

test("what cannot be written is said to the model, and changes nothing", async () => {
  const { tasks } = board()
  await tasks.write({ title: "one" })
  const before = await tasks.list()
  expect([
    await failure(() => tasks.write({ id: "7", status: "done" })),
    await failure(() => tasks.write({ id: "01", status: "done" })),
    await failure(() => tasks.write({})),
    await failure(() => tasks.write({ title: " \n" })),
    await failure(() => tasks.write({ title: "x".repeat(201) })),
    await failure(() => tasks.write({ title: "a", description: "x".repeat(2_001) })),
    await failure(() => tasks.write({ title: "a", steps: [{ title: " ", done: false }] })),
    await failure(() => tasks.write({ title: "a", steps: Array(51).fill({ title: "s", done: false }) })),
  ]).toEqual([
    "There is no task 7.",
    "There is no task 01.",
    "A task needs a title.",
    "A task needs a title.",
    "The title is longer than 200 characters.",
    "The description is longer than 2000 characters.",
    "A step needs a title.",
    "A task has at most 50 steps.",
  ])
  expect(await tasks.list()).toEqual(before)
  expect((await tasks.write({ title: "two" })).id).toBe("2")
})

test("there are never more open tasks than a turn can tell", async () => {
  const { tasks } = board()
  for (let count = 0; count < 50; count += 1) await tasks.write({ title: `task ${count}` })
  expect(await failure(() => tasks.write({ title: "one more" }))).toBe(
    "There are 50 open tasks already: finish or drop some first.",
  )
  expect((await tasks.write({ id: "49", status: "working" })).status).toBe("working")
  await tasks.write({ id: "50", status: "dropped" })
  expect([
    (await tasks.write({ title: "one more" })).id,
    await failure(() => tasks.write({ id: "50", status: "open" })),
  ]).toEqual(["51", "There are 50 open tasks already: finish or drop some first."])
  // What is over may be changed all the same.
  expect(await tasks.write({ id: "50", title: "the last" })).toMatchObject({
    title: "the last",
    status: "dropped",
  })
})

test("for people a task shows what is done, what is next and what is open", async () => {
  const { tasks } = board()
  const steps = ["Look", "Mend", "Log"].map((title, at) => ({ title, done: at === 0 }))
  expect(taskText(await tasks.write({ title: "Fix the lamp", description: "It flickers.", steps }))).toBe(
    "1. Fix the lamp (open)\n   It flickers.\n   1. ✓ Look\n   2. → Mend\n   3. ○ Log",
  )
})
