// The surface that is compatible with Anthropic's API: messages and counting tokens. `model` names the agent.
import type { Surface, SurfaceCall } from "../http/surface.ts"
import { answerHeaders } from "../talk/answer-headers.ts"
import type { CompatibleOptions } from "../talk/compatible.ts"
import { eventStream, openTalk, PATIENCE } from "../talk/event-stream.ts"
import { readBody } from "../talk/request/read-body.ts"
import { SurfaceError, WrongMethod } from "../talk/surface-error.ts"
import { talk } from "../talk/talk.ts"
import { anthropicFailure, anthropicRefusal } from "./anthropic-error.ts"
import { countTokens } from "./count-tokens.ts"
import { messageEvents, wholeMessage } from "./messages-answer.ts"
import { readMessages } from "./messages-request.ts"

const PREFIX = "/v1/messages"

export function anthropicSurface(options: CompatibleOptions): Surface {
  return {
    ...{ prefix: PREFIX, scopes: ["talk"], refuse: anthropicRefusal },
    async handle(request, call) {
      try {
        return await route(options, request, call)
      } catch (error) {
        if (!(error instanceof SurfaceError)) call.failed(error)
        return anthropicFailure(error)
      }
    },
  }
}

async function route(options: CompatibleOptions, request: Request, call: SurfaceCall): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname !== PREFIX && pathname !== `${PREFIX}/count_tokens`)
    throw new SurfaceError(404, "not_found", `there is nothing at ${pathname}`)
  if (request.method !== "POST") throw new WrongMethod(pathname, request.method, "POST")
  const body = await readBody(request)
  if (pathname !== PREFIX) return Response.json(await countTokens(readMessages(request, body, true), call))
  return answer(options, readMessages(request, body), call)
}

async function answer(
  { requests, patience = PATIENCE }: CompatibleOptions,
  request: ReturnType<typeof readMessages>,
  call: SurfaceCall,
): Promise<Response> {
  const { begun, rest } = await openTalk(talk(requests, request, call), patience.firstMs)
  const facts = { answer: begun.answer, request }
  const headers = answerHeaders(begun, request)
  if (request.isStreamed) return eventStream(messageEvents(rest, facts), headers, patience.silenceMs)
  return Response.json(await wholeMessage(rest, facts), { headers })
}
