// `incipit run` where no answer comes: a script that reads stdout must not take the reason for one.
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { Ran } from "../run.ts"

/** Runs it against a provider on this machine; `asked` is called with each request. */
async function ran(asked: (stop: () => void) => RequestListener): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-no-answer-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const server = createServer((...exchange) => asked(() => program.kill("SIGINT"))(...exchange))
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  onTestFinished(() => void server.close())
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  const config = `model: lab/x\nproviders: { lab: { url: "http://127.0.0.1:${port}/v1" } }\n`
  writeFileSync(join(folder, "incipit.yaml"), config)
  writeFileSync(join(folder, "SOUL.md"), "Kind.\n")
  const place = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, TZ: "UTC" } }
  for (const kind of ["folder", "hooks"])
    execFileSync("node", [resolve("bin/incipit.js"), kind, "approve", "--yes"], { ...place, stdio: "ignore" })
  const program = spawn("node", [resolve("bin/incipit.js"), "run", "hello"], {
    ...place,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const texts = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const)
    program[name].on("data", (data) => {
      texts[name] += data
    })
  const status = await new Promise<number | null>((done) => program.on("close", done))
  server.closeAllConnections()
  return { ...texts, status }
}

test("stopped while the model is asked", async () => {
  expect(await ran((stop) => stop)).toEqual({
    stdout: "",
    stderr: "Stopped: no answer was written yet.\n",
    status: 2,
  })
})

test("kept for later, since the provider asks to wait", async () => {
  const limit: RequestListener = (_request, response) => {
    response.writeHead(429, { "content-type": "application/json", "retry-after": "3600" })
    response.end('{"error":{"message":"slow down"}}')
  }
  const { stderr, ...rest } = await ran(() => limit)
  expect(rest).toEqual({ stdout: "", status: 2 })
  const plain = stderr
    .replace(/(?<=will be retried: ).*(?=\.\n)/, "<when>")
    .replaceAll(/\b01\w{18}\b/g, "<turn>")
  expect(plain).toBe(
    `The model cannot answer now (429: slow down). Your message is kept and will be retried: <when>.
To try at once: incipit queue retry <turn>. To give up: incipit queue drop <turn>. \`incipit run --schedule\` keeps running and tries by itself.
`,
  )
})

test("refused by the provider", async () => {
  const refuse: RequestListener = (_request, response) => {
    response.writeHead(400, { "content-type": "application/json" })
    response.end('{"error":{"message":"no such model"}}')
  }
  expect(await ran(() => refuse)).toEqual({
    stdout: "",
    stderr:
      "This message cannot be answered: the model refused it (400: no such model). It is left out of the conversation from now on.\n",
    status: 2,
  })
})
