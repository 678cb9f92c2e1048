// Times that come again, as a person says them and as cron writes them.
import { expect, test } from "vitest"
import { scheduledIn } from "../../../src/agent/offline/schedule.ts"

test.each([
  ["every day at 8 check the lamp", "0 8 * * *", "check the lamp"],
  ["every day at 8.15 pm, check the lamp", "15 20 * * *", "check the lamp"],
  ["every day at 12 am check", "0 0 * * *", "check"],
  ["Every Monday check the lamp", "0 8 * * 1", "check the lamp"],
  ["every sunday at 23:59 check", "59 23 * * 0", "check"],
  ["every weekday at 9 o'clock to check", "0 9 * * 1-5", "check"],
  ["every week check", "0 8 * * 1", "check"],
  ["every night check", "0 22 * * *", "check"],
  ["every hour check", "0 */1 * * *", "check"],
  ["every 15 minutes check", "*/15 * * * *", "check"],
  ["every 6 hours check", "0 */6 * * *", "check"],
  ["remind me to check the lamp every morning", "0 8 * * *", "check the lamp"],
  ["check the lamp, every day at 7:05.", "5 7 * * *", "check the lamp"],
])("%s", (request, cron, run) => {
  expect(scheduledIn(request)).toEqual({ cron, run })
})

test.each([
  "every day at 25 check",
  "every day at 13 pm check",
  "every 90 minutes check",
  "every day",
  "tomorrow check",
])("no schedule: %s", (request) => {
  expect(scheduledIn(request)).toBeUndefined()
})
