// A miss in words: why it was paid for twice, where the change is, and what was there before and is there now.
import { escapeHidden } from "../../../record/ask/log.ts"
import type { BillMiss, BillMissCause } from "../bill.ts"

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** `40 s`, `41 min`, `3 h`, `2 days`. */
export function spanText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`
  if (ms < 100 * MINUTE_MS) return `${Math.round(ms / MINUTE_MS)} min`
  return ms < 36 * 60 * MINUTE_MS
    ? `${Math.round(ms / (60 * MINUTE_MS))} h`
    : `${Math.round(ms / DAY_MS)} days`
}

const CAUSES: Readonly<Record<BillMissCause, string>> = {
  expired: "The cache expired",
  "model-changed": "The model changed, and each model has its own cache",
  "tools-changed": "The list of tools changed",
  "text-changed": "Text before the conversation changed",
  "messages-changed": "An earlier message changed",
  "settings-changed": "A setting changed",
  compacted: "The conversation was compacted",
  "look-back": "One step added more blocks than the provider looks back",
  evicted: "Nothing changed and nothing had expired: the provider dropped it",
  unknown: "The cause is unknown, because the requests are not recorded",
}

/** The cause and what is known about it, as one sentence. Money and tokens are shown beside it. */
export function missSentence(miss: BillMiss): string {
  const { cause, idleMs, ttlMs } = miss
  if (cause === "expired" && idleMs !== undefined && ttlMs !== undefined)
    return `${CAUSES.expired}: ${spanText(idleMs)} since the last call, and it lives ${spanText(ttlMs)}.`
  const facts = missFacts(miss)
  return `${CAUSES[cause]}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}.`
}

/** What is known about a miss, apart from its cause. */
export function missFacts({
  cause,
  idleMs,
  models,
  owner,
  setting,
  how,
  before,
  after,
}: BillMiss): readonly string[] {
  if (cause === "expired" && idleMs !== undefined) return [`${spanText(idleMs)} away`]
  if (cause === "model-changed" && models) return [models.map(escapeHidden).join(" → ")]
  if (cause === "settings-changed" && setting !== undefined) return [escapeHidden(setting)]
  const place = owner && ownerText(owner)
  const line = owner?.line === undefined ? "" : `:${owner.line}`
  const verb =
    how === "came" ? " was added" : how === "went" ? " was removed" : how === "moved" ? " moved" : ""
  const texts = [before, after].map((text) =>
    text === undefined || text === "" ? undefined : escapeHidden(text),
  )
  const said = texts.flatMap((text) => (text === undefined || text === "" ? [] : [`“${text}”`]))
  const change = said.length === 0 ? [] : [said.join(" → ")]
  return [...(place === undefined ? [] : [`${place}${line}${verb}`]), ...change]
}

type NamedOwner = NonNullable<BillMiss["owner"]>

/** An owner in a few words. */
export function ownerText(owner: Pick<NamedOwner, "kind" | "path" | "name" | "server" | "input">): string {
  const { kind, path, name, server, input } = owner
  const shown = (text: string | undefined, otherwise: string) =>
    text === undefined || text === "" ? otherwise : escapeHidden(text)
  switch (kind) {
    case "file":
      return shown(path, "a file")
    case "field":
      return `${shown(name ?? path, "a field")} (description)`
    case "tool":
      return `tool ${shown(name, "")}`.trim()
    case "mcp-tool":
      return `${shown(server, "MCP server")}: ${shown(name, "tool")}`
    case "hook":
      return `hook ${shown(name, "")}`.trim()
    case "envelope":
      return `around ${shown(name ?? path, "files")}`
    case "client":
      return `the client: ${shown(name, "its own text")}`
    case "conversation":
      return `conversation${name === undefined ? "" : ` (${escapeHidden(name)})`}`
    case "tool-result":
      return `${shown(name, "tool")} result${input === undefined ? "" : `: ${escapeHidden(input)}`}`
    case "output":
      return "model output"
  }
}
