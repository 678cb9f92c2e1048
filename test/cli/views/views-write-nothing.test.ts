// Views return lines. They get a page and not the terminal, and they load nothing that could act.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const VIEWS = "src/cli/views"

const names = readdirSync(VIEWS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))

test.each(names)("%s writes nothing and waits for nothing", (name) => {
  const text = readFileSync(join(VIEWS, name), "utf8")
  const acting = text.match(
    /"node:[^"]+"|"(?:\.\.\/)+(?:terminal\.ts|command-line\/[^"]+)"|\b(?:async |await |process\.)/g,
  )
  expect(acting ?? []).toEqual([])
})
