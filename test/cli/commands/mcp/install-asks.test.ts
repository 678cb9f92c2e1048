// The question of `incipit mcp --install`, on a terminal.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { incipitOnTerminal } from "../../pty.ts"

test("the change is shown and asked about; only a yes writes it", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "incipit-mcp-asks-")))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const path = join(cwd, ".mcp.json")
  const no = incipitOnTerminal(["mcp", "--install", "claude-code"], { cwd })
  await no.shows('+    "incipit": {')
  await no.shows("Write this? [y/N] ")
  no.type("\r")
  await no.shows("Nothing was written.")
  expect(await no.ended).toBe(2)
  expect(existsSync(path)).toBe(false)
  const yes = incipitOnTerminal(["mcp", "--install", "claude-code"], { cwd })
  await yes.shows("Write this? [y/N] ")
  yes.type("y\r")
  await yes.shows(`Added Incipit to ${path}.`)
  expect(await yes.ended).toBe(0)
  expect(Object.keys(JSON.parse(readFileSync(path, "utf8")).mcpServers)).toEqual(["incipit"])
})
