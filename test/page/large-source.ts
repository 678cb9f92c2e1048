// A source of calls that is larger than any session one can make in a test: 5,000 calls, and a prompt of a megabyte, with
// every name and text as hostile as a client could make them.
import { nothingSent } from "../../src/serve/page/money/closed.ts"
import type { PageSource } from "../../src/serve/page/page-source.ts"
import type { CallDetail, CallRow, ShownPart } from "../../src/serve/page/shown.ts"

export const CALLS = 5_000
const START = Date.UTC(2026, 10, 18, 9)

/** Markup, a bidirectional override, a zero-width space, half a surrogate pair, and no place to break. */
export const HOSTILE = `<img src=x onerror="document.title='owned'">\u202eevil\u202c\u200b\ud800${"a".repeat(300)}</script>`

function largeRow(at: number): CallRow {
  const isMiss = at % 500 === 499
  const input = 8_000 + at * 20
  const read = at === 0 || isMiss ? 0 : input - 220
  return {
    ...{ id: `call-${at}`, session: "large", turn: `turn-${Math.floor(at / 5)}`, step: at % 5 },
    ...{
      at: START + at * 60_000,
      model: "anthropic/claude-sonnet-5-5",
      client: "claude-code",
      isSimulated: false,
    },
    usage: { read, written: input - read - 20, uncached: 20, output: 100 },
    costUsd: read * 3e-7 + (input - read) * 3.75e-6,
    miss: isMiss
      ? {
          ...{
            cause: "text-changed",
            tokens: input,
            costUsd: input * 3.45e-6,
            sentence: `${HOSTILE} changed.`,
          },
          ...{ path: HOSTILE, line: 41, before: HOSTILE, after: `${HOSTILE} now` },
        }
      : null,
    error: at === 1_234 ? HOSTILE : null,
  }
}

/** Lines of a file, as long as real ones. */
function linesOf(count: number): string {
  return Array.from(
    { length: count },
    (_, at) => `${at + 1}. The keeper wrote down the wind and the light, ${at}.`,
  ).join("\n")
}

export function largeDetail(at: number): CallDetail {
  const call = largeRow(at)
  const input = (call.usage?.read ?? 0) + (call.usage?.written ?? 0) + (call.usage?.uncached ?? 0)
  const text = linesOf(20_000)
  const file = { kind: "file", path: "docs/HANDBOOK.md", lines: [1, 20_000], match: "exact" } as const
  const parts: readonly ShownPart[] = [
    part({ tier: "tools", kind: "tool", tool: HOSTILE, text: HOSTILE, tokens: 500 }),
    part({ tier: "system", kind: "system", text: `Frame.\n${text}\n`, tokens: input - 1_000, file }),
    part({ tier: "messages", kind: "text", role: "user", text: HOSTILE, tokens: 300, path: HOSTILE }),
    part({ tier: "messages", kind: "tool-result", role: "user", tool: HOSTILE, text: "", tokens: 200 }),
  ]
  return {
    ...{ call, report: null, parts, request: { [HOSTILE]: HOSTILE }, isExact: false, redacted: ["/a"] },
    ...{ answer: null, cacheRates: null },
  }
}

interface PartFacts extends Pick<ShownPart, "tier" | "kind" | "text" | "tokens"> {
  readonly role?: string | null
  readonly tool?: string | null
  readonly file?: NonNullable<ShownPart["spans"][number]["owner"]>
  readonly path?: string
}

function part({ file, path, role = null, tool = null, ...facts }: PartFacts): ShownPart {
  const { text } = facts
  const whole = { start: 0, end: text.length, section: null }
  const owner = path === undefined ? null : ({ kind: "file", path, lines: [1, 1], match: "one-of" } as const)
  const spans =
    file === undefined
      ? [{ ...whole, owner }]
      : [
          { ...whole, end: 7, owner: { kind: "client", name: "system", match: "exact" } as const },
          { ...whole, start: 7, owner: file },
        ]
  return { ...facts, role, tool, pace: null, breakpoint: null, cache: null, costUsd: null, spans }
}

/** As captures of another client. */
export function largeSource(): PageSource {
  const rows = Array.from({ length: CALLS }, (_, at) => largeRow(at))
  const session = {
    ...{ id: "large", title: HOSTILE, client: "claude-code", who: HOSTILE, calls: CALLS },
    ...{ firstAt: START, lastAt: START, costUsd: 1 },
  }
  return {
    id: "captures",
    title: "Captured calls",
    sessions: async () => ({ sessions: [session], next: null }),
    async calls(_reader, { before, limit }) {
      const end = before === undefined ? CALLS : Number(before)
      const start = Math.max(0, end - limit)
      return { calls: rows.slice(start, end), earlier: start === 0 ? null : String(start) }
    },
    costs: async (_reader, { by }) => nothingSent(by),
    simulated: async () => undefined,
    call: async (_reader, id) => largeDetail(Number(id.replace("call-", ""))),
    carried: async (_reader, { path, lines }) => ({
      ...{ path, lines, calls: 3, tokens: 66, costUsd: 0.0001, firstAt: START, lastAt: START },
      ...{ ids: ["call-4990", "call-4991", "call-4992"], isWhole: false },
    }),
  }
}
