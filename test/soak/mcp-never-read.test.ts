// `incipit serve` in a process of its own, with clients that ask `/mcp` and never read: memory stays within what the
// process is given, and others are answered.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { expect, onTestFinished, test, vi } from "vitest"
import { incipit } from "../cli/run.ts"
import { askAs, requestOf } from "../serve/mcp/mcp-caller.ts"

const PEOPLE = ["ada", "bo", "cleo"]
/** Each answer is 300 KB. */
const SKILL = `---\nname: knots\ndescription: Ties knots.\n---\n${"Tie a bowline. ".repeat(20_000)}\n`

async function openServe() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-mcp-")))
  const folder = join(root, "workspace")
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write("incipit.yaml", `users: { ${PEOPLE.map((name) => `${name}: { trust: familiar }`).join(", ")} }\n`)
  write("skills/knots/SKILL.md", SKILL)
  mkdirSync(join(root, "home"))
  const env = { HOME: join(root, "home"), INCIPIT_STATE_DIR: join(root, "state") }
  const tokens = PEOPLE.map((user) => {
    const { stdout } = incipit(["token", "add", "--user", user, "--json"], { cwd: folder, env })
    return String(JSON.parse(stdout).token)
  })
  const child = spawn("node", [resolve("bin/incipit.js"), "serve", "--port", "0", "--json"], {
    cwd: folder,
    env: { PATH: process.env.PATH, TZ: "UTC", NODE_OPTIONS: "--max-old-space-size=160", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await once(child, "exit")
    rmSync(root, { recursive: true, force: true })
  })
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  const { url } = JSON.parse(String(line))
  return { child, url: String(url), tokens, write }
}

test("clients that never read fill no memory, and others are answered", async () => {
  const { child, url, tokens, write } = await openServe()
  const { port, host } = new URL(url)
  const opened: Promise<unknown>[] = []
  /** Sends a request as often, and reads nothing but the beginning of its answer. */
  const stall = (person: number, method: string, params: object, { isOld = false, times = 1 } = {}) => {
    const { headers, body } = requestOf(method, { ...params })
    const given = isOld ? { ...headers, "mcp-protocol-version": "2025-11-25" } : headers
    const text = JSON.stringify(isOld ? { ...body, params } : body)
    const lines = Object.entries({
      ...{ ...given, host, authorization: `Bearer ${tokens[person]}` },
      "content-length": String(Buffer.byteLength(text)),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(Number(port), "127.0.0.1")
    onTestFinished(() => void socket.destroy())
    socket.on("error", () => {})
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${text}`.repeat(times))
    opened.push(once(socket, "readable"))
  }
  const prompt = { name: "knots", arguments: {} }
  // 540 MB, if all of them were answered.
  for (let at = 0; at < 60; at += 1) stall(at % 2, "prompts/get", prompt, { isOld: at % 4 < 2, times: 30 })
  for (let at = 0; at < 20; at += 1)
    stall(0, "subscriptions/listen", { notifications: { promptsListChanged: true } })
  await Promise.all(opened)
  const ask = askAs(url, { authorization: `Bearer ${tokens[2]}` })
  for (const name of ["bowline", "hitch", "splice"]) {
    write(`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Ties a ${name}.\n---\nTie it.\n`)
    await vi.waitUntil(async () => (await ask("prompts/list")).includes(`Ties a ${name}.`), {
      timeout: 60_000,
    })
    expect(await ask("prompts/get", { ...prompt })).toContain("Tie a bowline.")
  }
  expect(child.exitCode).toBe(null)
})
