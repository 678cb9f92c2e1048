// Names of a folder that comes from elsewhere, on a terminal: nothing in them moves the cursor, nor hides.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { visibleView } from "../../../src/cli/chat/screen/visible.ts"
import { painter } from "../../../src/cli/views/colour.ts"
import { incipitOnTerminal } from "../pty.ts"
import { warmIncipit as incipit } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-hostile-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("a name is written out, on either stream", async () => {
  const skill = join(folder, "skills", "tea\u001b[2J")
  mkdirSync(skill, { recursive: true })
  writeFileSync(join(skill, "SKILL.md"), "---\nname: tea\ndescription: Makes tea.\n---\nBoil.\n")
  const shown = incipitOnTerminal(["skills"], { cwd: folder, columns: 200 })
  await shown.ended
  expect(shown.written().split("\n", 2)).toEqual([
    String.raw`tea   listed    skills/tea\u001b[2J/SKILL.md    Makes tea.`,
    "1 skill found",
  ])
  const { stderr } = incipit(["skills", "--agent", "a\u001b[2J"], { cwd: folder })
  expect(stderr.split(".", 1)).toEqual([String.raw`incipit: there is no agent "a\u001b[2J"`])
})

test("the name of a model has nothing to hide", () => {
  writeFileSync(join(folder, "incipit.yaml"), String.raw`model: "offline/a\e[2J"`)
  const { stdout, stderr } = incipit(["models"], { cwd: folder })
  expect(stderr).toBe(
    "warning: incipit.yaml:1: a value contains escaped control characters or hidden text. They were removed. [escaped-characters]\n",
  )
  expect(stdout).toContain("offline/a[2J")
  rmSync(join(folder, "incipit.yaml"))
})

test("of what is not seen only lines and the colours of a painter stay", () => {
  const paint = painter({ colour: true })
  const text = `${paint("red", paint("bold", "a"))}\n${paint("dim", "b")}\r\n`
  expect([visibleView(text), visibleView("\r\u001b[K1 of 2")]).toEqual([text, "\r\u001b[K1 of 2"])
  const colours = new RegExp(`${paint("red", "").slice(0, 1)}\\[(?:[1-49]|2[2-49]|3[1-69])m`, "g")
  const odd = fc.constantFrom(
    "\u001b",
    "[",
    "8",
    "3",
    "m",
    "K",
    "\r",
    "\n",
    "\u009b",
    "\u202e",
    "\u0007",
    "a",
  )
  fc.assert(
    fc.property(fc.string({ unit: odd }), (given) => {
      const left = visibleView(`x${given}`).replaceAll(colours, "").replaceAll(/\r?\n/g, "")
      return !/\p{C}/u.test(left)
    }),
  )
})
