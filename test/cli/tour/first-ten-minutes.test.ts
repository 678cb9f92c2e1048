// A stranger's first ten minutes, as one story: the tour, a workspace of their own, a first answer, a change, and what it
// did to prompt, price and cache. That a fresh clone builds itself is in test/soak/fresh-clone.test.ts.
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

let folder: string
let env: Record<string, string | undefined>
let chatting: ChildProcess | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-stranger-"))
  for (const name of ["home", "empty"]) mkdirSync(join(folder, name))
  env = { PATH: process.env.PATH, HOME: join(folder, "home"), TZ: "UTC", COLUMNS: "80" }
})

afterAll(() => {
  chatting?.kill()
  rmSync(folder, { recursive: true, maxRetries: 5 })
})

/** What `npm install incipit` would bring, from what is built. */
function packed(): string {
  const listed = command("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], process.cwd()).stdout
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }]
  const target = join(folder, "package")
  for (const { path } of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(path, join(target, path))
  }
  symlinkSync(resolve("node_modules"), join(target, "node_modules"))
  return target
}

function command(name: string, args: readonly string[], cwd: string) {
  const { stdout, stderr, status } = spawnSync(name, args, { cwd, env, encoding: "utf8" })
  return { stdout, stderr, status }
}

/** A chat that is written to line by line; what comes back up to the end of an answer is the answer. */
function openChat(bin: string, cwd: string) {
  const program = spawn("node", [bin, "chat"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] })
  chatting = program
  let all = ""
  let seen = 0
  let look = () => {}
  program.stdout.setEncoding("utf8").on("data", (text: string) => {
    all += text
    look()
  })
  const ended = new Promise<number | null>((done) => program.once("close", done))
  return {
    /** Resolves with the answer when it has what `end` says. */
    async say(line: string, end: RegExp): Promise<string> {
      program.stdin.write(`${line}\n`)
      return new Promise((done, fail) => {
        look = () => {
          const answer = all.slice(seen)
          if (!end.test(answer)) return
          seen = all.length
          look = () => {}
          done(answer)
        }
        void ended.then(() => fail(new Error(`the chat ended:\n${all}`)))
        look()
      })
    },
    async leave(): Promise<number | null> {
      program.stdin.end()
      return ended
    },
  }
}

test("a stranger's first ten minutes", async () => {
  // What is installed works alone, the sample in it.
  const bin = join(packed(), "bin/incipit.js")
  const empty = join(folder, "empty")
  const incipit = (...args: string[]) => command("node", [bin, ...args], empty)
  expect(incipit("tour", "--now", "2026-06-15T09:00:00Z").status).toBe(0)

  // A workspace in an empty folder.
  const init = incipit("init", "--yes", "--name", "Otto")
  expect([init.stderr, init.status, init.stdout.match(/(?<=^wrote ).*$/gm)]).toEqual([
    "",
    0,
    ["IDENTITY.md", "SOUL.md", "AGENTS.md", "USER.md", "incipit.yaml", ".gitignore"],
  ])

  // A first answer, and what it was made from.
  expect(incipit("run", "Who are you?")).toEqual({
    stdout: `(offline model) I am a stand-in that answers by fixed rules. To use a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY.

I am Otto. My soul begins: "Calm, exact and a little dry."
`,
    stderr:
      "No API key found, so the offline model is answering. Set ANTHROPIC_API_KEY to use anthropic/claude-sonnet-5-5. The offline model's calls are free; its prices and cache figures are simulated.\n",
    status: 0,
  })
  const built = incipit("build")
  expect([built.stderr, built.status]).toEqual(["", 0])
  expect(soulIn(built.stdout)).toBe(32)

  // What a change costs a conversation that goes on, and what waiting saves.
  const price = incipit("price", "--edit", "SOUL.md", "--adds", "9")
  expect([price.stderr, price.status]).toEqual(["", 0])
  expect(price.stdout).toMatch(
    /^ {2}as Incipit does it +\+\$0\.0000 +\+\$0\.0000 +waits until the prompt is rebuilt$/m,
  )

  // The change itself, while one talks: held until the next epoch, and then told.
  const chat = openChat(bin, empty)
  const soulSaid = async () => /"(.*)"\n$/.exec(await chat.say("Who are you?", /begins: ".*"\n$/))?.[1]
  const soulTold = async () => soulIn(await chat.say("/context", /^free .*\n/m))
  const why = async (end: RegExp) => (await chat.say("/why", end)).replaceAll(/\s+/g, " ").trim()
  expect(await soulSaid()).toBe("Calm, exact and a little dry.")
  expect(await soulTold()).toBe(32)
  const soul = join(empty, "SOUL.md")
  writeFileSync(soul, `Salt water first, everything else after.\n\n${readFileSync(soul, "utf8")}`)
  expect(await soulSaid()).toBe("Calm, exact and a little dry.")
  expect(await soulTold()).toBe(32)
  expect(await why(/cached\s+tokens\.\n$/)).toMatch(/No cache miss: call .* read all [\d,]+ cached tokens\.$/)
  await chat.say("/reload", /rebuilds the prompt\n$/)
  expect(await soulSaid()).toBe("Salt water first, everything else after.")
  expect(await soulTold()).toBe(40)
  expect(await why(/now\.\n$/)).toMatch(
    /Cache miss: call .* read 0 of [\d,]+ cached tokens\. The section "soul" \(SOUL\.md:1\) changed: "Calm, exact and a little dry\.[^"]*" before, "Salt water first, everything else after\." now\.$/,
  )
  expect(await chat.leave()).toBe(0)
  expect(soulIn(incipit("build").stdout)).toBe(40)

  // Nothing was left where nobody asked for it.
  // What `init` made is approved, and that is kept in the home folder.
  const kept = readdirSync(join(folder, "home", ".incipit")).filter((name) => !/-(?:shm|wal)$/.test(name))
  expect(kept).toEqual(["approvals.db"])
})

/** The tokens of the section, from a table of sections. */
function soulIn(table: string): number {
  const [, tokens] = /^ *soul +(?:rarely +)?(\d+)\b/m.exec(table) ?? []
  return Number(tokens)
}
