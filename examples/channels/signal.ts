// Signal as a channel, by the JSON-RPC of signal-cli: `signal-cli -a +15550100 daemon --http=127.0.0.1:8080`.
// Tested with a server that imitates the one of signal-cli's documentation, never with the real one.
//
// signal-cli tells Signal that a message has arrived before it passes it on, and keeps the last 1,000 in memory. So what
// it receives while this program doesn't run is there when it starts, but not after both have stopped.
import {
  type Channel,
  type ChannelArrival,
  ChannelFault,
  type ChannelHost,
  type Place,
} from "incipit/channels"

export interface SignalOptions {
  /** The address of signal-cli's daemon. */
  readonly url: string
  /** The agent's own number, which people mention in groups. */
  readonly account: string
}

type Json = Readonly<Record<string, unknown>>

/** Ends at white space if there is any. */
const PART = /[\s\S]{1,2000}(?=\s|$)|[\s\S]{1,2000}/gu
const TIMEOUT_MS = 30_000

export function signal({ url, account }: SignalOptions): Channel {
  return {
    name: "signal",
    run: (host, stop) => receive({ url, account }, host, stop),
    parts: (text) => (text.match(PART) ?? []).map((part) => part.trim()).filter((part) => part !== ""),
    async send({ place, body }) {
      const result = await call(url, "send", { ...addressOf(place), message: body })
      return typeof result.timestamp === "number" ? String(result.timestamp) : undefined
    },
    async typing(to) {
      await call(url, "sendTyping", addressOf(to))
    },
  }
}

async function receive({ url, account }: SignalOptions, host: ChannelHost, stop: AbortSignal): Promise<void> {
  // An id that it doesn't know: it begins with everything that it has kept, and the store takes each once.
  const headers = { accept: "text/event-stream", "last-event-id": "none" }
  const response = await fetch(`${url}/api/v1/events`, { headers, signal: stop }).catch(unreachable)
  if (!response.ok) throw new ChannelFault(`signal-cli answered with ${response.status}`)
  let text = ""
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = `${text}${chunk}`.split(/\r?\n\r?\n/)
      text = events.pop() ?? ""
      for (const event of events) {
        const arrival = arrivalIn(event, account)
        if (arrival !== undefined) await host.take(arrival)
      }
    }
  } catch (error) {
    if (stop.aborted) return
    throw error instanceof TypeError ? unreachable() : error
  }
  if (!stop.aborted) throw new ChannelFault("signal-cli ended the connection")
}

/** Undefined for receipts, typing and what is no event. */
function arrivalIn(event: string, account: string): ChannelArrival | undefined {
  const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []))
  const { envelope } = objectIn(data.join("\n"))
  const { sourceUuid, timestamp, dataMessage } = asObject(envelope)
  const { message, groupInfo, mentions } = asObject(dataMessage)
  if (typeof sourceUuid !== "string" || typeof timestamp !== "number") return undefined
  if (typeof message !== "string" || message === "") return undefined
  const group = asObject(groupInfo).groupId
  // People can hide and change their numbers, so the id names them.
  const sender = `signal:${sourceUuid}`
  const isRoom = typeof group === "string"
  const isMentioned = Array.isArray(mentions) && mentions.some((one) => asObject(one).number === account)
  return {
    // A message is known by its sender and time.
    id: `${sourceUuid}/${timestamp}`,
    message: {
      place: { channel: isRoom ? `signal:group/${group}` : sender },
      ...{ sender, isRoom, isAddressed: !isRoom || isMentioned, text: message },
    },
  }
}

function addressOf({ channel }: Place): Json {
  const [, group, person] = /^signal:(?:group\/(.+)|(.+))$/.exec(channel) ?? []
  return group === undefined ? { recipient: [person] } : { groupId: group }
}

async function call(url: string, method: string, params: Json): Promise<Json> {
  const response = await fetch(`${url}/api/v1/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: "1", method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(unreachable)
  const { result, error } = objectIn(await response.text())
  if (error !== undefined)
    throw new ChannelFault(`signal-cli refused ${method}: ${String(asObject(error).message)}`)
  if (!response.ok) throw new ChannelFault(`signal-cli answered with ${response.status}`)
  return asObject(result)
}

function unreachable(): never {
  throw new ChannelFault("signal-cli cannot be reached")
}

function objectIn(json: string): Json {
  try {
    return asObject(JSON.parse(json))
  } catch {
    return {}
  }
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {}
}
