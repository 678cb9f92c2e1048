// A turn as an async iterable: the events that its sender may see, and the reply as a promise.
import type { LiveEvent, SentReply } from "../turn/live-event.ts"

/**
 * A message that is being answered. Each loop over it gets every event from the beginning. Leaving a loop stops
 * nothing: the turn goes on, and `reply` still resolves. An error is thrown in the loop and rejects `reply`.
 */
export interface ReplyStream extends AsyncIterable<LiveEvent> {
  /** The same as the result of `send`. */
  readonly reply: Promise<SentReply>
}

export function openStream(send: (tell: (event: LiveEvent) => void) => Promise<SentReply>): ReplyStream {
  const events: LiveEvent[] = []
  let isOver = false
  let news = Promise.withResolvers<void>()
  const wake = () => {
    const before = news
    news = Promise.withResolvers<void>()
    before.resolve()
  }
  const reply = send((event) => {
    events.push(event)
    wake()
  }).finally(() => {
    isOver = true
    wake()
  })
  return {
    reply,
    async *[Symbol.asyncIterator]() {
      // The loop throws the error, so nobody else has to wait for it.
      reply.catch(() => undefined)
      for (let at = 0; !isOver || at < events.length; ) {
        const event = events[at]
        if (event === undefined) {
          await news.promise
          continue
        }
        at += 1
        yield event
      }
      await reply
    },
  }
}
