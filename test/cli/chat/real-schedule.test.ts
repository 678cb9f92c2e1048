// A chat that is left open: what is scheduled runs meanwhile, and its notice stands on the screen.
import { join } from "node:path"
import { expect, test } from "vitest"
import { approveServers } from "../../agent/world/agent-world.ts"
import { answer, call, golden, openChat, provider, say, workspace } from "./real-chat.ts"

const FILES = {
  "incipit.yaml": `profile: incipit
feeds: { communication: off }
environment: { host: off, os: linux, arch: x64, shell: sh, runtime: off, session: off }
users: { ada: { trust: full, match: ['terminal:*'] } }
schedule: [{ cron: "30 7 * * *", run: "Is the lamp lit?", zone: UTC }]
`,
}

test("a run that is due while somebody writes", async () => {
  const root = workspace(FILES)
  approveServers(root, join(root, "no-home"))
  const server = await provider(call("notify_user", { text: "The lamp is out." }), answer(""))
  const chat = await openChat(root, { server })
  chat.type("half a mess")
  await chat.until((screen) => screen.includes("half a mess"))
  chat.goOn()
  await chat.until((screen) => screen.includes("scheduled:"))
  await golden(chat, "schedule-meanwhile")
})

test("what nobody has approved waits, and says so once", async () => {
  const chat = await openChat(workspace(FILES))
  chat.goOn()
  for (const line of ["what time is it?", "who are you?"]) await say(chat, line, "(offline model)")
  const told = chat
    .screen()
    .split("\n")
    .filter((line) => line.includes("scheduled:"))
  expect(told).toEqual(["scheduled: the schedule in incipit.yaml runs here once you approve it: incipit"])
})

test("not if it is not wanted", async () => {
  const chat = await openChat(workspace(FILES), { flags: { noSchedule: true } })
  chat.goOn()
  for (const line of ["what time is it?", "who are you?"]) await say(chat, line, "(offline model)")
  expect(chat.screen()).not.toContain("scheduled:")
})
