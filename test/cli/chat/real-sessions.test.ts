// Sessions of a chat on the real agent: gone on with, talked in by others, and messages that have to wait.
import { join } from "node:path"
import { expect, test } from "vitest"
import { approveFolder } from "../../../src/approval/folder.ts"
import type { Script } from "../../agent/world/servers/script.ts"
import { answer, golden, isIdle, openChat, provider, say, shown, wordsIn, workspace } from "./real-chat.ts"

const LATER: Script = { kind: "error", status: 429, headers: { "retry-after": "60" } }

test("a session is gone on with: the last one, or one by its id", async () => {
  const root = workspace()
  const server = await provider(answer("Hello, Ada."))
  const first = await openChat(root, { server })
  await say(first, "Good morning, I am Ada.", "Hello")
  first.type("/quit\r")
  expect(await first.ended).toBe(0)
  await golden(first, "left")
  const id = /--resume (\S+)/.exec(first.screen())?.[1] ?? ""
  const second = await openChat(root, { server, flags: { continue: true } })
  await say(second, "And what did I say?", "Hello")
  await say(second, "/cost", "2 turns")
  await say(second, "/new", "starts a new session")
  await golden(second, "continued")
  await say(second, "/context", "for this model")
  expect(/^conversation +(\S+)/m.exec(second.screen())?.[1]).toBe("0")
  second.type("\u0004")
  expect(await second.ended).toBe(0)
  const third = await openChat(root, { server, flags: { new: true }, env: { LATER: "1" } })
  await say(third, "Something else, please.", "Hello")
  await say(third, "/sessions", "2 sessions")
  await golden(third, "begun-anew")
  third.type("\u0004")
  expect(await third.ended).toBe(0)
  const fourth = await openChat(root, { server, flags: { resume: id.slice(0, 18) } })
  await say(fourth, "Still there?", "Hello")
  expect(server.bodies.map((body) => wordsIn(body).length)).toEqual([1, 3, 1, 5])
})

test("a message is taken back and changed, and the session branched off", async () => {
  const server = await provider(answer("Hello, Ada."), answer("Blue it is."), answer("Red it is."))
  const chat = await openChat(workspace(), { server })
  await say(chat, "I am Ada.", "Hello")
  await say(chat, "Paint it blue.", "Blue")
  await say(chat, "/undo", "now in a new session")
  expect(chat.screen()).toContain("> Paint it blue.")
  chat.type("\u000b")
  await say(chat, "Paint it red.", "Red")
  await say(chat, "/fork", "goes back to the other one")
  await say(chat, "/sessions", "3 sessions")
  expect(wordsIn(server.bodies.at(-1))).toEqual([
    ...["user: I am Ada.", "assistant: Hello, Ada."],
    'user: <branch-summary>\nThe conversation went back to here. 1 message was left behind: "Paint it blue.". The last answer there: "Blue it is.".\n</branch-summary>: Paint it red.',
  ])
  chat.type("\u0004")
  expect(await chat.ended).toBe(0)
})

test("a session that is not there", async () => {
  const chat = openChat(workspace(), { flags: { resume: "nothing" } })
  await expect(chat).rejects.toThrow('this user has no session "nothing"')
})

test("as another user, in a session of theirs", async () => {
  const root = workspace()
  const chat = await openChat(root, { rows: 50 })
  await say(chat, "What time is it?", "It is Monday")
  await say(chat, "/as bob", "their first session")
  await say(chat, "what day is it?", "It is Monday")
  await say(chat, "/tools", "withheld")
  await say(chat, "/as nobody", "public trust")
  await say(chat, "/as bob", "continuing")
  chat.type("/as \t")
  await chat.shows("ada  bob")
  chat.type("\u0015/quit\r")
  expect(await chat.ended).toBe(0)
  await golden(chat, "as-others")
})

test("a message that cannot be answered waits, those behind it too, and both are answered later", async () => {
  const root = workspace()
  const server = await provider(LATER, answer("To the first."), answer("To the second."))
  const chat = await openChat(root, { server })
  await say(chat, "The first question.", "Your message is kept")
  chat.type("The second question.\r")
  await chat.until((screen) => screen.split("Your message is kept").length === 3 && isIdle(screen))
  await golden(chat, "waits")
  chat.goOn()
  await chat.until((screen) => screen.includes("To the second.") && isIdle(screen))
  await golden(chat, "answered-later")
})

test("a message that waited is answered in a later chat", async () => {
  const root = workspace()
  const server = await provider(LATER, answer("Good morning."))
  const chat = await openChat(root, { server })
  await say(chat, "Wake me tomorrow.", "Your message is kept")
  chat.type("\u0003\u0003")
  expect(await chat.ended).toBe(0)
  const next = await openChat(root, { server, flags: { continue: true }, env: { LATER: "1" } })
  await next.until((screen) => screen.includes("Good morning.") && isIdle(screen))
  await golden(next, "answered-in-a-later-chat")
  expect(shown(next).split("Good morning.").length).toBe(2)
})

test("what waits for approval is said above all else", async () => {
  const config = "profile: incipit\nhooks: [./tides.ts]\nmcp: { ferry: { command: ferry-server } }\n"
  const root = workspace({ "incipit.yaml": config, "tides.ts": "export const turn_end = () => {}\n" })
  // The folder is approved, and none of what it brings.
  const items = [
    { kind: "hook", name: "./tides.ts" },
    { kind: "mcp", name: "ferry" },
  ]
  approveFolder(root, items, { home: join(root, "no-home"), at: 0 })
  await golden(await openChat(root, { columns: 60 }), "waits-for-approval")
})
