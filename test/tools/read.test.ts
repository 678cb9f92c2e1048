// `read` as a model sees it: whole answers, cuts at whole lines, and what cannot be read.
import { execFileSync } from "node:child_process"
import { closeSync, ftruncateSync, linkSync, mkdirSync, openSync, symlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Acting, makeActing } from "./acting.ts"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
})
afterEach(() => acting.remove())

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n")

test("a file, whole and by lines", async () => {
  const path = acting.write("notes/a.md", "\uFEFFone\r\ntwo\r\nthree\r\n")
  expect(await acting.call("read", { path: "notes/a.md" })).toBe("one\ntwo\nthree")
  expect(await acting.call("read", { path })).toBe("one\ntwo\nthree")
  expect(await acting.call("read", { path: "notes/a.md", from: 2, lines: 1 })).toBe(
    "two\n[line 3 is left out; continue with from=3]",
  )
  expect(await acting.call("read", { path: "notes/a.md", from: 3 })).toBe("three")
  expect(acting.touched).toEqual([path, path, path, path])
})

test("a long file is cut at a whole line that can be continued from", async () => {
  acting.write("long.txt", `${numbered(5_000)}\n`)
  let from: number | undefined = 1
  const seen: string[] = []
  while (from !== undefined) {
    const answer = await acting.call("read", { path: "long.txt", from }, { mostTokens: 3_000 })
    const lines = answer.split("\n")
    const [, next] = /continue with from=(\d+)\]$/.exec(answer) ?? []
    seen.push(...(next === undefined ? lines : lines.slice(0, -1)))
    from = next === undefined ? undefined : Number(next)
  }
  expect(seen.join("\n")).toBe(numbered(5_000))
})

test("the words of the cut", async () => {
  acting.write("long.txt", numbered(400))
  const answer = await acting.call("read", { path: "long.txt" }, { mostTokens: 200 })
  expect(answer.split("\n").slice(-2)).toEqual([
    "line 25",
    "[lines 26 to 400 are left out; continue with from=26]",
  ])
})

test("a line that is too long is shown from its beginning", async () => {
  acting.write("one.json", `${"ab ".repeat(100_000)}\nnext`)
  const answer = await acting.call("read", { path: "one.json" }, { mostTokens: 200 })
  expect(answer).toBe(
    `${"ab ".repeat(100).trim()}\n[line 1 is too long; only its beginning is shown; line 2 is left out; continue with from=2]`,
  )
})

test.each([
  ["past the end", { path: "a.md", from: 4 }, "failed: a.md has 3 lines; there is no line 4."],
  ["far past the end", { path: "a.md", from: 1e9 }, "failed: a.md has 3 lines; there is no line 1000000000."],
  ["nothing in it", { path: "empty.md" }, "empty.md is empty."],
  ["a folder", { path: "notes" }, "failed: notes is a folder."],
  ["a missing file", { path: "zzz.md" }, "failed: No such file or folder: zzz.md."],
  ["a misspelt name", { path: "notse" }, "failed: No such file or folder: notse. Did you mean notes?"],
  ["below a file", { path: "a.md/b" }, "failed: No such file or folder: a.md/b."],
  ["binary data", { path: "image.bin" }, "failed: image.bin is not a text file (4 bytes)."],
  ["a pipe", { path: "pipe" }, "failed: pipe is not a regular file."],
  ["a name with a line in it", { path: "a\nb" }, 'failed: No such file or folder: "a\\nb".'],
  [
    "line 0",
    { path: "a.md", from: 0 },
    "failed: The input is not valid: from: Too small: expected number to be >=1.",
  ],
  [
    "NaN",
    { path: "a.md", from: Number.NaN },
    "failed: The input is not valid: from: Invalid input: expected number, received NaN.",
  ],
  [
    "half a line",
    { path: "a.md", lines: 1.5 },
    "failed: The input is not valid: lines: Invalid input: expected int, received number.",
  ],
  [
    "no path",
    {},
    "failed: The input is not valid: path: Invalid input: expected string, received undefined.",
  ],
  [
    "another key",
    { path: "a.md", offset: 1 },
    'failed: The input is not valid: input: Unrecognized key: "offset".',
  ],
])("%s", async (_name, input, answer) => {
  acting.write("a.md", "1\n2\n3\n")
  acting.write("empty.md", "")
  acting.write("image.bin", Buffer.from([1, 0, 2, 3]))
  mkdirSync(join(acting.root, "notes"))
  execFileSync("mkfifo", [join(acting.root, "pipe")])
  expect(await acting.call("read", input)).toBe(answer)
})

test("a file of a hundred megabytes is not a problem", async () => {
  const path = join(acting.root, "huge.log")
  const handle = openSync(path, "w")
  writeSync(handle, `${numbered(2_000)}\n`)
  ftruncateSync(handle, 100 * 1024 * 1024)
  closeSync(handle)
  expect(await acting.call("read", { path: "huge.log", from: 1_999, lines: 2 })).toBe(
    "line 1999\nline 2000\n[line 2001 is left out; continue with from=2001]",
  )
})

test("names in any script", async () => {
  for (const name of ["日本語.md", "e\u0301te\u0301.md", "👩‍👩‍👧.md", "with space.md", "-rf.md", "$(x).md"]) {
    acting.write(name, name)
    expect(await acting.call("read", { path: name })).toBe(name)
  }
})

test("a workspace file is found from another working directory, and one of the home folder by its ~", async () => {
  const work = join(acting.root, "..", "work")
  const home = join(acting.root, "..", "home")
  mkdirSync(work)
  mkdirSync(join(home, ".incipit", "skills", "tea"), { recursive: true })
  acting.write("SOUL.md", "I am.")
  acting.write("../home/.incipit/skills/tea/SKILL.md", "Boil water.")
  acting.write("../home/diary.md", "secret")
  const access = { directory: work, home }
  expect(await acting.call("read", { path: "SOUL.md" }, { access })).toBe("I am.")
  expect(await acting.call("read", { path: "~/.incipit/skills/tea/SKILL.md" }, { access })).toBe(
    "Boil water.",
  )
  expect(await acting.call("read", { path: "~/diary.md" }, { access })).toBe(
    "failed: No such file or folder: ~/diary.md.",
  )
})

test("what may not be read looks like what is not there", async () => {
  acting.write("USER.md", "private")
  acting.write("USES.md", "open")
  acting.write("HEARTBEAT.md", "private")
  symlinkSync("USER.md", join(acting.root, "alias.md"))
  linkSync(join(acting.root, "USER.md"), join(acting.root, "twin.md"))
  const asked = (path: string) => acting.call("read", { path }, { trust: "familiar" })
  expect(await asked("USER.md")).toBe("failed: No such file or folder: USER.md. Did you mean USES.md?")
  expect(await asked("HEARTBEAT.md")).toBe("failed: No such file or folder: HEARTBEAT.md.")
  expect(await asked("alias.md")).toBe("failed: No such file or folder: alias.md.")
  expect(await asked("twin.md")).toBe("failed: No such file or folder: twin.md.")
  const before = await asked("USER.md")
  acting.remove()
  acting = makeActing()
  acting.write("USES.md", "open")
  expect(await asked("USER.md")).toBe(before)
  expect(acting.touched).toEqual([])
})

test("names of a folder that may not be read are not reported, not even those that may", async () => {
  acting.write("users/bob/USER.md", "bob")
  const more = { trust: "inner", access: { person: "bob" } } as const
  expect(await acting.call("read", { path: "users/bob/USER.md" }, more)).toBe("bob")
  expect(await acting.call("read", { path: "users/bo" }, more)).toBe(
    "failed: No such file or folder: users/bo.",
  )
})

test("a stopped turn stops reading", async () => {
  acting.write("a.md", "1")
  const signal = AbortSignal.abort()
  await expect(acting.call("read", { path: "a.md" }, { hosting: { signal } })).rejects.toThrow("aborted")
})

test("without a running agent it says so", async () => {
  expect(await acting.call("read", { path: "a.md" }, { host: undefined } as never)).toBe(
    "failed: This needs a running agent.",
  )
})
