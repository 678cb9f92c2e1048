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

test.each(scripts)("%s", (script) => {
  const run = (option: string) => spawnSync(process.execPath, [script, option], { encoding: "utf8" })
  const [help, wrong] = [run("--help"), run("--no-such-option")]
  expect(help.stdout).toMatch(/^(?:node|npm run) .*\[--/)
  expect(help).toMatchObject({ status: 0, stderr: "" })
  expect(wrong).toMatchObject({
    status: 2,
    stdout: "",
    stderr: `Unknown option '--no-such-option'\n${help.stdout}`,
  })
})
