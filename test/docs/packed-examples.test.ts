// The package brings the examples that its documents mention, and they run in a project that has installed it.
import { execFile, execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
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
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import packageJson from "../../package.json" with { type: "json" }

const project = mkdtempSync(join(tmpdir(), "incipit-project-"))
const installed = join(project, "node_modules", "incipit")
const run = promisify(execFile)

/** Modules of a program, not programs. */
const PARTS = ["messages-api.ts", "messages-server.ts", "responses-server.ts", "support-data.ts"]
const programs = ["programs", "api"].flatMap((folder) =>
  readdirSync(join("examples", folder))
    .filter((name) => name.endsWith(".ts") && !PARTS.includes(name))
    .map((name) => join("examples", folder, name)),
)

beforeAll(() => {
  // `dist/` is there already, and a second build beside other tests would take it away from them.
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", project]
  const [tarball = ""] = execFileSync("npm", args, { encoding: "utf8" }).trim().split("\n").slice(-1)
  mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["-xzf", join(project, tarball), "-C", installed, "--strip-components", "1"])
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
  // What its examples need besides it.
  for (const name of Object.keys(packageJson.devDependencies)) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true })
    symlinkSync(resolve("node_modules", name), join(project, "node_modules", name))
  }
  cpSync(join(installed, "examples"), join(project, "examples"), { recursive: true })
})

afterAll(() => rmSync(project, { recursive: true }))

test("every example that the documents mention is in the package", () => {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  )
  const named = ["README.md", ...pages.map((name) => join("docs", name))].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\bexamples\/[\w./-]*[\w-]/g)].map(([path]) => path),
  )
  expect(named.length).toBeGreaterThan(20)
  expect([...new Set(named)].filter((path) => !existsSync(join(installed, path)))).toEqual([])
})

test("they name the package as its users do", () => {
  const files = readdirSync(join(installed, "examples"), { recursive: true, encoding: "utf8" })
  const inward = files.filter(
    (name) =>
      name.endsWith(".ts") &&
      /from "[./]+\/src\//.test(readFileSync(join(installed, "examples", name), "utf8")),
  )
  expect(inward).toEqual([])
})

test("they run where the package is installed", async () => {
  const env = { PATH: process.env.PATH, HOME: project, TZ: "UTC" }
  const ended = await Promise.allSettled(programs.map((path) => run("node", [path], { cwd: project, env })))
  const failed = ended.flatMap((end, at) =>
    end.status === "rejected" ? [`${programs[at]}: ${String(end.reason)}`] : [],
  )
  expect(programs.length).toBeGreaterThan(10)
  expect(failed).toEqual([])
})
