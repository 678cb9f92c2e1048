// What a chat says that it cost: the line of figures, /cost and the record say the same, whatever was called for.
import { join } from "node:path"
import { expect, test } from "vitest"
import { costs } from "../../../src/record/ask/cost.ts"
import { dollars } from "../../../src/record/ask/log.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { answer, golden, openChat, provider, say, workspace } from "./real-chat.ts"

const SKILL =
  "---\nname: tide-window\ndescription: Works out when the ferry can cross the shallow water.\n---\n"

test("a summary of the conversation is in the costs of its session, and turns are found by the start of their names", async () => {
  const root = workspace({
    "skills/tide-window/SKILL.md": SKILL,
    "memory/shared/TIDES.md": "# Tides\n\nHigh water at Skagen is at 14:20.\n",
  })
  const long = "The sea is calm, and the lamp was lit in time. ".repeat(40)
  const server = await provider(answer(long), answer(long), answer("All was calm."), answer("Third."))
  const chat = await openChat(root, { server, columns: 40, rows: 60 })
  await say(chat, "First?", "in time.")
  await say(chat, "Second?", "in time.")
  await say(chat, "/compact", "compacted")
  const compacted = await recorded(root)
  expect([compacted.calls, statusCost(chat.screen())]).toEqual([[3], dollars(compacted.costUsd)])
  await say(chat, "Third?", "Third.")
  await say(chat, "/cost", "on average")
  const shown = chat.screen().split("> /cost\n").at(-1) ?? ""
  const [, turn = ""] = /^(\w{8,})…? +1 /m.exec(shown) ?? []
  await say(chat, `/trace ${turn}…`, "message_sent")
  await say(chat, "/skills", "1 skill")
  await say(chat, "/memory", "up to date")
  await say(chat, "/sessions", "continues one")
  const { calls, costUsd } = await recorded(root)
  expect([calls, costUsd > compacted.costUsd]).toEqual([[4], true])
  const cost = dollars(costUsd)
  expect({ status: statusCost(chat.screen()), cost: /^total.* (\$\S+)$/m.exec(shown)?.[1] }).toEqual({
    status: cost,
    cost,
  })
  await golden(chat, "figures-40")
})

/** Of the line of figures, the last of the screen that has a model. */
function statusCost(screen: string): string | undefined {
  return screen.match(/(?<=^claude.* · )\$\S+$/gm)?.at(-1)
}

async function recorded(root: string) {
  const record = openRecord(join(root, ".incipit/record.db"))
  const { rows, total } = await record.read((store) => costs(store, { by: "session", timeZone: "UTC" }))
  await record.close()
  return { calls: rows.map((row) => row.calls), costUsd: total.costUsd ?? 0 }
}
