// `write` and `edit`: what is asked, what is done, and that nothing is done that was not agreed to.
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { isProtectedFile } from "../../src/tools/files/protected-files.ts"
import { type Acting, makeActing } from "./acting.ts"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
})
afterEach(() => acting.remove())

const TEXT = "# Tea\n\nBoil the water.\nWait.\nPour the water.\n"

test("a new file, in folders that are not there yet", async () => {
  expect(await acting.call("write", { path: "a/b/c.md", text: "one\ntwo\n" })).toBe(
    "Created a/b/c.md, 2 lines.",
  )
  expect(acting.read("a/b/c.md")).toBe("one\ntwo\n")
  expect(acting.asked).toEqual([{ kind: "edit", path: "a/b/c.md", before: undefined, after: "one\ntwo\n" }])
  expect(acting.touched).toEqual([join(acting.root, "a/b/c.md")])
  expect(readdirSync(join(acting.root, "a/b"))).toEqual(["c.md"])
})

test("a whole file again, with its mode", async () => {
  const path = acting.write("run.sh", "old\n")
  chmodSync(path, 0o751)
  expect(await acting.call("write", { path: "run.sh", text: "new\nlines" })).toBe(
    "Replaced run.sh: 1 line became 2 lines.",
  )
  expect([acting.read("run.sh"), statSync(path).mode & 0o7777]).toEqual(["new\nlines", 0o751])
})

test("what is there already is not asked for", async () => {
  acting.write("a.md", TEXT)
  expect(await acting.call("write", { path: "a.md", text: TEXT })).toBe("a.md already has this text.")
  expect(acting.asked).toEqual([])
})

test("an edit", async () => {
  acting.write("tea.md", TEXT)
  expect(await acting.call("edit", { path: "tea.md", old: "Wait.\n", new: "Wait\nfor\nit.\n" })).toBe(
    "Edited tea.md at line 4: 1 line became 3 lines.",
  )
  const after = TEXT.replace("Wait.", "Wait\nfor\nit.")
  expect(acting.read("tea.md")).toBe(after)
  expect(acting.asked).toEqual([{ kind: "edit", path: "tea.md", before: TEXT, after }])
})

test.each([
  [
    "nowhere",
    { old: "Boil teh water.", new: "" },
    'The old text does not occur in tea.md. The closest is line 3: "Boil the water."',
  ],
  ["nothing like it", { old: "zzzz", new: "" }, "The old text does not occur in tea.md."],
  [
    "twice",
    { old: "the water", new: "it" },
    "The old text occurs 2 times in tea.md; include more of the text around it.",
  ],
  ["the same", { old: "Wait.", new: "Wait." }, "Old and new text are the same."],
  [
    "redacted",
    { old: "Wait.", new: "key = [redacted:aws]" },
    "The text has redacted parts, and writing them would overwrite the real text.",
  ],
  ["an empty piece", { old: "", new: "x" }, "The old text is empty."],
])("an edit that cannot be made: %s", async (_name, input, answer) => {
  acting.write("tea.md", TEXT)
  expect(await acting.call("edit", { path: "tea.md", ...input })).toBe(`failed: ${answer}`)
  expect([acting.asked, acting.read("tea.md")]).toEqual([[], TEXT])
})

test("places that overlap are two", async () => {
  acting.write("a.md", "aaa")
  expect(await acting.call("edit", { path: "a.md", old: "aa", new: "b" })).toBe(
    "failed: The old text occurs 2 times in a.md; include more of the text around it.",
  )
  acting.write("b.md", "a".repeat(200_000))
  expect(await acting.call("edit", { path: "b.md", old: "a".repeat(1_000), new: "b" })).toBe(
    "failed: The old text occurs more than 100 times in b.md; include more of the text around it.",
  )
})

test("line ends and the byte order mark stay as they were", async () => {
  acting.write("dos.txt", "\uFEFFone\r\ntwo\r\nthree\r\n")
  await acting.call("edit", { path: "dos.txt", old: "two\nthree", new: "2\n3\n4" })
  expect(acting.read("dos.txt")).toBe("\uFEFFone\r\n2\r\n3\r\n4\r\n")
  await acting.call("write", { path: "dos.txt", text: "a\nb\n" })
  expect(acting.read("dos.txt")).toBe("\uFEFFa\r\nb\r\n")
  acting.write("mixed.txt", "one\r\ntwo\nthree\nfour\r\nfive")
  await acting.call("edit", { path: "mixed.txt", old: "\nthree\n", new: "\r\n3\r\n" })
  expect(acting.read("mixed.txt")).toBe("one\r\ntwo\n3\nfour\r\nfive")
})

test("an edit changes its piece and no other byte", async () => {
  const line = fc.constantFrom("a", "b", "\n", "\r\n", "é", "👩‍👩‍👧", "$&", "\t")
  const texts = fc.array(line, { maxLength: 8 }).map((parts) => parts.join(""))
  await fc.assert(
    fc.asyncProperty(
      texts,
      texts,
      texts,
      fc.constantFrom("<MARK>", "<MA\nRK>"),
      async (head, tail, put, mark) => {
        const crlf = mark.replaceAll("\n", "\r\n")
        acting.write("p.txt", `${head}${crlf}${tail}`)
        const answer = await acting.call("edit", { path: "p.txt", old: mark, new: put })
        expect(answer).toMatch(/^Edited/)
        const now = acting.read("p.txt")
        expect(now.startsWith(head) && now.endsWith(tail)).toBe(true)
        const middle = now.slice(head.length, now.length - tail.length)
        expect(middle.replaceAll("\r\n", "\n")).toBe(put.replaceAll("\r\n", "\n"))
      },
    ),
    { numRuns: 100, seed: 7 },
  )
})

test("what is no text is not changed", async () => {
  const refused = "is not a text file, or is too large to edit."
  acting.write("bin", Buffer.from([0x61, 0, 0x62]))
  acting.write("latin1.txt", Buffer.from([0x61, 0xe9, 0x62]))
  acting.write("large.txt", Buffer.alloc(11 * 1024 * 1024, "a"))
  for (const path of ["bin", "latin1.txt", "large.txt"]) {
    expect(await acting.call("edit", { path, old: "a", new: "c" })).toBe(`failed: ${path} ${refused}`)
    expect(await acting.call("write", { path, text: "c" })).toBe(`failed: ${path} ${refused}`)
  }
  expect(await acting.call("write", { path: "n.txt", text: "a\0b" })).toBe(
    "failed: The text has a NUL character. Only text can be written.",
  )
  expect(await acting.call("write", { path: ".", text: "c" })).toBe("failed: . is a folder.")
})

test("a no is reported, and nothing is done", async () => {
  acting.write("tea.md", TEXT)
  const approve = () => "no" as const
  expect(await acting.call("edit", { path: "tea.md", old: "Wait.", new: "" }, { approve })).toBe(
    "failed: The change to tea.md was not approved.",
  )
  expect(await acting.call("write", { path: "new/new.md", text: "x" }, { approve })).toBe(
    "failed: The change to new/new.md was not approved.",
  )
  expect([acting.read("tea.md"), readdirSync(acting.root), acting.touched]).toEqual([TEXT, ["tea.md"], []])
})

const CHANGED = "failed: The file was changed in the meantime, so nothing was written. Read it again."

test("what was changed while the user was asked is not lost", async () => {
  acting.write("tea.md", TEXT)
  const changing = (path: string) => () => {
    acting.write(path, "mine")
    return "yes" as const
  }
  const edit = { path: "tea.md", old: "Wait.", new: "" }
  expect(await acting.call("edit", edit, { approve: changing("tea.md") })).toBe(CHANGED)
  expect(await acting.call("write", { path: "n.md", text: "x" }, { approve: changing("n.md") })).toBe(CHANGED)
  expect([acting.read("tea.md"), acting.read("n.md")]).toEqual(["mine", "mine"])
  expect(readdirSync(acting.root)).toEqual(["n.md", "tea.md"])
})

test("a file that became a link, or whose folder did, while the user was asked, is not written through", async () => {
  acting.write("d/a.md", TEXT)
  writeFileSync(join(acting.outside, "a.md"), TEXT)
  const [file, folder] = [join(acting.root, "d/a.md"), join(acting.root, "d")]
  const swapFile = () => {
    renameSync(file, `${file}.old`)
    symlinkSync(join(acting.outside, "a.md"), file)
    return "yes" as const
  }
  const swapFolder = () => {
    renameSync(folder, `${folder}.old`)
    symlinkSync(acting.outside, folder)
    return "yes" as const
  }
  const edit = { path: "d/a.md", old: "Wait.", new: "" }
  expect(await acting.call("edit", edit, { approve: swapFile })).toBe("failed: d/a.md may not be written.")
  renameSync(`${file}.old`, file)
  expect(await acting.call("edit", edit, { approve: swapFolder })).toBe("failed: d/a.md may not be written.")
  expect(await acting.call("write", { path: "d/new.md", text: "x" })).toBe(
    "failed: d/new.md may not be written.",
  )
  expect(readFileSync(join(acting.outside, "a.md"), "utf8")).toBe(TEXT)
  expect(readdirSync(acting.outside)).toEqual(["a.md"])
})

test("a file that became another name of a database while the user was asked is not written", async () => {
  const path = acting.write("tea.md", TEXT)
  const database = acting.write(".incipit/record.db", TEXT)
  const swap = () => {
    renameSync(path, `${path}.old`)
    linkSync(database, path)
    return "yes" as const
  }
  expect(await acting.call("write", { path: "tea.md", text: "x" }, { approve: swap })).toBe(
    "failed: tea.md may not be written.",
  )
  expect(acting.read("tea.md")).toBe(TEXT)
})

test("a link to a file inside is written where it leads, and stays a link", async () => {
  acting.write("real/a.md", TEXT)
  symlinkSync("real/a.md", join(acting.root, "link.md"))
  expect(await acting.call("edit", { path: "link.md", old: "Wait.", new: "Rest." })).toBe(
    "Edited real/a.md at line 4: 1 line became 1 line.",
  )
  expect(acting.read("real/a.md")).toBe(TEXT.replace("Wait", "Rest"))
  expect(lstatSync(join(acting.root, "link.md")).isSymbolicLink()).toBe(true)
})

test("a link that leads nowhere is not filled in", async () => {
  symlinkSync(join(acting.outside, "new.md"), join(acting.root, "dangling.md"))
  expect(await acting.call("write", { path: "dangling.md", text: "x" })).toBe(
    "failed: dangling.md may not be written.",
  )
  expect(readdirSync(acting.outside)).toEqual([])
})

test("what is in the way of a path is reported, and a name that cannot be looked at is not tried", async () => {
  acting.write("tea.md", TEXT)
  expect(await acting.call("write", { path: "tea.md/a/b.md", text: "x" })).toBe(
    "failed: tea.md/a/b.md cannot be written (ENOTDIR).",
  )
  const long = "a".repeat(300)
  expect(await acting.call("write", { path: long, text: "x" })).toBe(`failed: ${long} may not be written.`)
  expect([readdirSync(acting.root), acting.asked.length]).toEqual([["tea.md"], 1])
})

test("an edit to what cannot be shown is not asked for", async () => {
  acting.write("run.sh", "echo\n")
  expect(await acting.call("edit", { path: "run.sh", old: "echo", new: "a command\0" })).toBe(
    "failed: The text has a NUL character. Only text can be written.",
  )
  expect([acting.read("run.sh"), acting.asked]).toEqual(["echo\n", []])
})

test("only at full trust, and never a database of the agent", async () => {
  acting.write("tea.md", TEXT)
  acting.write(".incipit/record.db", "data")
  acting.write(".incipit/SYSTEM.md", "base")
  mkdirSync(join(acting.root, "x"))
  linkSync(join(acting.root, ".incipit/record.db"), join(acting.root, "x/copy.txt"))
  const edit = { path: "tea.md", old: "Wait.", new: "" }
  expect(await acting.call("edit", edit, { trust: "inner" })).toBe("failed: tea.md may not be written.")
  expect(await acting.call("write", { path: "new.md", text: "x" }, { trust: "inner" })).toBe(
    "failed: new.md may not be written.",
  )
  expect(await acting.call("edit", { path: ".incipit/SYSTEM.md", old: "base", new: "b" })).toBe(
    "Edited .incipit/SYSTEM.md at line 1: 1 line became 1 line.",
  )
  for (const name of ["record.db", "RECORD.DB", "record.db-wal", "other.db-journal"])
    expect(await acting.call("write", { path: `.incipit/${name}`, text: "x" })).toBe(
      `failed: .incipit/${name} may not be written.`,
    )
  expect(await acting.call("write", { path: "x/copy.txt", text: "x" })).toBe(
    "failed: x/copy.txt may not be written.",
  )
  expect(await acting.call("edit", { path: ".incipit/record.db", old: "data", new: "x" })).toBe(
    "failed: No such file or folder: .incipit/record.db.",
  )
  expect([acting.read(".incipit/record.db"), acting.read("tea.md")]).toEqual(["data", TEXT])
  // Nobody is asked for what may not be done.
  expect(acting.asked).toEqual([
    { kind: "instructions", path: ".incipit/SYSTEM.md", before: "base", after: "b" },
  ])
})

test("what the prompt was gathered from is asked about as instructions, whatever it is called", async () => {
  const path = acting.write("docs/rules.md", "old")
  const trustOf = (real: string) => (real === path ? "familiar" : undefined)
  await acting.call("write", { path: "docs/rules.md", text: "new" }, { access: { trustOf } })
  await acting.call("write", { path: "docs/rules.md", text: "newer" })
  expect(acting.asked.map(({ kind }) => kind)).toEqual(["instructions", "edit"])
})

test("what git runs is asked about each time, as instructions are", async () => {
  for (const path of [
    ".git/hooks/pre-commit",
    "sub/.git/config",
    "other/.git",
    ".github/ci.yml",
    ".gitignore",
  ])
    await acting.call("write", { path, text: "x" })
  expect(acting.asked.map(({ kind }) => kind)).toEqual([
    ...["instructions", "instructions", "instructions"],
    ...["edit", "edit"],
  ])
})

test("a turn that was stopped while the user was asked writes nothing", async () => {
  const stop = new AbortController()
  const approve = () => {
    stop.abort()
    return "yes" as const
  }
  const calling = { approve, hosting: { signal: stop.signal } }
  await expect(acting.call("write", { path: "a.md", text: "x" }, calling)).rejects.toThrow("aborted")
  expect(readdirSync(acting.root)).toEqual([])
})

test("what a shell, git or an editor runs by itself is agreed to each time, also in a home folder", () => {
  const own = (path: string) => isProtectedFile(join("/home/ada", path), "/home/ada")
  const started = [
    ".bashrc",
    ".profile",
    ".zshenv",
    ".gitconfig",
    ".config/git/config",
    ".ssh/authorized_keys",
  ]
  const more = [
    ".config/systemd/user/x.service",
    ".config/fish/config.fish",
    "code/.envrc",
    "code/.husky/pre-commit",
  ]
  expect([...started, ...more, "code/.vscode/tasks.json"].filter((path) => !own(path))).toEqual([])
  expect(["notes.md", "code/profile", "code/git/config", ".config/notes.md"].filter(own)).toEqual([])
})
