// Commands that the program suggests are written as they work where it was started.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { incipitHere } from "../here.ts"

const cwd = mkdtempSync(join(tmpdir(), "incipit-typed-"))
writeFileSync(join(cwd, "incipit"), "")
afterAll(() => rmSync(cwd, { recursive: true }))

describe.each([
  { how: "by its name", env: {}, name: "incipit" },
  { how: "through npx", env: { npm_command: "exec" }, name: "npx incipit" },
  { how: "through npx, with one on the path", env: { npm_command: "exec", PATH: cwd }, name: "incipit" },
  { how: "by npm start", env: { npm_command: "start" }, name: "npx incipit" },
])("started $how", ({ env, name }) => {
  test("an error says what to run next", async () => {
    const { stderr } = await incipitHere(["dance"], { cwd, env })
    expect(stderr).toBe(`incipit: there is no command "dance". \`${name} --help\` lists the commands.\n`)
  })

  test("the help ends with first steps", async () => {
    const { stdout } = await incipitHere(["--help"], { cwd, env })
    expect(stdout).toContain(`New here? Take \`${name} tour\`, or create a workspace with \`${name} init\`.`)
  })
})
