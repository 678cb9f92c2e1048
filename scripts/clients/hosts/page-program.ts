// The program of a host's page: whether it compiles with the host's own types, and what it does.
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { startProvider } from "../../../test/adapters/provider.ts"
import { variablesFor } from "./agent-conversation.ts"
import type { AgentPlace } from "./agent-run.ts"

const ROOT = fileURLToPath(new URL("../../..", import.meta.url))

const STRICT = [
  ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"],
  ...["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "--ignoreConfig"],
]

/** Returns what is wrong with it. */
export async function checkPageProgram(place: AgentPlace, page: string): Promise<string | undefined> {
  const [, text] = /^```ts claude-agent\n([\s\S]*?)^```/m.exec(readFileSync(page, "utf8")) ?? []
  if (text === undefined) return "the page has no program"
  const folder = join(place.folder, "program")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, "node_modules", "@anthropic-ai"), { recursive: true })
  const link = (name: string, target: string) => symlinkSync(target, join(folder, "node_modules", name))
  link("incipit", ROOT)
  link("zod", join(place.modules, "zod"))
  link("@types", join(ROOT, "node_modules", "@types"))
  const sdk = "@anthropic-ai/claude-agent-sdk"
  link(sdk, join(place.modules, sdk))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "program.ts"), text)
  const asked = `import { answer } from "./program.ts"\nconsole.log(await answer("Please read: tides.csv"))\n`
  writeFileSync(join(folder, "ask.ts"), asked)
  const compiler = join(ROOT, "node_modules", ".bin", "tsc")
  const flags = [...STRICT, "--allowImportingTsExtensions"]
  const { stdout } = spawnSync(compiler, [...flags, join(folder, "ask.ts")], {
    encoding: "utf8",
    cwd: folder,
  })
  if (stdout !== "") return `does not compile: ${stdout.slice(0, 300)}`
  const provider = await startProvider()
  const printed = await run(join(folder, "ask.ts"), variablesFor(place.folder, provider.url, false))
  await provider.close()
  const isAnswered = printed.includes("Done: read.") && provider.calls.length === 2
  return isAnswered ? undefined : `it made ${provider.calls.length} calls and printed ${printed.slice(-300)}`
}

function run(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program], { env, cwd: join(program, "..") })
    let text = ""
    const keep = (chunk: Buffer) => {
      text += chunk.toString("utf8")
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.on("close", () => resolve(text))
  })
}
