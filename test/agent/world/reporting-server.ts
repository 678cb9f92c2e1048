// A local server of a provider that reports usage as the real one would, and keeps every exchange.
import { createPromptCache, type MessagesBody } from "../../../examples/programs/messages-api.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import type { Json } from "./servers/refusals.ts"
import type { Part } from "./servers/script.ts"
import { type ProtocolName, type ProviderServer, startServer } from "./servers/server.ts"

/** What a request was about, as far as a scripted model looks at it. */
export interface Asked {
  readonly body: Json
  /** How many requests there were, this one among them. */
  readonly calls: number
}

/** A request with what the provider said of it. */
export interface Exchange {
  readonly text: string
  /** As the provider reads it. */
  readonly sent: Json
  /** With each tail in one message, whatever the model takes. */
  readonly body: Json
  readonly usage: Usage
}

export interface ReportingOptions {
  readonly protocol: ProtocolName
  readonly answer: (asked: Asked) => readonly Part[]
  readonly now: () => number
}

export interface ReportingServer {
  readonly server: ProviderServer
  readonly exchanges: readonly Exchange[]
}

/** Reports by the rules of Anthropic's cache; for others, that the bytes which stood there before were read. */
export async function startReportingServer({
  protocol,
  answer,
  now,
}: ReportingOptions): Promise<ReportingServer> {
  const exchanges: Exchange[] = []
  const cached = createPromptCache({ now, minimum: 1_024 })
  const server = await startServer({
    protocol,
    now,
    answer: ({ body, calls }) => {
      const text = server.sent.at(-1) ?? ""
      const sent: Json = JSON.parse(text)
      const parts = answer({ body, calls })
      const input = protocol === "anthropic" ? byBreakpoints(cached, sent) : byPrefix(exchanges, text)
      const usage: Usage = { ...input, output: o200k.count(JSON.stringify(parts)) }
      exchanges.push({ text, sent, body, usage })
      return { kind: "reply", parts, usage }
    },
  })
  return { server, exchanges }
}

function byBreakpoints(
  cached: ReturnType<typeof createPromptCache>,
  body: MessagesBody,
): Omit<Usage, "output"> {
  const { input_tokens: uncached, cache_read_input_tokens: read, cache_creation } = cached(body)
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = cache_creation
  return { uncached, read, write: { ...(short > 0 && { "5m": short }), ...(long > 0 && { "1h": long }) } }
}

function byPrefix(before: readonly Exchange[], text: string): Omit<Usage, "output"> {
  const same = Math.max(0, ...before.map((one) => commonLength(one.text, text)))
  const read = o200k.count(text.slice(0, same))
  return { uncached: o200k.count(text) - read, read, write: {} }
}

function commonLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
