// A record that reads each text once. For questions about many calls that share most of their texts; what was read is
// forgotten with it.
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import type { Ref } from "../../../database/text-ref.ts"

export function withRememberedTexts(store: RecordStore): RecordStore {
  const known = new Map<Ref, string | undefined>()
  const texts: RecordStore["receipts"]["texts"] = async (refs) => {
    const unread = refs.filter((ref) => !known.has(ref))
    const read = unread.length === 0 ? new Map<Ref, string>() : await store.receipts.texts(unread)
    for (const ref of unread) known.set(ref, read.get(ref))
    return new Map(
      refs.flatMap((ref) => {
        const text = known.get(ref)
        return text === undefined ? [] : [[ref, text] as const]
      }),
    )
  }
  return { ...store, receipts: { ...store.receipts, texts } }
}
