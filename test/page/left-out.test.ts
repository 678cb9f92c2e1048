// The page leaves out sentences that it never shows: of no file that makes or checks a prompt may it need one of them.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { LEFT_OUT } from "../../scripts/build/left-out-of-page.ts"

/** What makes the diagnostics that a prompt has. */
const MAKERS = ["core", "profiles", "sources", "files", "hooks", "workspace", "memory", "signal", "tokens"]

const made = MAKERS.flatMap((folder) =>
  readdirSync(join("src", folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join("src", folder, name), "utf8")),
).join("\n")

const tables = Object.entries(LEFT_OUT).filter(([, name]) => name.endsWith("_DIAGNOSTICS"))

test.each(tables)("no prompt has a diagnostic of %s", async (path, name) => {
  // Known by its name in the build as well.
  const { [name]: table } = (await import(`../../src/base/${path}`)) as Record<string, object>
  const codes = Object.keys(table ?? {})
  expect(codes.length).toBeGreaterThan(3)
  expect(codes.filter((code) => made.includes(`"${code}"`) || made.includes(`code: ${code}`))).toEqual([])
})

test("the page shows no help of an error", () => {
  const files = readdirSync("page", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  expect(files.filter((name) => /\.help\b/.test(readFileSync(join("page", name), "utf8")))).toEqual([])
})
