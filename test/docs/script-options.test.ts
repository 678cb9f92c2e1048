// Scripts of the project that take options say which, also if they are given another one.
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const scripts = globSync(["scripts/**/*.ts", "bench/**/*.ts"]).filter((path) =>
  /= scriptOptions\(/.test(readFileSync(path, "utf8")),
)

test("options are read in one way", () => {
  const others = globSync(["scripts/**/*.ts", "bench/**/*.ts"]).filter((path) =>
    readFileSync(path, "utf8").includes("parseArgs("),
  )
  expect(others).toEqual(["scripts/script-options.ts"])
  expect(scripts).not.toEqual([])
})

const run = (script: string, option: string) =>
  spawnSync(process.execPath, [script, option], { encoding: "utf8" })

test.each(scripts)("%s", (script) => {
  expect(run(script, "--no-such-option")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^Unknown option '--no-such-option'\n(?:node|npm run) .*\[--/),
  })
})

test("--help is what is said of a wrong option", () => {
  const [script = ""] = scripts
  const help = run(script, "--help")
  expect(help).toMatchObject({ status: 0, stderr: "" })
  expect(run(script, "--no-such-option").stderr).toBe(`Unknown option '--no-such-option'\n${help.stdout}`)
})
