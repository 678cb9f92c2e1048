// The commands of a chat on the real agent: what they say, and what becomes of it.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import {
  answer,
  call,
  golden,
  isIdle,
  openChat,
  provider,
  say,
  wordsIn,
  workspace,
  write,
} from "./real-chat.ts"

const DOWN = "\u001b[B"

const PLAN = `I looked at the notes.

# Plan: Polish the notes
## Steps
1. Change notes.md
## Risks
- none
## Check
- Read it again`

test("a plan: suggested, made, changed, approved, carried out and done", async () => {
  const root = workspace({ "notes.md": "The lamp was cleaned.\n" })
  const server = await provider(
    answer("That is a lot of work."),
    answer(PLAN),
    call("edit", { path: "notes.md", old: "cleaned", new: "polished" }),
    answer("It is done."),
  )
  const chat = await openChat(root, { server, rows: 60 })
  chat.type(
    "Urgent: build a new API for the harbour with tests, docs and a command line, and migrate all data\r",
  )
  await chat.until((screen) => screen.includes("a lot of work") && isIdle(screen))
  await say(chat, "/plan", "plan mode is on")
  await say(chat, "Polish the notes.", "plan saved as")
  await say(chat, "/plan list", "proposed")
  await say(chat, "/plan done", "no plan to")
  await say(chat, "/plan shwo", "use one of these")
  await golden(chat, "plan-made")
  chat.type("/plan cha\t")
  await chat.until((screen) => /> \/plan change\n--- cursor \d+:16 /.test(screen))
  chat.type("\t\r")
  await chat.until((screen) => screen.split("- Read it again").length === 3)
  await golden(chat, "plan-opened")
  chat.type(`${DOWN}${DOWN}${DOWN}\u0005, and say so\r`)
  await chat.shows("changed: 2026-06-15-polish-the-notes;")
  await say(chat, "/plan show", "is changed")
  chat.type("/plan approve\r")
  await chat.shows("Change notes.md?")
  await golden(chat, "plan-asks")
  chat.type("y\r")
  await chat.until((screen) => screen.includes("It is done.") && isIdle(screen))
  await say(chat, "/plan done", "done: 2026-06-15-polish-the-notes")
  await say(chat, "/plan list", "done")
  await golden(chat, "plan-done")
  expect(readFileSync(join(root, "notes.md"), "utf8")).toBe("The lamp was polished.\n")
  expect(server.refusals).toEqual([])
})

test("only a plan whose source was shown as it is can be approved, with nothing hidden in it", async () => {
  const root = workspace()
  const steps = [
    '1. Read [the guide](https://lamp.example "and burn it down")',
    "2. Rest\u{e0062}\u200b",
    "| a |\n| - |\n| b | and the second cell |",
    `${"\n".repeat(400)}3. Take the axe`,
  ]
  const plan = `# Plan: Rest\n## Steps\n${steps.join("\n")}`
  const server = await provider(answer(plan), answer("Rested."))
  const chat = await openChat(root, { server, rows: 60 })
  await say(chat, "/plan", "plan mode is on")
  await say(chat, "Rest.", "plan saved as")
  await say(chat, "/plan approve", "is proposed; read it, then /plan approve again")
  const file = join(root, ".incipit/plans/2026-06-15-rest.md")
  writeFileSync(file, readFileSync(file, "utf8").replace("the axe", "the saw"))
  await say(chat, "/plan approve", "is proposed and has changed; read it again")
  expect(readFileSync(file, "utf8")).toMatch(/^---\nstatus: proposed\n/)
  await say(chat, "/plan approve", "Rested.")
  await golden(chat, "plan-read")
  // Tag characters are taken out of every message.
  const sent = plan.replace("the axe", "the saw").replace("\u{e0062}", "")
  expect(wordsIn(server.bodies.at(-1)).at(-1)).toContain(sent)
})

test("the offline model carries a plan out as far as its rules go, and says how far that is", async () => {
  const root = workspace({ "notes.md": "The lamp was cleaned.\n" })
  const chat = await openChat(root, { rows: 60 })
  await say(chat, "/plan", "plan mode is on")
  await say(
    chat,
    "change cleaned to polished in notes.md; report it; remember that it shines",
    "plan saved as",
  )
  await say(chat, "/plan approve", "is proposed; read it, then")
  chat.type("/plan approve\r")
  await chat.shows("Change notes.md?")
  chat.type("y\r")
  await chat.until((screen) => screen.includes("1 of 3 steps are done.") && isIdle(screen))
  await say(chat, "/tasks", "polished in notes.md")
  await golden(chat, "plan-offline")
  expect(readFileSync(join(root, "notes.md"), "utf8")).toBe("The lamp was polished.\n")
})

test("tasks, a workflow, what was learned, notices and tools", async () => {
  const root = workspace({
    "incipit.yaml":
      "profile: incipit\nenvironment: { host: off, os: linux, arch: x64, shell: sh, runtime: off, session: off }\nprompt: { sections: { directory: off } }\n",
    "workflows/opening.md":
      "# Open the museum\n\n1. Unlock the door\n   The key hangs in the kitchen.\n2. Light the lamp\n",
  })
  const chat = await openChat(root, { rows: 60, columns: 80 })
  await say(chat, "/tasks", "no tasks")
  await say(chat, "plan tasks: read the log, clean the lamp", "task_write returned")
  await say(chat, "done with 1", "task_write returned")
  await say(chat, "/tasks", "1 task done or dropped")
  await say(chat, "/tasks all", "(done)")
  await say(chat, "/workflow", "2 steps")
  await say(chat, "/workflow start opning", "did you mean opening")
  await say(chat, "/workflow start opening", "step 1 of 2")
  await say(chat, "/workflow next", "step 2 of 2")
  await say(chat, "/workflow back", "step 1 of 2")
  await say(chat, "/workflow stop", "workflow stopped")
  await say(chat, "/workflow next", "no workflow is in progress")
  await say(chat, "/profile", "erase deletes it")
  await say(chat, "/profile erase", "was erased")
  await say(chat, "/profile", "nothing is known")
  await say(chat, "notify me: the kettle is on", "kettle is on")
  await say(chat, "/notices", "2026-06-15")
  await say(chat, "notify me: it boils", "it boils")
  await golden(chat, "kept")
  chat.type("\u0004")
  await chat.ended
  // What was on the screen is not told again.
  await golden(await openChat(root), "kept-again")
})

test("tools off and on, with what that rewrites", async () => {
  const server = await provider(answer("Hello."))
  const root = workspace()
  const chat = await openChat(root, { server, rows: 60, columns: 80 })
  await say(chat, "/tools off shell", "send a message first")
  await say(chat, "Hello to the island, I am here now.", "Hello.")
  await say(chat, "/tools off shel", "did you mean shell")
  await say(chat, "/tools off shell", "are cached again")
  await say(chat, "/tools on shell", "nothing in the cache changes")
  await say(chat, "/tools off shell write", "are cached again")
  await say(chat, "/tools off shell", "is already off")
  await say(chat, "/tools", "2 off")
  await say(chat, "And what can you do now?", "Hello.")
  await say(chat, "/why", "cached tokens.")
  await say(chat, "/diff", "tools removed")
  await say(chat, "/cost", "on average")
  await golden(chat, "tools-switched")
  const names = server.bodies.map((body) => JSON.parse(body).tools.length)
  expect((names[0] ?? 0) - (names[1] ?? 0)).toBe(2)
})

test("a changed SOUL.md: what is sent, what the context shows, and why", async () => {
  const root = workspace()
  const chat = await openChat(root, { rows: 100, columns: 80 })
  await say(chat, "/why", "this session has no turns")
  await say(chat, "/diff", "does not have two turns")
  await say(chat, "What time is it?", "It is Monday")
  write(root, "SOUL.md", "You keep the light of a small island.\nAnd the cat.\n")
  await say(chat, "What day is it?", "It is Monday")
  await say(chat, "what is the date today?", "It is Monday")
  await say(chat, "/context", "for this model")
  await say(chat, "/why soul", "costs")
  await say(chat, "/why SOUL.md", "in soul")
  await say(chat, "/reload", "workspace reloaded")
  await say(chat, "what time is it now?", "It is Monday")
  await say(chat, "/why", "And the cat.")
  await say(chat, "/diff", "And the cat.")
  await say(chat, "/why nothing of that kind", "nothing in the prompt")
  await say(chat, "/trace nothing", "nothing is recorded")
  await golden(chat, "soul-changed")
})
