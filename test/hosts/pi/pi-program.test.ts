// The program `pi` with an extension as it is published: a package whose package.json names it, which imports the built
// package. And the extension's types beside those of pi.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { startProvider } from "../../adapters/provider.ts"
import { PI } from "./pi-sessions.ts"

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "incipit-pi-program-"))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to)
}

test("`pi --extension` loads the example's package, and what it sends has its sections", async () => {
  const provider = await startProvider()
  onTestFinished(() => provider.close())
  const home = folder()
  const example = join(home, "harbour-for-pi")
  cpSync("examples/pi", example, { recursive: true })
  link(resolve("."), join(example, "node_modules/incipit"))
  mkdirSync(join(home, ".pi/agent"), { recursive: true })
  const providers = { anthropic: { baseUrl: provider.url, apiKey: "none" } }
  writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers }))
  const asked = [
    "--offline",
    "--provider",
    "anthropic",
    "--model",
    "claude-sonnet-4-5",
    "--extension",
    example,
  ]
  const child = spawn(
    process.execPath,
    [join(PI, "dist/bundle/cli.js"), ...asked, "-p", "Please answer: who is in?"],
    {
      cwd: home,
      env: {
        ...{ PATH: process.env.PATH, HOME: home, NODE_PATH: process.env.NODE_PATH },
        ...{ PI_OFFLINE: "1", PI_TELEMETRY: "0" },
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk
    })
  const [status] = await once(child, "close")
  expect({ status, printed }).toEqual({ status: 0, printed: "Done: answer.\n" })
  const [call] = provider.calls
  expect(call?.text).toContain("<incipit>\\n<base>\\nYou are the harbour master.\\n</base>")
  expect(call?.text).toMatch(/<clock>\\nIt is \d{4}-\d\d-\d\dT\d\d:\d\d in UTC\.\\n<\/clock>/)
  expect(call?.text).not.toContain("crowns")
})

test("the extension is one of pi's to a strict compiler, and a mistake is found", () => {
  const project = folder()
  link(resolve("."), join(project, "node_modules/incipit"))
  link(resolve("node_modules/@types/node"), join(project, "node_modules/@types/node"))
  link(PI, join(project, "node_modules/@earendil-works/pi-coding-agent"))
  const program = [
    'import type { ExtensionAPI, ExtensionFactory } from "@earendil-works/pi-coding-agent"',
    'import { definePrompt, text } from "incipit"',
    'import { openChat } from "incipit/pi"',
    'const chat = openChat(definePrompt({ sections: { base: text("Hello") } }), { id: "ada" })',
    "export const factory: ExtensionFactory = chat.extension",
    "export default (pi: ExtensionAPI) => chat.extension(pi)",
    "export const wrong = (pi: ExtensionAPI) => chat.extension(pi.events)",
  ]
  writeFileSync(join(project, "program.ts"), program.join("\n"))
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
  const compilerOptions = {
    ...{ target: "es2024", module: "nodenext", types: ["node"], noEmit: true, skipLibCheck: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
  const { stdout } = spawnSync(resolve("node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8" })
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"))
  expect(errors.map((line) => /program\.ts\(\d+/.exec(line)?.[0])).toEqual(["program.ts(7"])
})
