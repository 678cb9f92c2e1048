import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NO_SERVER, schemaOf, testServer } from "../../database/postgres/postgres-server.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { incipit } from "../run.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "memory export and import", () => {
  const server = testServer()
  let folder: Folder
  let url: string
  beforeEach(() => {
    folder = makeFolder()
    const files = {
      "agent/MEMORY.md": "- the lamp is green\n",
      "agent/AGENTS.md": "Answer briefly.\n",
      "agent/USER.md": "Ada keeps the light.\n",
      "agent/SOUL.md": "You burn.\n",
      "agent/users/bob/USER.md": "Bob drinks tea.\n",
      "agent/memory/social/people.md": "---\ntrust: inner\n---\n\n- Carol keeps the lantern oil\n",
      "agent/memory/private/deep/er/codes.md": "- HERRING\r\n- Zürich ☕\r\n",
    }
    for (const [path, text] of Object.entries(files)) folder.write(path, text)
    url = server.newUrl()
  })
  afterEach(() => folder.remove())

  function run(...args: readonly string[]) {
    return ran("memory", ...args)
  }

  function ran(...args: readonly string[]) {
    return incipit(args, {
      cwd: join(folder.path, "agent"),
      env: { INCIPIT_DATABASE_URL: url, INCIPIT_STATE_DIR: join(folder.path, "state") },
    })
  }

  const at = (...names: readonly string[]) => join(folder.path, ...names)

  test("memory goes from files into the database, is found there, and comes back the same", () => {
    expect(run("import", ".", "--dry-run")).toEqual({
      stdout: `would write  MEMORY.md
would write  memory/private/deep/er/codes.md
would write  memory/social/people.md
3 documents would be written, 0 unchanged
`,
      ...{ stderr: "", status: 0 },
    })
    expect(run("search", "lamp").stderr).toBe("No match in memory at full trust.\n")
    expect(run("import", ".")).toEqual({
      stdout: `written  MEMORY.md
written  memory/private/deep/er/codes.md
written  memory/social/people.md
3 documents written, 3 verified, 0 unchanged
`,
      ...{ stderr: "", status: 0 },
    })
    rmSync(at("agent/memory"), { recursive: true })
    rmSync(at("agent/MEMORY.md"))
    expect(run("search", "lamp").stdout).toContain("private/MEMORY.md:1")
    const built = ran(
      "build",
      "--text",
      "--tools",
      "agent",
      "--recall",
      "--message",
      "Is the lamp green?",
    ).stdout
    expect(built).toContain(`<memory>
- private/MEMORY.md         ( 6 tok)  the lamp is green
- private/deep/er/codes.md  (10 tok)  HERRING
- social/people.md          ( 8 tok)  Carol keeps the lantern oil
`)
    expect(built).toContain("[memory private/MEMORY.md:1] - the lamp is green\n")
    expect(JSON.parse(ran("status", "--json").stdout).memory.stores).toMatchObject([
      { name: "private", files: 2, fresh: true },
      { name: "shared", files: 0, fresh: true },
      { name: "social", files: 1, fresh: true },
    ])
    expect(run("get", "social/people.md", "--from", "5").stdout).toBe("- Carol keeps the lantern oil\n")
    expect(run("add", "The lamp was painted", "--path", "private/MEMORY.md").stdout).toBe(
      "written to private/MEMORY.md:4\n",
    )
    expect(JSON.parse(run("import", at("agent"), "--all", "--json").stdout)).toEqual({
      documents: [
        { path: "AGENTS.md", fate: "written" },
        { path: "USER.md", fate: "written" },
        { path: "users/bob/USER.md", fate: "written" },
      ],
      ...{ verified: 3, dryRun: false },
    })
    expect(run("export", "../backup", "--json").status).toBe(0)
    expect(readFileSync(at("backup/MEMORY.md"), "utf8")).toMatch(
      /^- the lamp is green\n\n<!-- by owner \| full \| .* -->\n- The lamp was painted\n$/,
    )
    expect(readFileSync(at("backup/memory/private/deep/er/codes.md"), "utf8")).toBe(
      "- HERRING\n- Zürich ☕\n",
    )
    expect(run("import", "../backup", "--all").stdout).toBe("0 documents written, 0 verified, 6 unchanged\n")
    expect(run("export", "../backup").stdout).toBe("0 documents written, 0 verified, 6 unchanged\n")
  })

  test("a text that differs on the other side is left alone without --force", () => {
    run("import", ".")
    writeFileSync(at("agent/MEMORY.md"), "- the lamp is red\n")
    const kept = `differs  MEMORY.md
0 documents written, 0 verified, 2 unchanged, 1 left alone because the text differs (--force replaces it)
`
    expect(run("import", ".")).toEqual({ stdout: kept, stderr: "", status: 1 })
    expect(run("export", ".")).toEqual({ stdout: kept, stderr: "", status: 1 })
    expect(run("get", "private/MEMORY.md").stdout).toBe("- the lamp is green\n")
    expect(readFileSync(at("agent/MEMORY.md"), "utf8")).toBe("- the lamp is red\n")
    expect(run("import", ".", "--force").stdout).toBe(
      "written  MEMORY.md\n1 document written, 1 verified, 2 unchanged\n",
    )
    expect(run("get", "private/MEMORY.md").stdout).toBe("- the lamp is red\n")
    writeFileSync(at("agent/MEMORY.md"), "- the lamp is blue\n")
    expect(run("export", ".", "--force").status).toBe(0)
    expect(readFileSync(at("agent/MEMORY.md"), "utf8")).toBe("- the lamp is red\n")
  })

  test("what is not a plain text file of memory is named and not moved", () => {
    writeFileSync(at("secret.md"), "- the secret of the machine\n")
    symlinkSync(at("secret.md"), at("agent/memory/social/link.md"))
    symlinkSync(at("agent/memory/private"), at("agent/memory/linked"))
    writeFileSync(at("agent/memory/social/nul.md"), "a\0b")
    writeFileSync(at("agent/memory/social/latin.md"), Buffer.from([0x41, 0xe4, 0x42]))
    writeFileSync(at("agent/memory/social/large.md"), "x".repeat(1024 * 1024 + 1))
    writeFileSync(at("agent/memory/social/.hidden.md"), "- hidden\n")
    writeFileSync(at("agent/memory/social/data.json"), "{}")
    mkdirSync(at("agent/memory/social/folder.md"))
    expect(run("import", ".")).toEqual({
      stdout: `written  MEMORY.md
written  memory/private/deep/er/codes.md
skipped  memory/social/large.md: it is larger than 1 MB
skipped  memory/social/latin.md: it is not UTF-8 text
skipped  memory/social/link.md: it is not a regular file
skipped  memory/social/nul.md: it has a NUL character
written  memory/social/people.md
3 documents written, 3 verified, 0 unchanged, 4 skipped
`,
      ...{ stderr: "", status: 1 },
    })
    expect(run("search", "secret").stdout).toBe("")
  })

  test("an export writes through no link and to no place outside of its folder", async () => {
    run("import", ".")
    const documents = `${schemaOf(url)}.documents`
    await server.sql(
      `INSERT INTO ${documents} SELECT agent, store, needs, '../outside.md', version, text, digest, bytes, written_at FROM ${documents} WHERE path = 'MEMORY.md'`,
    )
    await server.sql(`UPDATE ${documents} SET text = 'tampered' WHERE path = 'memory/social/people.md'`)
    mkdirSync(at("backup"))
    mkdirSync(at("elsewhere"))
    symlinkSync(at("elsewhere"), at("backup/memory"))
    writeFileSync(at("target.md"), "mine\n")
    symlinkSync(at("target.md"), at("backup/MEMORY.md"))
    expect(run("export", "../backup", "--force")).toEqual({
      stdout: `skipped  ../outside.md: it is not the path of a document
skipped  MEMORY.md: a link is in the way
skipped  memory/private/deep/er/codes.md: its folder is a link or was moved
skipped  memory/social/people.md: its text does not have the digest that the database has for it
0 documents written, 0 verified, 0 unchanged, 4 skipped
`,
      ...{ stderr: "", status: 1 },
    })
    expect(readFileSync(at("target.md"), "utf8")).toBe("mine\n")
  })

  test("without a database, export and import say how to name one", () => {
    url = ""
    for (const command of ["export", "import"])
      expect(run(command, ".")).toEqual({
        stdout: "",
        stderr: expect.stringContaining(
          "no database is set, so memory is files already; name one with --database URL, INCIPIT_DATABASE_URL or database in incipit.yaml",
        ),
        status: 2,
      })
  })
})
