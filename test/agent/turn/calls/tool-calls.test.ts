// Calls of tools within a turn: what they get, and what they leave behind.
import { getEventListeners } from "node:events"
import { expect, onTestFinished, test } from "vitest"
import { createIds } from "../../../../src/agent/inbox/ids.ts"
import type { RunnableTool } from "../../../../src/tools/define-tool.ts"
import { startAgent } from "../../world/agent-world.ts"
import type { Part } from "../../world/servers/script.ts"

const look: RunnableTool = {
  name: "look",
  description: "Looks.",
  parameters: { type: "object" },
  run: async (_input, { explain, host }) =>
    `${explain?.("identity")[0]} ${host?.files.mayWrite("/etc/passwd")}`,
}

test("a call may ask why something is in the prompt, and leaves nothing on the signal of the turn", async () => {
  let asked = 0
  const local = await startAgent({
    ...{ protocol: "anthropic", files: { "IDENTITY.md": "---\nname: Otto\n---\n" }, tools: [look] },
    answer: (): readonly Part[] => {
      asked += 1
      return asked === 4
        ? [{ text: "Done." }]
        : [{ call: { name: "look", input: {} } }, { call: { name: "look", input: {} } }]
    },
  })
  onTestFinished(local.close)
  const { signal } = new AbortController()
  await local.send("Look around", { signal })
  const results = local.events.flatMap((event) => (event.kind === "tool-finished" ? [event.text] : []))
  const line = "section identity: included, tokens=11 pace=stable priority=required trust=familiar"
  expect(results).toEqual(Array.from({ length: 6 }, () => `${line} false`))
  expect(getEventListeners(signal, "abort")).toEqual([])
})

test("ids are in the order of their time, and no two are alike", () => {
  let time = 0
  const id = createIds(() => time)
  const made = Array.from({ length: 1_000 }, (_item, at) => {
    time = Math.floor(at / 10) * 10 ** Math.floor(at / 90)
    return id()
  })
  expect(new Set(made).size).toBe(made.length)
  expect(made.every((text) => /^[0-9a-hjkmnp-tv-z]{20}$/.test(text))).toBe(true)
  const times = made.map((text) => text.slice(0, 10))
  expect(times.toSorted()).toEqual(times)
})
