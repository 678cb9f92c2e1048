// The surfaces that are compatible with OpenAI's API: chat completions, responses and the list of models. `model` names
// the agent.
import type { Surface, SurfaceCall } from "../http/surface.ts"
import { answerHeaders } from "../talk/answer-headers.ts"
import type { CompatibleOptions } from "../talk/compatible.ts"
import { eventStream, openTalk, PATIENCE } from "../talk/event-stream.ts"
import { type Body, readBody } from "../talk/request/read-body.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import { SurfaceError, WrongMethod } from "../talk/surface-error.ts"
import { type TalkEvent, talk } from "../talk/talk.ts"
import { chatChunks, wholeChat } from "./chat-answer.ts"
import { readChat } from "./chat-request.ts"
import { modelsAnswer } from "./models-answer.ts"
import { openAiFailure, openAiRefusal } from "./openai-error.ts"
import { responseEvents, wholeResponse } from "./responses-answer.ts"
import { readResponses } from "./responses-request.ts"

/** How one API reads its requests and writes its answers. */
interface Api<R extends TalkRequest> {
  readonly read: (request: Request, body: Body) => R
  readonly whole: (events: AsyncIterable<TalkEvent>, facts: Facts<R>) => Promise<unknown>
  readonly streamed: (events: AsyncIterable<TalkEvent>, facts: Facts<R>) => AsyncGenerator<string, void>
}

interface Facts<R> {
  readonly answer: string
  readonly created: number
  readonly request: R
}

export function openAiSurfaces(options: CompatibleOptions): readonly Surface[] {
  const chat = { read: readChat, whole: wholeChat, streamed: chatChunks }
  const responses = { read: readResponses, whole: wholeResponse, streamed: responseEvents }
  return [
    surface("/v1/chat/completions", "POST", (request, call) => answer(chat, options, { request, call })),
    surface("/v1/responses", "POST", (request, call) => answer(responses, options, { request, call })),
    surface("/v1/models", "GET", (request, { agents }) =>
      modelsAnswer(new URL(request.url).pathname, agents),
    ),
  ]
}

function surface(
  prefix: string,
  method: "GET" | "POST",
  handle: (request: Request, call: SurfaceCall) => Response | Promise<Response>,
): Surface {
  return {
    ...{ prefix, scopes: ["talk"], refuse: openAiRefusal },
    async handle(request, call) {
      try {
        checkRoute(request, { prefix, method })
        return await handle(request, call)
      } catch (error) {
        if (!(error instanceof SurfaceError)) call.failed(error)
        return openAiFailure(error)
      }
    },
  }
}

function checkRoute({ url, method: used }: Request, { prefix, method }: { prefix: string; method: string }) {
  const { pathname } = new URL(url)
  // Only the list of models has something below it.
  if (pathname !== prefix && method !== "GET")
    throw new SurfaceError(404, "not_found", `there is nothing at ${pathname}`)
  if (used !== method) throw new WrongMethod(prefix, used, method)
}

async function answer<R extends TalkRequest>(
  { read, whole, streamed }: Api<R>,
  { requests, now, patience = PATIENCE }: CompatibleOptions,
  { request, call }: { readonly request: Request; readonly call: SurfaceCall },
): Promise<Response> {
  const wanted = read(request, await readBody(request))
  const { begun, rest } = await openTalk(talk(requests, wanted, call), patience.firstMs)
  const facts = { answer: begun.answer, created: Math.floor(now() / 1000), request: wanted }
  const headers = answerHeaders(begun, wanted)
  if (wanted.isStreamed) return eventStream(streamed(rest, facts), headers, patience.silenceMs)
  return Response.json(await whole(rest, facts), { headers })
}
