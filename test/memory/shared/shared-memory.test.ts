import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, describe, expect, test } from "vitest"
import { digest } from "../../../src/base/digest.ts"
import { atLeast, type Trust } from "../../../src/base/trust.ts"
import type { NewDocument } from "../../../src/database/contract/memory/documents.ts"
import { gatherMemory } from "../../../src/sources/memory-files.ts"
import { NO_SERVER, testServer } from "../../database/postgres/postgres-server.ts"
import { memoryFolder } from "../folder.ts"
import { type Machine, machineFolder, machines } from "./machine.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "memory in a database", () => {
  const server = testServer()
  const world = machines()
  afterEach(() => world.close())

  const run = promisify(execFile)
  const OWNER = { trust: "full", by: "ada", now: 0 } as const

  async function put(machine: Machine, path: string, text: string, more: Partial<NewDocument> = {}) {
    const store = path === "MEMORY.md" ? "private" : (path.split("/")[1] ?? "")
    const [old] = await machine.documents.read([{ store, path }])
    const document = { store, path, needs: "public", text, ...more } as const
    expect(await machine.documents.write(document, { expects: old?.digest ?? "absent" })).not.toBe("conflict")
  }

  /** Everything that this trust learns from memory. */
  async function seenBy({ memory, workspace }: Machine, trust: Trust) {
    await memory.catchUp?.({ trust })
    const options = { trust, limit: 50, budget: 9_999 }
    return {
      search: memory.search("lantern tea harbour", options),
      recall: memory.recall("Where is the Lantern of Carol?", { trust, budget: 500 }),
      recent: memory.recent({ trust, until: "2030-01-01", limit: 50 }),
      get: memory.get("social/people.md", { trust }),
      hidden: memory.get("private/codes.md", { trust }),
      status: memory.status({ trust }),
      menu: gatherMemory(workspace()).value.filter((file) => atLeast(trust, file.trust)),
    }
  }

  test("what one machine wrote is found by the next search of another", async () => {
    const url = server.newUrl()
    const [one, two] = [await world.open(url), await world.open(url)]
    expect(await seenBy(two, "full")).toMatchObject({ search: { status: "empty", hits: [] } })
    const written = await one.memory.write("Carol keeps the lantern oil", {
      ...OWNER,
      path: "social/people.md",
    })
    expect(written).toEqual({ status: "written", path: "social/people.md", lines: [2, 2] })
    const { search } = await seenBy(two, "familiar")
    expect(search).toMatchObject({ status: "ok", hits: [{ path: "social/people.md", lines: [2, 2] }] })
    expect(one.memory.search("lantern", { trust: "familiar" }).hits).toHaveLength(1)
    const again = await two.memory.write("Carol keeps the lantern oil", { ...OWNER, path: "social/b.md" })
    expect(again).toMatchObject({ status: "refused", why: "duplicate" })
    expect(existsSync(join(one.path, "workspace", "memory"))).toBe(false)
  })

  test("a search answers the same from the database as from files", async () => {
    const files: Readonly<Record<string, string>> = {
      "social/people.md": "# People\n\n- Carol: keeps the lantern oil\n- Bob: drinks tea at the harbour\n",
      "social/2026-01-05.md": "- the harbour lantern was painted\n",
      "shared/plans.md": "---\ntrust: full\n---\n\n- the lantern of the harbour is for sale\n",
      "private/codes.md": "- the lantern door opens with HERRING\n",
    }
    const folder = memoryFolder(files)
    const machine = await world.open(server.newUrl())
    for (const [path, text] of Object.entries(files))
      await put(machine, `memory/${path}`, text, path === "shared/plans.md" ? { needs: "full" } : {})
    await machine.memory.refresh()
    try {
      for (const query of ["harbour lantern", "who drinks tea?", "painted in January", "herring"])
        expect(machine.memory.search(query, { trust: "full" })).toEqual(
          folder.memory.search(query, { trust: "full" }),
        )
      const inner = machine.memory.search("lantern sale", { trust: "inner" })
      expect(inner.hits.map(({ path }) => path).toSorted()).toEqual([
        ...["social/2026-01-05.md", "social/people.md", "social/people.md"],
      ])
    } finally {
      await folder.remove()
    }
  })

  test("two processes that write one document at once lose nothing", async () => {
    const url = server.newUrl()
    const machine = await world.open(url)
    const paths = ["a", "b", "c"].map((name) => ({ name, path: machineFolder() }))
    // Two of them share a copy.
    const workers = [...paths, { name: "d", path: paths[0]?.path ?? "" }].map(async ({ name, path }) => {
      const { stdout } = await run(process.execPath, ["test/memory/shared/worker.ts", path, url, name, "12"])
      return JSON.parse(stdout) as unknown
    })
    expect(await Promise.all(workers)).toEqual(Array(4).fill({ written: 12 }))
    for (const { path } of paths) rmSync(path, { recursive: true })
    const [log] = await machine.documents.read([{ store: "social", path: "memory/social/log.md" }])
    const entries = log?.text.split("\n").filter((line) => line.startsWith("- ")) ?? []
    const wanted = ["a", "b", "c", "d"].flatMap((name) =>
      Array.from({ length: 12 }, (_, round) => `- lantern ${name} round ${round}`),
    )
    expect(entries.toSorted()).toEqual(wanted.toSorted())
    expect(log?.version).toBe(48)
    // In the order in which each process wrote them.
    const ofA = entries.filter((entry) => entry.startsWith("- lantern a "))
    expect(ofA).toEqual(wanted.slice(0, 12))
  })

  test("what a reader may not see changes nothing that the reader gets, not even in the copy", async () => {
    const url = server.newUrl()
    const [writer, reader] = [await world.open(url), await world.open(url)]
    await put(writer, "memory/social/people.md", "- 2026-01-02: Carol keeps the lantern at the harbour\n")
    const before = await seenBy(reader, "familiar")
    expect(before.search.hits).toHaveLength(1)
    const copied = () => readdirSync(reader.copy, { recursive: true }).map(String).sort()
    const files = copied()
    const answers = answersTo(reader)
    await reader.memory.catchUp?.({ trust: "familiar" })
    const quiet = answers.splice(0)
    for (let round = 0; round < 5; round += 1) {
      await put(writer, "memory/private/codes.md", `- the lantern harbour code ${round}\n`)
      await put(writer, `memory/shared/lantern-${round}.md`, "- tea at the harbour lantern of Carol\n")
      await put(writer, "MEMORY.md", `- 2026-01-0${round + 1}: lantern tea harbour\n`)
      await put(writer, `memory/diary/${round}.md`, `- tea ${round} at the harbour lantern\n`)
      await put(
        writer,
        `memory/social/closed-${round}.md`,
        "---\ntrust: inner\n---\n\n- lantern tea harbour Carol\n",
        {
          needs: "inner",
        },
      )
      expect(await seenBy(reader, "familiar")).toEqual(before)
      expect(answers.splice(0)).toEqual(quiet)
      expect(copied()).toEqual(files)
    }
    const full = await seenBy(reader, "full")
    expect(new Set(full.search.hits.map(({ path }) => path.split("/")[0]))).toEqual(
      new Set(["private", "social", "shared", "diary"]),
    )
    expect(await seenBy(reader, "familiar")).toEqual(before)
  })

  /** What the database answers to a machine that asks for changes and documents. */
  function answersTo({ documents }: Machine): unknown[] {
    const seen: unknown[] = []
    const { changes, read } = documents
    const noted = async <T>(answer: Promise<T>): Promise<T> => {
      seen.push(await answer)
      return answer
    }
    Object.assign(documents, {
      changes: (...asked: Parameters<typeof changes>) => noted(changes(...asked)),
      read: (...asked: Parameters<typeof read>) => noted(read(...asked)),
    })
    return seen
  }

  test("a document that changes its trust leaves readers below it, and comes back", async () => {
    const url = server.newUrl()
    const [writer, reader] = [await world.open(url), await world.open(url)]
    const [open, closed] = ["- the lantern is lit\n", "---\ntrust: inner\n---\n\n- the lantern is lit\n"]
    const found = async (trust: Trust) => (await seenBy(reader, trust)).search.hits.length
    await put(writer, "memory/social/a.md", open)
    expect([await found("familiar"), await found("inner")]).toEqual([1, 1])
    await put(writer, "memory/social/a.md", closed, { needs: "inner" })
    expect([await found("familiar"), await found("inner"), await found("familiar")]).toEqual([0, 1, 0])
    await put(writer, "memory/social/a.md", open)
    expect([await found("familiar"), await found("inner")]).toEqual([1, 1])
    await writer.documents.remove({ store: "social", path: "memory/social/a.md" }, { expects: digest(open) })
    expect([await found("familiar"), await found("inner")]).toEqual([0, 0])
  })

  test("a copy or an index that is deleted, damaged or changed is made again", async () => {
    const url = server.newUrl()
    let machine = await world.open(url)
    await put(machine, "memory/social/a.md", "- the lantern of Carol\n")
    await put(machine, "memory/private/b.md", "- the harbour lantern\n")
    const paths = async () => (await seenBy(machine, "full")).search.hits.map(({ path }) => path).toSorted()
    const both = ["private/b.md", "social/a.md"]
    expect(await paths()).toEqual(both)
    rmSync(machine.index)
    expect(await paths()).toEqual(both)
    rmSync(machine.copy, { recursive: true })
    expect(await paths()).toEqual(both)
    const spoil: readonly (() => void)[] = [
      () => rmSync(join(machine.copy, "memory/social/a.md")),
      () => writeFileSync(join(machine.copy, "memory/social/a.md"), "- nothing\n"),
      () => writeFileSync(join(machine.copy, "copy.db"), "damaged ".repeat(2_000)),
      () => writeFileSync(machine.index, "damaged ".repeat(2_000)),
    ]
    for (const spoiled of spoil) {
      await machine.close()
      spoiled()
      machine = await world.again(machine, url)
      expect(await paths()).toEqual(both)
      expect(readFileSync(join(machine.copy, "memory/social/a.md"), "utf8")).toBe("- the lantern of Carol\n")
    }
  })

  test("a copy of another database is thrown away, and one of a database that went back catches up", async () => {
    const [first, second] = [server.newUrl(), server.newUrl()]
    let machine = await world.open(first)
    await put(machine, "memory/social/a.md", "- the lantern of Carol\n")
    await put(machine, "memory/social/b.md", "- the lantern of Bob\n")
    expect((await seenBy(machine, "full")).search.hits).toHaveLength(2)
    machine = await world.again(machine, second)
    await put(machine, "memory/social/c.md", "- the lantern of Dora\n")
    expect((await seenBy(machine, "full")).search.hits.map(({ path }) => path)).toEqual(["social/c.md"])
    expect(readdirSync(join(machine.copy, "memory/social"))).toEqual(["c.md"])
    machine = await world.again(machine, first)
    expect((await seenBy(machine, "full")).search.hits).toHaveLength(2)
    // As after a restored backup.
    await machine.postgres.run("DELETE FROM documents WHERE path = 'memory/social/b.md'")
    await machine.postgres.run("UPDATE document_parts SET version = 1")
    expect((await seenBy(machine, "full")).search.hits.map(({ path }) => path)).toEqual(["social/a.md"])
  })

  test("many documents at once are all copied, and a look that was late changes nothing", async () => {
    const url = server.newUrl()
    const [writer, reader] = [await world.open(url), await world.open(url)]
    for (let at = 0; at < 130; at += 1)
      await put(writer, `memory/social/${at}.md`, `- the lantern number ${at}\n`)
    const names = () => readdirSync(join(reader.copy, "memory/social")).length
    // While the texts are fetched, one document moves out of the reader's sight, and another process sees it.
    const other = await world.beside(reader, url)
    const { read } = reader.documents
    let isMoved = false
    Object.assign(reader.documents, {
      read: async (...asked: Parameters<typeof read>) => {
        const found = await read(...asked)
        if (!isMoved) {
          isMoved = true
          const closed = "---\ntrust: full\n---\n\n- closed\n"
          await put(writer, "memory/social/0.md", closed, { needs: "full" })
          await other.shared.catchUp({ trust: "full" })
        }
        return found
      },
    })
    await reader.shared.catchUp({ trust: "familiar" })
    expect(names()).toBe(130)
    expect(readFileSync(join(reader.copy, "memory/social/0.md"), "utf8")).toContain("trust: full")
    await reader.shared.catchUp({ trust: "full" })
    expect(names()).toBe(130)
    expect((await seenBy(reader, "familiar")).search.hits.map(({ path }) => path)).not.toContain(
      "social/0.md",
    )
  })

  test("while the database is gone, memory answers from the copy and says so, and refuses writes", async () => {
    const machine = await world.open(server.newUrl())
    await put(machine, "memory/social/a.md", "- the lantern of Carol\n")
    expect((await seenBy(machine, "full")).search.status).toBe("ok")
    await machine.postgres.close()
    const { search, recent } = await seenBy(machine, "full")
    const reason = expect.stringMatching(
      /^memory may be out of date: postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres is closed$/,
    )
    expect(search).toMatchObject({ status: "degraded", reason, hits: [{ path: "social/a.md" }] })
    expect(recent).toMatchObject({ status: "degraded", reason })
    expect(await machine.memory.write("Bob likes tea", OWNER)).toEqual({
      ...{ status: "refused", why: "unavailable", reason: "the file cannot be written now" },
    })
  })

  test("no row of a database writes a file outside of the places of documents", async () => {
    const machine = await world.open(server.newUrl())
    const hostile: readonly (readonly [store: string, path: string])[] = [
      ["private", "../outside.md"],
      ["private", "memory/private/../../../outside.md"],
      ["private", "/tmp/outside.md"],
      ["social", "memory/private/other-store.md"],
      ["private", "SOUL.md"],
      ["private", "incipit.yaml"],
      ["private", "memory/private/.hidden.md"],
      ["private", "memory/private/a\\b.md"],
      ["workspace/people", "users/../../up/USER.md"],
      ["..", "memory/../up.md"],
      ["private", "copy.db"],
    ]
    for (const [store, path] of hostile)
      await machine.documents.write(
        { store, path, needs: "public", text: "- lantern\n" },
        { expects: "absent" },
      )
    await put(machine, "memory/private/large.md", "lantern ".repeat(200_000))
    await put(machine, "memory/private/fine.md", "- the lantern of Carol\n")
    const { search } = await seenBy(machine, "full")
    expect(search.hits.map(({ path }) => path)).toEqual(["private/fine.md"])
    const files = readdirSync(machine.copy, { recursive: true, withFileTypes: true })
    expect(
      files.flatMap((file) => (file.isFile() && !file.name.startsWith("copy.db") ? [file.name] : [])),
    ).toEqual(["fine.md"])
    expect(readdirSync(join(machine.path, "state")).toSorted()).toEqual(
      readdirSync(join(machine.path, "state")).filter(
        (name) => name.startsWith("memory.db") || name === "documents",
      ),
    )
  })
})
