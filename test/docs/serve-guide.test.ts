// The five minutes of the guide to `incipit serve`, as one story: the server is started as the page says, on a free port,
// and the commands and the program are run against it. In the page `…` stands for what differs from run to run.
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

const PAGE = readFileSync("docs/guide/serve.md", "utf8")
const [story = ""] = PAGE.split("\n## ").slice(1)
const blocks = [...story.matchAll(/^```(sh|js|text)\n([\s\S]*?)^```$/gm)].map(([, kind, text = ""]) => ({
  kind,
  text,
}))
const [start, started, ask, answered, program, revoke, revoked] = blocks.map(({ text }) => text)

const world = mkdtempSync(join(tmpdir(), "incipit-serve-guide-"))
const env = {
  ...{ PATH: `${join(world, "bin")}:${resolve("node_modules/.bin")}:${process.env.PATH}` },
  ...{ HOME: join(world, "home"), TZ: "UTC", COLUMNS: "80" },
}
let server: ChildProcess | undefined
let printed = ""
let url = ""

beforeAll(async () => {
  for (const name of ["bin", "home"]) mkdirSync(join(world, name))
  cpSync("examples", join(world, "examples"), { recursive: true })
  symlinkSync(resolve("node_modules"), join(world, "node_modules"))
  writeFileSync(join(world, "bin", "incipit"), `#!/bin/sh\nexec node "${resolve("bin/incipit.js")}" "$@"\n`)
  chmodSync(join(world, "bin", "incipit"), 0o755)
  const command = (start ?? "").replace("incipit serve\n", "exec incipit serve --port 0 2>&1\n")
  const child = spawn("sh", ["-ec", command], { cwd: world, env, stdio: ["ignore", "pipe", "inherit"] })
  server = child
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    if (printed.split("\n").length > 3) break
  }
  url = /^http:\/\/[^/]+/.exec(printed)?.[0] ?? ""
})

afterAll(async () => {
  if (server?.exitCode === null) {
    const ended = once(server, "exit")
    server.kill("SIGTERM")
    expect(await ended).toEqual([0, null])
  }
  rmSync(world, { recursive: true })
})

/** With the real address of the server. */
function run(command: string, args: readonly string[], text: string | undefined): string {
  const real = (text ?? "").replaceAll("http://127.0.0.1:4747", url)
  const { stdout, status } = spawnSync(command, [...args, command === "sh" ? `exec 2>&1\n${real}` : real], {
    ...{ cwd: join(world, "family"), env, encoding: "utf8" },
  })
  expect({ stdout, status }).toEqual({ stdout, status: 0 })
  return stdout
}

function expectLike(text: string, shown: string | undefined): void {
  const escaped = (part: string) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  expect(text.trim()).toMatch(new RegExp(`^${(shown ?? "").trim().split("…").map(escaped).join("[^\\n]*")}$`))
}

test("the story has its seven blocks", () => {
  expect(blocks.map(({ kind }) => kind)).toEqual(["sh", "text", "sh", "text", "js", "sh", "text"])
})

test("the server says where it is", () => {
  expectLike(printed.replaceAll(url, "http://127.0.0.1:4747"), started)
})

test("a token talks", () => expectLike(run("sh", ["-ec"], ask), answered))

test("the official package talks, and the receipt leads to the prompt", () => {
  const turn = run("node", ["--input-type=module", "-e"], program).trim()
  expect(run("sh", ["-ec"], `incipit trace ${turn}`)).toContain("user=leo trust=familiar")
})

test("a revoked token is refused", () => expectLike(run("sh", ["-ec"], revoke), revoked))
