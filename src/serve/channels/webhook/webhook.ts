// The generic webhook: another program sends messages with signed requests and gets answers in the same way. Every
// message has an id chosen by that program, and is taken once, so a repeated request does no harm.
import { z } from "zod"
import { IncipitError } from "../../../base/error.ts"
import {
  type Channel,
  type ChannelArrival,
  ChannelFault,
  type ChannelHost,
  type OutgoingPart,
} from "../channel.ts"
import { isSigned, SIGNATURE_HEADER, signatureOf, TIME_HEADER } from "./signature.ts"

export interface WebhookOptions {
  /** The name of the channel, and the first part of its identities. Defaults to `webhook`. */
  readonly name?: string
  /** Shared with the other program; at least 32 characters. */
  readonly secret: string
  /** An earlier secret that still opens the door, while the other program changes to the new one. */
  readonly previousSecret?: string | undefined
  /** Where answers are sent. */
  readonly url: string
  readonly now?: () => number
}

const SHORTEST_SECRET = 32
const TIMEOUT_MS = 30_000

const Body = z.strictObject({
  id: z.string().min(1).max(200),
  sender: z.string().regex(/^[\w.@+-]{1,100}$/),
  room: z
    .string()
    .regex(/^[\w.@+-]{1,100}$/)
    .optional(),
  mentioned: z.boolean().optional(),
  text: z.string().min(1).max(100_000),
})

export function webhook(options: WebhookOptions): Channel {
  const { name = "webhook", secret, previousSecret, url, now = Date.now } = options
  const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])]
  if (secrets.some(({ length }) => length < SHORTEST_SECRET))
    throw new IncipitError(
      "channel-refused",
      `the secret of ${name} is too short: use at least ${SHORTEST_SECRET} characters, such as \`openssl rand -hex 32\` prints`,
    )
  return {
    name,
    parts: (text) => [JSON.stringify(text)],
    request: (request, host) => called({ name, secrets, now }, request, host),
    send: (part) => send({ name, secret, now, url }, part),
  }
}

interface In {
  readonly name: string
  readonly secrets: readonly string[]
  readonly now: () => number
}

async function called({ name, secrets, now }: In, request: Request, host: ChannelHost): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } })
  const body = await request.text()
  const time = request.headers.get(TIME_HEADER) ?? ""
  const signature = request.headers.get(SIGNATURE_HEADER) ?? ""
  if (!isSigned(secrets, { body, time, signature, now: now() }))
    return Response.json({ error: "The signature or the time of the request is not valid." }, { status: 401 })
  const arrival = arrivalIn(name, body)
  if (typeof arrival === "string") return Response.json({ error: arrival }, { status: 400 })
  await host.take(arrival)
  return new Response(null, { status: 202 })
}

/** Returns what is wrong with the body, for the program that sent it. */
function arrivalIn(name: string, body: string): ChannelArrival | string {
  const parsed = Body.safeParse(jsonIn(body))
  if (!parsed.success) return `The body is not a message: ${z.prettifyError(parsed.error)}`
  const { id, sender, room, mentioned = false, text } = parsed.data
  return {
    id,
    message: {
      // A room may have the name of a person, and must not be taken for them.
      place: { channel: room === undefined ? `${name}:${sender}` : `${name}:room/${room}` },
      sender: `${name}:${sender}`,
      isRoom: room !== undefined,
      isAddressed: room === undefined || mentioned,
      text,
      replyTo: id,
    },
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Out extends Omit<In, "secrets"> {
  readonly secret: string
  readonly url: string
}

async function send({ name, secret, now, url }: Out, part: OutgoingPart): Promise<undefined> {
  const { id, place, replyTo } = part
  const body = JSON.stringify({ id, to: place.channel, replyTo, text: JSON.parse(part.body) })
  const time = String(Math.floor(now() / 1_000))
  const response = await fetch(url, {
    method: "POST",
    // A redirect would carry the answer to an address that nobody configured.
    redirect: "error",
    headers: {
      "content-type": "application/json",
      [TIME_HEADER]: time,
      [SIGNATURE_HEADER]: signatureOf(secret, { body, time }),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new ChannelFault(`The receiver of ${name} cannot be reached`, { cause: error })
  })
  await response.body?.cancel()
  if (!response.ok) throw refusedBy(name, response)
}

/** Whatever the receiver answers may be temporary, but for what it says is gone. */
function refusedBy(name: string, response: Response): ChannelFault {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN)
  return new ChannelFault(`The receiver of ${name} answered with ${response.status}`, {
    retryAfterMs: seconds >= 0 ? seconds * 1_000 : undefined,
    isFinal: response.status === 410,
  })
}
