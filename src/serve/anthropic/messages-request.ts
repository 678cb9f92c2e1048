// A request of the Messages API.
import { isRecord } from "../../base/is-record.ts"
import { checkFields, ignoredFields } from "../talk/request/fields.ts"
import {
  type Body,
  effortIn,
  flagIn,
  limitIn,
  modelIn,
  readHeaders,
  stopsIn,
} from "../talk/request/read-body.ts"
import { messagesIn, readConversation } from "../talk/request/read-conversation.ts"
import { textOf } from "../talk/request/read-parts.ts"
import { offersTools, toolsIn } from "../talk/request/read-tools.ts"
import type { TalkRequest } from "../talk/request/talk-request.ts"
import { invalid } from "../talk/surface-error.ts"
import { MESSAGES_FIELDS } from "./messages-fields.ts"

/** `isCounted`: for counting tokens, which has no limit of the answer. */
export function readMessages(request: Request, body: Body, isCounted = false): TalkRequest {
  checkFields(body, MESSAGES_FIELDS)
  const { instructions: within, earlier, message } = readConversation(messagesIn(body), "messages")
  const system = textOf(body.system, "system")
  const maxTokens = limitIn(body, "max_tokens")
  if (maxTokens === undefined && !isCounted) throw invalid("max_tokens", "max_tokens: Field required")
  const tools = toolsIn(body, customTool)
  return {
    ...{ model: modelIn(body), earlier, message, maxTokens, ...readHeaders(request) },
    instructions: [system, within ?? ""].filter((text) => text !== "").join("\n\n") || undefined,
    ...threadIn(body),
    tools: offersTools(body) ? tools : [],
    isOneCall: isRecord(body.tool_choice) && body.tool_choice.disable_parallel_tool_use === true,
    effort: effortIn(
      isRecord(body.output_config) ? body.output_config.effort : undefined,
      "output_config.effort",
    ),
    stop: stopsIn(body, "stop_sequences"),
    isStreamed: flagIn(body, "stream"),
    ignored: ignoredFields(body, MESSAGES_FIELDS),
  }
}

/** A thread sends only what is new, and refers to the answer before it. */
function threadIn({ thread }: Body): Pick<TalkRequest, "previous" | "isThread"> {
  const { type, previous_message_id: id } = isRecord(thread) ? thread : {}
  if (type !== "continue") return { previous: undefined, isThread: false }
  if (typeof id === "string") return { previous: id.replace(/^msg_/, ""), isThread: true }
  throw invalid("thread", "thread.previous_message_id must be the id of a message")
}

/** Others are run by the provider, or have a schema that only the provider knows. */
function customTool({ type = null, name, description, input_schema: parameters }: Body): Body | undefined {
  return type === null || type === "custom" ? { name, description, parameters } : undefined
}
