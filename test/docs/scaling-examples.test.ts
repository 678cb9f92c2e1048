// The files in examples/scaling: what they start exists, and their own tools accept them as far as these are installed.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parse } from "yaml"
import { COMMANDS } from "../../src/cli/command-line/table/commands.ts"
import { VARIABLES } from "../../src/cli/command-line/variables.ts"
import { incipit } from "../cli/run.ts"

const FOLDER = join("examples", "scaling")
const UNIT = readFileSync(join(FOLDER, "incipit.service"), "utf8")

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

// The test below looks at what it relies on.
const COMPOSE = parse(readFileSync(join(FOLDER, "compose.yaml"), "utf8"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const OURS = Object.entries(COMPOSE.services).filter(([, { build }]) => build !== undefined)

test("the services wait for services that exist, and use volumes that do", () => {
  const { services, volumes } = COMPOSE
  for (const { depends_on: before = {}, volumes: used = [], image, build } of Object.values(services)) {
    expect(Object.keys(before).filter((name) => !(name in services))).toEqual([])
    const named = used.map((volume) => volume.split(":")[0] ?? "").filter((name) => !name.startsWith("."))
    expect(named.filter((name) => !(name in volumes))).toEqual([])
    expect([image, build].filter((one) => one !== undefined)).toHaveLength(1)
  }
  expect(OURS.map(([name]) => name)).toEqual(["migrate", "first", "second"])
})

test("each container of ours runs a command that exists, with variables that it reads", () => {
  const known = [...Object.values(VARIABLES), "PGPASSWORD", "ANTHROPIC_API_KEY", "NODE_OPTIONS"]
  for (const [, { build, command = [], environment = {} }] of OURS) {
    expect(existsSync(join(FOLDER, build?.context ?? "", build?.dockerfile ?? ""))).toBe(true)
    const words = command.filter((word, at) => !word.startsWith("-") && !command[at - 1]?.startsWith("-"))
    expect(COMMANDS.map(({ name }) => name)).toContain(words.join(" "))
    expect(incipit([...command, "--help"]).status).toBe(0)
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
  }
})

test("the unit starts the server, and systemd accepts it", () => {
  const [, program = "", command = ""] = /^ExecStart=(\S+) \/opt\/incipit\/(.*)$/m.exec(UNIT) ?? []
  expect([program, command]).toEqual(["/opt/incipit/node_modules/.bin/node", "bin/incipit.js serve"])
  expect(existsSync("bin/incipit.js")).toBe(true)
  const folder = mkdtempSync(join(tmpdir(), "incipit-unit-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, "incipit.service")
  // The program is not installed there on this machine.
  writeFileSync(path, UNIT.replace(program, "/bin/true"))
  const { error, stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", path], {
    encoding: "utf8",
  })
  // Not every machine has systemd.
  if (error !== undefined) return
  const about = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("incipit.service"))
  expect({ status, about }).toEqual({ status: 0, about: [] })
})
