// Another process has the record locked: messages are answered all the same, and nothing that happened is lost.
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { inRecord, open, say, server, workspace } from "../world/agent-world.ts"

async function lockedElsewhere(path: string) {
  const holder = fork("test/record/lock-holder.ts", [path])
  onTestFinished(() => void holder.kill("SIGKILL"))
  await once(holder, "message")
  return async () => {
    holder.send("let go")
    await once(holder, "exit")
  }
}

test("a message is answered while another process has the record locked, and its events arrive afterwards", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say("Hello."), say("Again.")]))
  await agent.send("One.")
  const release = await lockedElsewhere(join(root, ".incipit", "record.db"))
  const { state, turn } = await agent.send("Two.")
  const typesOf = () =>
    inRecord(root, (record) =>
      record.all("SELECT event_type FROM events WHERE turn_id = ? ORDER BY id", turn),
    ).map(({ event_type: type }) => type)
  expect([state, typesOf()]).toEqual(["answered", []])
  expect(agent.record.health()).toMatchObject({ dropped: 0 })
  expect(agent.record.health().waiting).toBeGreaterThan(3)
  await release()
  await agent.record.flush()
  expect(agent.record.health()).toMatchObject({ waiting: 0, dropped: 0 })
  expect(typesOf()).toEqual(expect.arrayContaining(["message_received", "api_call", "turn_completed"]))
})
