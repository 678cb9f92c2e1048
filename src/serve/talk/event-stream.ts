// Answers as server-sent events. The status is decided by the first piece of the answer, so that a failure before it
// has a status of its own; an answer that takes long begins without one, and silence is filled with comments.
import type { TalkEvent } from "./talk.ts"

type Begun = Extract<TalkEvent, { kind: "begun" }>

export interface OpenedTalk {
  readonly begun: Begun
  readonly rest: AsyncGenerator<TalkEvent, void>
}

/** How long a stream waits for the first piece of its answer before it begins, and between comments. */
export interface Patience {
  readonly firstMs: number
  readonly silenceMs: number
}

export const PATIENCE: Patience = { firstMs: 5_000, silenceMs: 15_000 }

export async function openTalk(
  events: AsyncGenerator<TalkEvent, void>,
  firstMs: number,
): Promise<OpenedTalk> {
  const first = await events.next()
  if (first.done || first.value.kind !== "begun") throw new Error("a turn ended before it began")
  const second = events.next()
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, firstMs)
  try {
    await Promise.race([second, late.promise])
  } finally {
    clearTimeout(timer)
  }
  return { begun: first.value, rest: following(second, events) }
}

async function* following(
  second: Promise<IteratorResult<TalkEvent, void>>,
  events: AsyncGenerator<TalkEvent, void>,
): AsyncGenerator<TalkEvent, void> {
  try {
    const next = await second
    if (next.done) return
    yield next.value
    yield* events
  } finally {
    await events.return()
  }
}

/** One event; Anthropic's have names. */
export function serverSent(data: unknown, event?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data)
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`
}

const COMMENT = ": waiting\n\n"

export function eventStream(
  lines: AsyncGenerator<string, void>,
  headers: Readonly<Record<string, string>>,
  silenceMs: number,
): Response {
  let timer: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(Buffer.from(COMMENT)), silenceMs)
      timer.unref()
    },
    async pull(controller) {
      const next = await lines.next().catch((error: unknown) => {
        // A comment after the failure would throw in the timer.
        clearInterval(timer)
        throw error
      })
      if (!next.done) return controller.enqueue(Buffer.from(next.value))
      clearInterval(timer)
      controller.close()
    },
    async cancel() {
      clearInterval(timer)
      await lines.return()
    },
  })
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // nginx would collect the events before it passes them on.
      "x-accel-buffering": "no",
    },
  })
}
