// Failures of a channel behind a real gateway: recorded for the operator with the next attempt, printed, without the token.
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, onTestFinished, test } from "vitest"
import { telegram } from "../../../src/serve/channels/telegram/telegram.ts"
import { openTestGateway } from "../gateway.ts"
import { fakeTelegram } from "./fake-telegram.ts"

const WAIT = { timeout: 20_000, interval: 10 }

test("a conflict is tried again, a blocked bot is given up, and both are in the record", async () => {
  const server = await fakeTelegram()
  onTestFinished(() => server.close())
  server.refuseNext("getUpdates", {
    code: 409,
    description: "Conflict: terminated by other getUpdates request",
  })
  server.refuseNext("sendMessage", { code: 403, description: "Forbidden: bot was blocked by the user" })
  const channel = telegram({ token: server.token, url: server.url, pollSeconds: 1 })
  const warnings: string[] = []
  const gateway = await openTestGateway({
    channels: [{ channel, policy: { strangers: "public", rooms: "mentions" } }],
    script: () => "At nine.",
    warn: (line) => warnings.push(line),
  })
  server.say(7, "When?")
  await expect.poll(() => warnings.length, WAIT).toBe(2)
  await gateway.close()
  const file = new DatabaseSync(join(gateway.state, "record.db"), { readOnly: true })
  const rows = file
    .prepare(
      "SELECT level, trust, channel, error, metadata FROM events WHERE event_type = 'channel_error' ORDER BY id",
    )
    .all()
    .map(({ metadata, ...row }) => ({ ...row, ...JSON.parse(String(metadata)) }))
  file.close()
  const common = { trust: "full", channel: "telegram", attempt: 1 }
  expect(rows).toEqual([
    {
      ...{ ...common, level: "warn", retryInMs: expect.any(Number) },
      error: expect.stringContaining("Conflict: terminated by other getUpdates request. Another program"),
    },
    {
      ...{ ...common, level: "error", isGivenUp: true, delivery: expect.stringMatching(/\.0$/) },
      error: "Telegram refused sendMessage: Forbidden: bot was blocked by the user",
    },
  ])
  expect(warnings[0]).toMatch(/Trying again in 1 s\.$/)
  expect(warnings[1]).toMatch(/The message was not sent\.$/)
  expect(JSON.stringify([rows, warnings])).not.toContain(server.token)
})
