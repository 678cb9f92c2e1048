// A receipt is read only where its request differs from the last one of its session, and what is stored is the same as if
// it had been read whole: however conversations grow, are cut, changed and marked, and whatever is removed in between.
import fc from "fast-check"
import { expect, test } from "vitest"
import { sweepNodes, sweepReceipts, sweepTexts } from "../../../src/database/sqlite/record/sweep.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import { inFile } from "../in-file.ts"
import { FACTS, openTemporary, save } from "../receipt-folder.ts"
import { openFile } from "../record-file.ts"

interface Item {
  readonly role: string
  readonly text: string
  readonly mark: boolean
  readonly number: string
}

const LONG = "A long answer that is kept once. ".repeat(30)

const item: fc.Arbitrary<Item> = fc.record({
  role: fc.constantFrom("user", "assistant"),
  text: fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom(LONG, `${LONG}\ud800`, "hunter2", `hunter2 ${LONG}`, "x", '"},{"role":"user"', "]}"),
  ),
  mark: fc.boolean(),
  number: fc.constantFrom("1", "1", "1", "1.0", "12345678901234567890"),
})

type Change =
  | { readonly kind: "append"; readonly items: readonly Item[] }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "replace"; readonly at: number; readonly item: Item }
  | { readonly kind: "frame"; readonly system: string }
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "prune" }

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant("append" as const), items: fc.array(item, { maxLength: 3 }) }),
    weight: 5,
  },
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(6) }),
  fc.record({ kind: fc.constant("replace" as const), at: fc.nat(6), item }),
  fc.record({ kind: fc.constant("frame" as const), system: fc.constantFrom("one", "hunter2", LONG) }),
  fc.record({ kind: fc.constant("field" as const), field: fc.constantFrom("messages", "input") }),
  fc.record({ kind: fc.constant("prune" as const) }),
)

function bodyOf(items: readonly Item[], system: string, field: string, after: boolean): string {
  const list = items.map(({ role, text, mark, number }) => {
    const marked = mark ? `,"cache_control":{"type":"ephemeral"}` : ""
    return `{"role":"${role}","content":[{"text":${JSON.stringify(text)},"n":${number}${marked}}]}`
  })
  const frame = `"system":${JSON.stringify(system)}`
  const conversation = `"${field}":[${list.join(",")}]`
  return after ? `{"model":"m",${conversation},${frame}}` : `{${frame},${conversation},"top":1}`
}

const redact = async (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll("hunter2", "[redacted:own]"))

/** Everything that a receipt leads to, by text instead of by row. */
async function stored(recorder: Recorder, step: number): Promise<unknown> {
  const shown = await recorder.read((store) => replay(store, FACTS.turn, step))
  return inFile(recorder, (database) => {
    const row = database.get("SELECT frame, node, marks FROM receipts WHERE step = ?", step)
    const digest = (id: unknown) =>
      database.get("SELECT hex(digest) AS name FROM texts WHERE id = ?", Number(id))?.name
    const path: unknown[] = []
    for (let node = Number(row?.node); node !== 0; ) {
      const found = database.get("SELECT parent, text FROM nodes WHERE id = ?", node)
      path.unshift(digest(found?.text))
      node = Number(found?.parent)
    }
    return {
      frame: digest(row?.frame),
      marks: digest(row?.marks),
      path,
      shown,
    }
  })
}

/** As the upkeep does when turns are old: nothing that the last receipt does not need is left. */
async function prune(recorder: Recorder, step: number): Promise<void> {
  const database = openFile(recorder.path)
  database.run("DELETE FROM receipts WHERE step < ?", step)
  await sweepReceipts(database, new Date(0).toISOString())
  await sweepNodes(database)
  await sweepTexts(database)
}

test("what is stored of a growing conversation is what would be stored of each request by itself", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 2, maxLength: 8 }),
      fc.boolean(),
      async (changes, after) => {
        const recorder = openTemporary({ redact })
        let [items, system, field]: [readonly Item[], string, string] = [[], "one", "messages"]
        for (const [at, next] of changes.entries()) {
          if (next.kind === "append") items = [...items, ...next.items]
          if (next.kind === "cut") items = items.slice(next.at)
          if (next.kind === "replace")
            items = items.map((old, place) => (place === next.at ? next.item : old))
          if (next.kind === "frame") system = next.system
          if (next.kind === "field") field = next.field
          if (next.kind === "prune") await prune(recorder, at + 100)
          const request = bodyOf(items, system, field, after)
          await save(recorder, { request, step: at })
          const alone = openTemporary({ redact })
          await save(alone, { request, step: at })
          expect(await stored(recorder, at)).toEqual(await stored(alone, at))
          await alone.close()
        }
        expect(recorder.health().dropped).toBe(0)
        await recorder.close()
      },
    ),
    { numRuns: 40 },
  )
})
