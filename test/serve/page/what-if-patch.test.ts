// What If on the server: who gets the input of a prompt, and what a change becomes as a patch, in real files.
import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { WhatIfChanges } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { openWhatIfWorld, type WhatIfWorld } from "../../page/what-if-world.ts"

const ROUTES = [
  ["/api/what-if", {}],
  ["/api/what-if/patch", { changes: {} }],
  ["/api/what-if/apply", { changes: {}, patch: "" }],
] as const
const SOUL_HIDDEN = "The safe is behind the clock."

test("only operators get the input: others get no byte of it, and neither does a group", async () => {
  const world = await openWhatIfWorld({ files: { "SAFE.md": `---\ntrust: full\n---\n${SOUL_HIDDEN}\n` } })
  const callers = [
    await world.token("mirela", "dm", ["talk", "read", "operate"]),
    await world.token("ada", "dm", ["talk", "read"]),
    await world.token("ada", "group", ["talk", "read", "operate"]),
  ]
  for (const [path, body] of ROUTES)
    for (const token of callers) {
      const response = await world.post(path, body, token)
      const text = await response.text()
      expect([path, response.status, text.includes("safe")]).toEqual([path, 403, false])
    }
  const nobody = await fetch(`${world.url}/api/what-if`, { method: "POST", body: "{}" })
  expect(nobody.status).toBe(401)
  const foreign = await fetch(`${world.url}/api/what-if`, {
    method: "POST",
    headers: { origin: "https://evil.example", "content-type": "application/json" },
    body: "{}",
  })
  expect(foreign.status).toBe(403)
})

test("an operator gets what the prompt of another person is made from, and what is withheld from them", async () => {
  const world = await openWhatIfWorld()
  const own = await world.input()
  expect(own.report).toMatchObject({ trust: "full", situation: "dm" })
  const mirela = await world.input({ user: "mirela", situation: "group", message: "Is the winch free?" })
  expect(mirela.report).toMatchObject({ trust: "familiar", situation: "group" })
  expect(mirela.turn.message).toBe("Is the winch free?")
  expect(mirela.agent.files.map(({ path }) => path)).toContain("SOUL.md")
  // Withheld from her prompt, and in its input: the operator sees why.
  const secret = "Swims off the slipway at noon"
  expect(JSON.stringify(own.report.blocks)).toContain(secret)
  expect(JSON.stringify(mirela.report)).not.toContain(secret)
  const stranger = await world.input({ user: null })
  expect(stranger.report.trust).toBe("public")
  expect(own.models[0]).toMatchObject({ id: "anthropic/claude-sonnet-5-5", isConfigured: true })
  const unknown = await world.post("/api/what-if", { user: "nobody" })
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { error: { code: "bad-input", message: 'user: incipit.yaml has no user "nobody"', field: "user" } },
  ])
})

test("a patch changes the lines that were changed, in files and in incipit.yaml, and git applies it", async () => {
  const config = [
    "# Who we are",
    "model: anthropic/claude-sonnet-5-5   # the fast one",
    "",
    "",
    "budget: {window: 200000, reserve: 4096}",
    "users:",
    "    ada:   {trust: full, match: [ 'terminal:*' ]}",
    "prompt:",
    "    sections:",
    "        # Nobody needs them.",
    "        rules:   off",
    "",
  ].join("\n")
  const world = await openWhatIfWorld({ files: { "incipit.yaml": config } })
  const { patch, files } = await world.patch({
    files: { "SOUL.md": `${soulOf(world)}\nKeep it short.\n` },
    sections: { rules: "on", skills: "off", storage: { text: "Nothing is kept.\nReally: nothing." } },
    head: 9000,
    model: "anthropic/claude-opus-5",
  })
  expect(files).toEqual([
    { path: "SOUL.md", isNew: false },
    { path: "incipit.yaml", isNew: false },
  ])
  world.gitApply(patch)
  expect(world.read("SOUL.md")).toMatch(/\nKeep it short\.\n$/)
  expect(world.read("incipit.yaml")).toBe(
    config
      .replace("claude-sonnet-5-5 ", "claude-opus-5 ")
      .replace("reserve: 4096}", "reserve: 4096, head: 9000}")
      .replace(
        "        rules:   off\n",
        "        skills: off\n        storage:\n            text: |-\n                Nothing is kept.\n                Really: nothing.\n",
      ),
  )
  expect((await world.input()).report.sections.find(({ id }) => id === "skills")?.outcome).toEqual({
    ...{ kind: "unused", why: { kind: "switched-off" } },
  })
})

test("without an incipit.yaml, the patch makes one", async () => {
  const world = await openWhatIfWorld({ files: { "incipit.yaml": "" } })
  const { rmSync } = await import("node:fs")
  rmSync(join(world.workspace, "incipit.yaml"))
  const { patch, files } = await world.patch({ sections: { soul: "off" } })
  expect(files).toEqual([{ path: "incipit.yaml", isNew: true }])
  world.gitApply(patch)
  expect(world.read("incipit.yaml")).toBe("prompt:\n  sections:\n    soul: off\n")
})

test("line ends, a missing last one, frontmatter and odd names stay as they are", async () => {
  const world = await openWhatIfWorld({
    files: {
      'rules/é "q".md': "---\ntrust: inner\n---\nOne.\nTwo.",
      "rules/windows.md": "One.\r\nTwo.\r\n",
      "rules/mixed.md": "One.\r\nTwo.\nThree.\nFour.\n",
    },
  })
  const { files } = await world.input()
  expect(files.find(({ path }) => path === "rules/mixed.md")).toEqual({
    ...{ path: "rules/mixed.md", kind: "fixed", why: "rules/mixed.md has line ends of both kinds." },
  })
  const { patch } = await world.patch({
    files: { 'rules/é "q".md': "One.\n2.", "rules/windows.md": "One.\n2.\n" },
  })
  world.gitApply(patch)
  expect(world.read('rules/é "q".md')).toBe("---\ntrust: inner\n---\nOne.\n2.")
  expect(world.read("rules/windows.md")).toBe("One.\r\n2.\r\n")
})

test("what cannot be changed is refused with a reason, and nothing outside of the workspace is touched", async () => {
  const world = await openWhatIfWorld()
  const outside = join(world.workspace, "..", "outside.md")
  writeFileSync(outside, "Outside.\n")
  mkdirSync(join(world.workspace, "..", "elsewhere"))
  writeFileSync(join(world.workspace, "..", "elsewhere", "linked.md"), "Linked.\n")
  symlinkSync("bookings.md", join(world.workspace, "rules", "link.md"))
  linkSync(join(world.workspace, "TOOLS.md"), join(world.workspace, "rules", "hard.md"))
  const refusals: readonly (readonly [WhatIfChanges, string])[] = [
    [{ files: { "../outside.md": "x" } }, "../outside.md is not a file of this prompt."],
    [{ files: { "/etc/passwd": "x" } }, "/etc/passwd is not a file of this prompt."],
    [{ files: { "incipit.yaml": "x" } }, "incipit.yaml is not a file of this prompt."],
    [{ files: { __proto__x: "x" } }, "__proto__x is not a file of this prompt."],
    [
      { files: { "SOUL.md": "a\u0000b" } },
      "The new text of SOUL.md has invisible or control characters, which are not sent.",
    ],
    [
      { files: { "SOUL.md": "---\ntrust: public\n---\nHello.\n" } },
      "The new text of SOUL.md begins with ---, which would be read as settings of the file.",
    ],
    [
      { model: "no spaces please" },
      "The change is not valid: incipit.yaml:3: model: has spaces or invisible characters.",
    ],
  ]
  for (const [changes, message] of refusals) {
    const response = await world.post("/api/what-if/patch", { changes })
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ error: expect.objectContaining({ message }) }),
    ])
  }
  const { files } = await world.input()
  const linked = files.filter(({ path }) => path === "rules/link.md")
  for (const file of linked) expect(file.kind).toBe("fixed")
})

test("what was shown is applied, with the file's mode; a changed file, and another patch, are refused", async () => {
  const world = await openWhatIfWorld({ files: { "rules/windows.md": "One.\r\nTwo.\r\n" } })
  chmodSync(join(world.workspace, "SOUL.md"), 0o640)
  const changes: WhatIfChanges = {
    files: { "SOUL.md": "Short.\n", "rules/windows.md": "One.\n2.\n" },
    sections: { skills: "off" },
  }
  const { patch } = await world.patch(changes)
  const before = world.read("incipit.yaml")
  world.write("SOUL.md", `${soulOf(world)}\nChanged meanwhile.\n`)
  const stale = await world.post("/api/what-if/apply", { changes, patch })
  expect([stale.status, await stale.json()]).toEqual([
    409,
    {
      error: {
        code: "stale-patch",
        message:
          "The files have changed since the patch was shown. Nothing was written. Look at the new patch first.",
      },
    },
  ])
  expect([world.read("SOUL.md").endsWith("Changed meanwhile.\n"), world.read("incipit.yaml")]).toEqual([
    true,
    before,
  ])
  const other = await world.post("/api/what-if/apply", { changes: { head: 1 }, patch })
  expect(other.status).toBe(409)
  const shown = await world.patch(changes)
  const applied = await world.post("/api/what-if/apply", { changes, patch: shown.patch })
  expect([applied.status, await applied.json()]).toEqual([
    200,
    { written: ["SOUL.md", "incipit.yaml", "rules/windows.md"] },
  ])
  expect(world.read("rules/windows.md")).toBe("One.\r\n2.\r\n")
  expect(world.read("SOUL.md")).toBe("Short.\n")
  expect(statSync(join(world.workspace, "SOUL.md")).mode & 0o777).toBe(0o640)
  expect((await world.patch(changes)).patch).toBe("")
})

function soulOf(world: WhatIfWorld): string {
  return world.read("SOUL.md")
}
