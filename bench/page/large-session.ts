// A session of 5,000 calls, on the page of `incipit inspect`.

import { inspectedPage } from "../../src/serve/page/inspected-page.ts"
import { openInspector } from "../../src/serve/page/open-inspector.ts"
import type { CallDetail } from "../../src/serve/page/shown.ts"
import { largeDetail, largeSource } from "../../test/page/large-source.ts"

/** About as much text as a system prompt of 10,000 tokens. */
const USUAL_LENGTH = 40_000

/** `isHuge`: every call has a prompt of a megabyte. */
export function openLargeSession({ isHuge }: { readonly isHuge: boolean }) {
  const source = largeSource()
  const shown = isHuge ? source : { ...source, call: async (_: unknown, id: string) => usualDetail(id) }
  const page = inspectedPage({ title: "5,000 calls", sources: () => [shown], config: {} })
  return openInspector({ page, port: undefined, now: Date.now, warn: () => {} })
}

function usualDetail(id: string): CallDetail {
  const detail = largeDetail(Number(id.replace("call-", "")))
  const parts = detail.parts.map((part) => ({
    ...part,
    text: part.text.slice(0, USUAL_LENGTH),
    spans: part.spans.map((span) => ({ ...span, end: Math.min(span.end, USUAL_LENGTH) })),
  }))
  return { ...detail, parts }
}
