// What must not hold up a session, or be lost on the way: plans that can not be written, turns that break off each
// time, messages of others, answers that came another way.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { collect, inStore, open, say, server, workspace } from "./fault-world.ts"

const PLAN = "# Plan: Mend the boat\n\n## Steps\n\n1. Look at it\n2. Mend it"

test("a plan that can not be written is told, and its answer is given all the same", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say(PLAN), say("Hello.")]))
  writeFileSync(join(root, ".incipit", "plans"), "No folder.")
  const { events, tell } = collect()
  expect(await agent.send("Plan it.", { planMode: true, tell })).toMatchObject({
    state: "answered",
    text: PLAN,
  })
  expect(events.filter(({ kind }) => kind === "finding")).toEqual([
    { kind: "finding", text: "The plan is not kept: can not write to .incipit/plans (EEXIST)." },
  ])
  expect(await agent.send("Hello?")).toMatchObject({ state: "answered", text: "Hello." })
})

test("a turn that breaks off each time is given up after a few", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say("Hello.")]), { timeZone: "Mars/Base" })
  for (const text of ["One", "Two", "Three"]) await expect(agent.send(text)).rejects.toThrow("Mars/Base")
  expect(
    inStore(root, (store) => store.all("SELECT state, attempts FROM inbox ORDER BY id")).map((row) => ({
      ...row,
    })),
  ).toEqual([
    { state: "failed", attempts: 2 },
    { state: "waiting", attempts: 1 },
    { state: "waiting", attempts: 0 },
  ])
})
