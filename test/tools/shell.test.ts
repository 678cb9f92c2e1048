// `shell`: how a command ends, what is kept of its output, and that nothing of it outlives its time.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { setImmediate as letOthersRun } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { o200k } from "../../src/tokens/o200k.ts"
import { withoutSecrets } from "../../src/tools/agent/shell-env.ts"
import { boundedOutput } from "../../src/tools/bounded-output.ts"
import { type Acting, makeActing } from "./acting.ts"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
})
afterEach(() => acting.remove())

const run = (command: string, timeoutSeconds = 60) => acting.call("shell", { command, timeoutSeconds })

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await letOthersRun()
}

/** A process that was ended and waits for its parent to notice does not run. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

test.each([
  ["what it prints", "echo out; echo err >&2; echo more", "exit code 0\nout\nerr\nmore"],
  ["nothing", "true", "exit code 0"],
  ["how it failed", "echo no; exit 3", "exit code 3\nno"],
  [
    "a command that is not there",
    "nosuchcommand",
    "exit code 127\nbash: line 1: nosuchcommand: command not found",
  ],
  [
    "a syntax error",
    "echo 'a",
    "exit code 2\nbash: -c: line 1: unexpected EOF while looking for matching `''",
  ],
  ["a signal", "kill -9 $$", "ended by SIGKILL"],
  ["nobody to ask", 'read line; echo "[$line]"; test -t 0 || echo none', "exit code 0\n[]\nnone"],
  ["several lines", "for i in 1 2\ndo echo $i\ndone\ncat <<END\nthree\nEND", "exit code 0\n1\n2\nthree"],
  ["colours", "printf '\\033[31mred\\033[0m\\n'", "exit code 0\nred"],
  ["letters of any script", "printf 'é日本👩‍👩‍👧'", "exit code 0\né日本👩‍👩‍👧"],
])("%s", async (_name, command, answer) => {
  expect(await run(command)).toBe(answer)
})

test("it is asked for first, and runs in the working directory", async () => {
  expect(await run("pwd")).toBe(`exit code 0\n${acting.root}`)
  expect(acting.asked).toEqual([{ kind: "shell", command: "pwd", directory: acting.root }])
  const refused = await acting.call("shell", { command: "touch a" }, { approve: () => "no" })
  expect([refused, existsSync(join(acting.root, "a"))]).toEqual([
    "failed: The command was not approved.",
    false,
  ])
  expect(await run("echo '[redacted:aws]' > .env")).toBe(
    "failed: The text has redacted parts, and writing them would overwrite the real text.",
  )
  expect(await run("a\0b")).toBe("failed: The command has a NUL character.")
})

test("time is up", async () => {
  expect(await run("echo begun; sleep 600", 1)).toBe("stopped after 1 second\nbegun")
})

test("one that does not listen is ended all the same, with all that it started", async () => {
  const command =
    "trap '' TERM; (trap '' TERM; echo $BASHPID > child; while :; do sleep 600; done) & while :; do sleep 600; done"
  expect(await run(command, 1)).toBe("stopped after 1 second")
  const child = Number(acting.read("child"))
  await until(() => !isAlive(child))
})

test("a stopped turn ends it", async () => {
  const stop = new AbortController()
  const running = acting.call(
    "shell",
    { command: "(echo $BASHPID > pid.new; mv pid.new pid; exec sleep 600) & wait" },
    { hosting: { signal: stop.signal } },
  )
  await until(() => existsSync(join(acting.root, "pid")))
  const child = Number(acting.read("pid"))
  expect(isAlive(child)).toBe(true)
  stop.abort()
  await expect(running).rejects.toThrow("aborted")
  await until(() => !isAlive(child))
})

test("what continues in the background is not waited for", async () => {
  expect(await run("sleep 600 & echo $! > pid; echo done")).toBe(
    "exit code 0\ndone\n[a process that it started is still running; its further output is lost]",
  )
  process.kill(Number(acting.read("pid")), "SIGKILL")
})

test("of a long output both ends are kept", async () => {
  const answer = await acting.call("shell", { command: "seq 1 100000" }, { mostTokens: 300 })
  expect(answer).toBe(
    [
      "exit code 0",
      ...Array.from({ length: 50 }, (_, at) => `${at + 1}`),
      "[99917 lines left out]",
      ...Array.from({ length: 33 }, (_, at) => `${99_968 + at}`),
    ].join("\n"),
  )
  expect(o200k.count(answer)).toBeLessThanOrEqual(300)
})

test.each([
  ["all of it", ["one\n", "two\n"], "one\ntwo"],
  [
    "a long line",
    ["ab ".repeat(1_000)],
    `${"ab ".repeat(50).trim()}\n[part of the line left out]\n${" ab".repeat(49)} `,
  ],
  [
    "more than is held",
    Array.from({ length: 40 }, () => "a\n".repeat(20_000)),
    `${"a\n".repeat(25)}[799950 lines left out]${"\na".repeat(25)}`,
  ],
])("both ends: %s", (_name, pieces, text) => {
  const ends = boundedOutput()
  for (const piece of pieces) ends.add(piece)
  expect(ends.text(100, o200k)).toBe(text)
})

test("the environment has no secrets", () => {
  const kept = {
    PATH: "/bin",
    HOME: "/home/ada",
    PWD: "/work",
    OLDPWD: "/",
    LANG: "C.UTF-8",
    SSH_AUTH_SOCK: "/run/agent",
    COMPASS: "north",
    AUTHOR: "Ada",
    PROXY: "http://proxy:8080/path",
  }
  const secret = [
    ...["OPENAI_API_KEY", "GITHUB_TOKEN", "githubtoken", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"],
    ...["DB_PASSWORD", "DB_PASS", "DB_PWD", "MYSQL_PASSWD", "GOOGLE_APPLICATION_CREDENTIALS", "NPM_AUTH"],
    ...["GITLAB_PAT", "SENTRY_DSN", "SIGNING_PRIVATE", "SESSION_COOKIE", "KEY", "GPG_PASSPHRASE"],
  ]
  const given = { ...kept, ...Object.fromEntries(secret.map((name) => [name, "x"])), NONE: undefined }
  expect(withoutSecrets({ ...given, DATABASE_URL: "postgres://ada:hunter2@db/x" })).toEqual(kept)
})

test("a command has the agent's variables, not those of the process, and does not see its keys", async () => {
  process.env.INCIPIT_TEST = "the process"
  try {
    const env = { PATH: process.env.PATH, INCIPIT_TEST_API_KEY: "sk-not-for-commands", LAMP: "lit" }
    const command = 'echo "[$INCIPIT_TEST_API_KEY] [$LAMP] [$INCIPIT_TEST]"'
    expect(await acting.call("shell", { command }, { hosting: { env } })).toBe("exit code 0\n[] [lit] []")
  } finally {
    delete process.env.INCIPIT_TEST
  }
})
