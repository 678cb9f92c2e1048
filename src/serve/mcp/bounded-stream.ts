// A stream of events for a client that may read slowly or not at all. Events are written when they happen, whether
// somebody reads or not, so what waits to be read has a limit.

/** The same response; its stream breaks off once more than `mostBytes` wait to be read. */
export function boundedStream(
  response: Response,
  mostBytes: number,
  failed: (error: Error) => void,
): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  if (!isStream || response.body === null) return response
  const { status, headers } = response
  return new Response(bounded(response.body, mostBytes, failed), { status, headers })
}

function bounded(
  source: ReadableStream<Uint8Array>,
  mostBytes: number,
  failed: (error: Error) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let isCancelled = false
  const readAhead = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    for (;;) {
      const next = await reader.read()
      if (isCancelled) return
      if (next.done) return controller.close()
      // One event may be larger than all that may wait.
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(next.value)
      else throw new Error(`the client left more than ${mostBytes} bytes unread`)
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        readAhead(controller).catch(async (error: Error) => {
          failed(error)
          controller.error(error)
          await reader.cancel(error).catch(() => {})
        })
      },
      cancel(reason) {
        isCancelled = true
        return reader.cancel(reason)
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostBytes }),
  )
}
