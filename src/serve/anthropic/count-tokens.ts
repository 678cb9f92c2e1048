// Counts the tokens of a request without sending it. With full trust, the whole prompt of its turn; others get the
// size of their own text, as with the usage of an answer.
import { o200k } from "../../tokens/o200k.ts"
import { checkLength } from "../talk/request/check-length.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import { agentOf, type TalkCall } from "../talk/talk.ts"
import { ownTokens } from "../talk/visible-usage.ts"

export async function countTokens(request: TalkRequest, call: TalkCall): Promise<{ input_tokens: number }> {
  const agent = agentOf(request, call)
  checkLength(request)
  if (call.caller.trust !== "full") return { input_tokens: ownTokens(request) }
  const { instructions, message, session } = request
  const { plan } = await agent.preview(message.text, {
    ...{ ...call.caller.from, files: message.files, clientTools: request.tools },
    ...(session === undefined ? { isNew: true } : { session }),
    ...(instructions !== undefined && { instructions }),
  })
  const { tools, head, tail, conversation } = plan.budget
  // A new session has none of the client's earlier messages yet.
  const earlier = session === undefined ? request.earlier : []
  const said = earlier.reduce((sum, { text }) => sum + o200k.count(text), 0)
  return { input_tokens: tools + head.used + tail.used + conversation + said }
}
