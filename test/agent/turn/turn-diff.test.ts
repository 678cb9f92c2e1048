// What the record says of the difference between two turns of a real conversation.
import { expect, test } from "vitest"
import { turnDiff } from "../../../src/record/ask/turn-diff.ts"
import { ofRecord, open, say, server, workspace } from "../world/agent-world.ts"

test("all that was said before is in common, though what was the tail is history now", async () => {
  const root = workspace({
    "incipit.yaml": "profile: incipit\nenvironment: { host: off }\n",
    "NOTES.md": `${"The ferry runs at half past three when the wind allows it. ".repeat(20)}\n`,
  })
  const { agent } = await open(root, await server([say("Yes."), say("No."), say("Perhaps.")]))
  const turns: string[] = []
  for (const text of ["Does it run?", "And on Sunday?", "And at night?"])
    turns.push((await agent.send(text)).turn)
  await agent.close()
  const [first = "", second = "", third = ""] = turns
  const shared = async (before: string, after: string) =>
    (await ofRecord(root, (store) => turnDiff(store, before, after)))?.conversation
  expect([await shared(first, second), await shared(second, third)]).toEqual([
    // With a system message for the clock beside each of the user's.
    { shared: 2, before: 2, after: 5 },
    { shared: 5, before: 5, after: 8 },
  ])
})
