// Gemini's protocol: nameless chunks of parts. A call comes whole, and from Gemini 3 on with a signature that must come
// back with it.
import { type Answer, type AnswerPart, endOf, type Protocol, pieces, type Written } from "./protocol.ts"
import { type Json, refuseGoogle } from "./refusals.ts"

export const google: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/,
  keyHeader: "x-goog-api-key",
  contentType: "text/event-stream",
  refuse: (body) => refuseGoogle(body) ?? refuseCalls(body),
  write,
  problem: (status, message) => ({ error: { code: status, message, status: "INTERNAL" } }),
  env: (url) => ({ GEMINI_API_KEY: "test-key", GOOGLE_GEMINI_BASE_URL: url }),
}

const SIGNATURE = "c2lnbmF0dXJl"
/** What Google documents for calls that another model made. */
const NO_SIGNATURE = "skip_thought_signature_validator"

/** Of the calls of one answer, the first is signed. */
function refuseCalls({ contents }: Json): string | undefined {
  const firsts: Json[] = contents.flatMap(
    ({ parts }: Json) => parts.find(({ functionCall }: Json) => functionCall) ?? [],
  )
  return firsts.some(({ thoughtSignature }) => ![SIGNATURE, NO_SIGNATURE].includes(thoughtSignature))
    ? "Function call is missing a thought_signature in functionCall parts."
    : undefined
}

function write(answer: Answer): Written {
  const { number, usage, isCut } = answer
  const chunk = (parts: readonly object[], rest: object = {}) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, index: 0, ...rest }], responseId: `r_${number}` })}\n\n`
  const usageMetadata = usage && {
    promptTokenCount: usage.uncached + usage.read,
    ...(usage.read > 0 && { cachedContentTokenCount: usage.read }),
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.uncached + usage.read + usage.output,
  }
  const first = answer.parts.find((part) => "call" in part)
  const last = [
    { content: { role: "model", parts: [] }, index: 0, finishReason: isCut ? "MAX_TOKENS" : "STOP" },
  ]
  return {
    start: [],
    parts: answer.parts.map((part) =>
      "error" in part
        ? [
            `data: ${JSON.stringify({ error: { code: 503, message: part.error.message, status: part.error.type } })}\n\n`,
          ]
        : partsOf(part, part === first).map((item) => chunk([item])),
    ),
    end: endOf(answer, [`data: ${JSON.stringify({ candidates: last, usageMetadata })}\n\n`]),
  }
}

function partsOf(part: Exclude<AnswerPart, { error: unknown }>, isFirst: boolean): readonly object[] {
  if ("text" in part) return pieces(part.text).map((text) => ({ text }))
  if ("reasoning" in part) return pieces(part.reasoning).map((text) => ({ text, thought: true }))
  const { id, name, input } = part.call
  return [{ functionCall: { id, name, args: input }, ...(isFirst && { thoughtSignature: SIGNATURE }) }]
}
