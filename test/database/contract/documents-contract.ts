// What every driver promises about documents: versions for each part, changes that miss nothing, and writes that lose
// nothing. A driver runs it with its own way to open empty documents.
import { expect, test } from "vitest"
import { digest } from "../../../src/base/digest.ts"
import type { Trust } from "../../../src/base/trust.ts"
import type {
  DocumentChanges,
  Documents,
  NewDocument,
  PartVersion,
} from "../../../src/database/contract/memory/documents.ts"

/** Opens the documents of an agent; those of one test share a database. */
export type OpenDocuments = (agent: string) => Promise<Documents>

function note(path: string, text: string, more: Partial<NewDocument> = {}): NewDocument {
  return { store: "social", needs: "public", path, text, ...more }
}

const from = (version: number, store = "social", needs: Trust = "public"): PartVersion => ({
  ...{ store, needs, version },
})

const FAMILIAR = [from(0), from(0, "social", "familiar")]

export function documentsContract(open: () => Promise<OpenDocuments>): void {
  const empty = async () => (await open())("main")

  test("a document that was written is read back whole, with its digest, size and version", async () => {
    const documents = await empty()
    const text = "# Nöte\n\n- tea ☕ and 'quotes' $1\n"
    expect(await documents.write(note("memory/social/a.md", text), { expects: "absent" })).toBe(1)
    const [found, ...others] = await documents.read([
      { store: "social", path: "memory/social/a.md" },
      { store: "social", path: "memory/social/none.md" },
      { store: "shared", path: "memory/social/a.md" },
    ])
    expect(others).toEqual([])
    const entry = {
      ...{ store: "social", needs: "public", path: "memory/social/a.md", version: 1, digest: digest(text) },
      bytes: Buffer.byteLength(text),
      writtenAt: expect.any(Number),
    }
    expect(found).toEqual({ ...entry, text })
    expect(await documents.list()).toEqual([entry])
    expect(await documents.read([])).toEqual([])
  })

  test("versions count the changes of a part, and changes are those after a version", async () => {
    const documents = await empty()
    const origin = (await documents.changes([])).origin
    const parts = async (since: readonly PartVersion[]): Promise<DocumentChanges["parts"]> => {
      const found = await documents.changes(since)
      expect(found.origin).toBe(origin)
      return found.parts
    }
    expect(await parts([from(0)])).toEqual([{ ...from(0), changed: [], removed: [] }])
    await documents.write(note("b.md", "one"), { expects: "absent" })
    await documents.write(note("a.md", "two"), { expects: "absent" })
    expect(await parts([from(0)])).toEqual([{ ...from(2), changed: ["a.md", "b.md"], removed: [] }])
    expect(await parts([from(1)])).toEqual([{ ...from(2), changed: ["a.md"], removed: [] }])
    expect(await documents.remove({ store: "social", path: "b.md" }, { expects: digest("one") })).toBe(3)
    expect(await parts([from(2)])).toEqual([{ ...from(3), changed: [], removed: ["b.md"] }])
    expect(await parts([from(0)])).toEqual([{ ...from(3), changed: ["a.md"], removed: ["b.md"] }])
    expect(await documents.write(note("b.md", "again"), { expects: "absent" })).toBe(4)
    expect(await parts([from(2)])).toEqual([{ ...from(4), changed: ["b.md"], removed: [] }])
    expect(await parts([from(4)])).toEqual([{ ...from(4), changed: [], removed: [] }])
  })

  test("a version that the part has not reached yet counts as none", async () => {
    const documents = await empty()
    await documents.write(note("a.md", "one"), { expects: "absent" })
    expect((await documents.changes([from(7)])).parts).toEqual([
      { ...from(1), changed: ["a.md"], removed: [] },
    ])
  })

  test("a write on another text than the stored one is a conflict, and changes nothing", async () => {
    const documents = await empty()
    const id = { store: "social", path: "a.md" }
    expect(await documents.write(note("a.md", "one"), { expects: digest("zero") })).toBe("conflict")
    expect(await documents.remove(id, { expects: digest("zero") })).toBe("conflict")
    await documents.write(note("a.md", "one"), { expects: "absent" })
    expect(await documents.write(note("a.md", "two"), { expects: "absent" })).toBe("conflict")
    expect(await documents.write(note("a.md", "two"), { expects: digest("zero") })).toBe("conflict")
    expect(await documents.remove(id, { expects: digest("zero") })).toBe("conflict")
    expect((await documents.changes([from(0)])).parts).toEqual([
      { ...from(1), changed: ["a.md"], removed: [] },
    ])
    expect((await documents.read([id])).map(({ text }) => text)).toEqual(["one"])
    expect(await documents.write(note("a.md", "two"), { expects: digest("one") })).toBe(2)
  })

  test("the same text again is no change, whatever was expected", async () => {
    const documents = await empty()
    await documents.write(note("a.md", "one"), { expects: "absent" })
    expect(await documents.write(note("a.md", "one"), { expects: "absent" })).toBe(1)
    expect(await documents.write(note("a.md", "one"), { expects: digest("one") })).toBe(1)
    expect((await documents.changes([from(1)])).parts).toEqual([{ ...from(1), changed: [], removed: [] }])
  })

  test("a document that requires other trust moves to another part, and is gone from the first", async () => {
    const documents = await empty()
    await documents.write(note("a.md", "one"), { expects: "absent" })
    await documents.write(note("a.md", "closed", { needs: "familiar" }), { expects: digest("one") })
    expect((await documents.changes(FAMILIAR)).parts.toSorted(byNeeds)).toEqual([
      { ...from(1, "social", "familiar"), changed: ["a.md"], removed: [] },
      { ...from(2), changed: [], removed: ["a.md"] },
    ])
    expect((await documents.list()).map(({ needs }) => needs)).toEqual(["familiar"])
    await documents.write(note("a.md", "open"), { expects: digest("closed") })
    expect(
      (await documents.changes([from(2), from(1, "social", "familiar")])).parts.toSorted(byNeeds),
    ).toEqual([
      { ...from(2, "social", "familiar"), changed: [], removed: ["a.md"] },
      { ...from(3), changed: ["a.md"], removed: [] },
    ])
    expect((await documents.read([{ store: "social", path: "a.md" }])).map(({ text }) => text)).toEqual([
      "open",
    ])
  })

  test("what happens in one part or store changes nothing in what is asked of another", async () => {
    const documents = await empty()
    await documents.write(note("a.md", "one"), { expects: "absent" })
    const before = await documents.changes(FAMILIAR)
    await documents.write(note("s.md", "secret", { needs: "full" }), { expects: "absent" })
    await documents.write(note("p.md", "private", { store: "private" }), { expects: "absent" })
    await documents.write(note("p.md", "more", { store: "private" }), { expects: digest("private") })
    await documents.remove({ store: "private", path: "p.md" }, { expects: digest("more") })
    expect(await documents.changes(FAMILIAR)).toEqual(before)
    expect(await documents.write(note("b.md", "two"), { expects: "absent" })).toBe(2)
  })

  test("with `others`, parts that were not asked for come from the beginning", async () => {
    const documents = await empty()
    await documents.write(note("a.md", "one"), { expects: "absent" })
    await documents.write(note("d.md", "diary", { store: "diary", needs: "full" }), { expects: "absent" })
    expect((await documents.changes([from(1)], { others: true })).parts.toSorted(byNeeds)).toEqual([
      { ...from(1, "diary", "full"), changed: ["d.md"], removed: [] },
      { ...from(1), changed: [], removed: [] },
    ])
  })

  test("agents have documents of their own in one database", async () => {
    const opened = await open()
    const [main, other] = [await opened("main"), await opened("other")]
    await main.write(note("a.md", "one"), { expects: "absent" })
    expect(await other.list()).toEqual([])
    expect((await other.changes([from(0)], { others: true })).parts).toEqual([
      { ...from(0), changed: [], removed: [] },
    ])
    expect(await other.write(note("a.md", "two"), { expects: "absent" })).toBe(1)
    expect((await other.changes([])).origin).toBe((await main.changes([])).origin)
  })

  test("of writes at once on the same text, one is made, and versions have no gaps", async () => {
    const documents = await empty()
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        documents.write(note("a.md", `text ${at}`), { expects: "absent" }),
      ),
    )
    expect(made.filter((one) => one !== "conflict")).toEqual([1])
    const spread = await Promise.all(
      Array.from({ length: 12 }, (_, at) => documents.write(note(`${at}.md`, "text"), { expects: "absent" })),
    )
    expect(spread.map(Number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 2),
    )
  })

  test("documents that change parts in opposite directions at once do not block each other", async () => {
    const documents = await empty()
    await documents.write(note("up.md", "0"), { expects: "absent" })
    await documents.write(note("down.md", "0", { needs: "full" }), { expects: "absent" })
    for (let round = 0; round < 10; round += 1) {
      const [up, down] = round % 2 === 0 ? (["full", "public"] as const) : (["public", "full"] as const)
      const expects = { expects: digest(`${round}`) }
      const made = await Promise.all([
        documents.write(note("up.md", `${round + 1}`, { needs: up }), expects),
        documents.write(note("down.md", `${round + 1}`, { needs: down }), expects),
      ])
      expect(made).not.toContain("conflict")
    }
  })
}

function byNeeds(a: PartVersion, b: PartVersion): number {
  return a.needs < b.needs ? -1 : a.needs > b.needs ? 1 : 0
}
