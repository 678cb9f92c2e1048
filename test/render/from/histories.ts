// Random histories in the form of each provider's SDK, and random messages of ours. What is random keeps to what the
// APIs accept: no text without a visible character, ids that occur once, results after their calls, and no answer that
// ends with reasoning.
import fc from "fast-check"
import type { Message, MessagePart, ProviderData } from "../../../src/core/model/message.ts"

type Item = Record<string, unknown>

/** Also the compiler's own tags, quotes and line ends: none of them may change on the way. */
const word: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.constantFrom("<turn-context>", "</update>", 'He said "no".', "a\nb\n", "  x", "[image]", "日本 🗾"),
  )
  .filter((text) => text.trim() !== "")
const anyText = fc.oneof(word, fc.constantFrom("", " ", "\n"))
/** JSON has no negative zero. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
const fields = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), json, { maxKeys: 3 })
/** JSON of an object as a model writes it, with or without spaces, or text that is no JSON object. */
const argumentText = fc.oneof(
  fields.map((value) => JSON.stringify(value)),
  fields.map((value) => JSON.stringify(value, undefined, 1)),
  fc.constantFrom('{"a": 1, "b" : [2]}', '{"city": "Par', "", " ", "null", "[1, 2]", '"text"', "{'a': 1}"),
)

/** Gives each item its own ids, so that calls and results are unambiguous. */
function numbered(items: readonly Item[], name: (at: number) => Item): Item[] {
  return items.map((item, at) => ({ ...item, ...pick(name(at), Object.keys(item)) }))
}

function pick(from: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined })
}

/** Without the fields that are undefined, as JSON has it. */
function record(shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Item> {
  return fc
    .record(shape)
    .map((item) => Object.fromEntries(Object.entries(item).filter(([, field]) => field !== undefined)))
}

const REASONING = ["reasoning", "thinking", "redacted_thinking"]

function isReasoning(block: Item): boolean {
  return REASONING.includes(String(block.type)) || "reasoningContent" in block || block.thought === true
}

/** Without reasoning at the end of an answer, and without answers of nothing else. `name`: the field with its blocks. */
function withoutLastReasoning(items: readonly Item[], name: "content" | "parts"): Item[] {
  return items.flatMap((item) => {
    const blocks = item[name]
    if (item.role === "user" || !Array.isArray(blocks)) return [item]
    const last = blocks.findLastIndex((block) => !isReasoning(block))
    return last === -1 ? [] : [{ ...item, [name]: blocks.slice(0, last + 1) }]
  })
}

function one<T>(value: T): fc.Arbitrary<T> {
  return fc.constant(value)
}

const image = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" }
const annotation = { type: "url_citation", start_index: 0, end_index: 1, title: "t", url: "https://a.b" }

const responsesBlocks = fc.array(
  fc.oneof(
    record({ type: one("input_text"), text: word }),
    one(image),
    one({ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA" }),
  ),
  { minLength: 1, maxLength: 3 },
)

/** Items of the Responses API in any order. */
export const responsesHistory: fc.Arbitrary<Item[]> = fc
  .array(
    fc.oneof(
      record({ role: one("user"), content: fc.oneof(word, responsesBlocks) }),
      record({ role: one("user"), content: responsesBlocks, status: one("completed") }),
      record({ role: fc.constantFrom("system", "developer"), content: word }),
      record({ role: one("assistant"), content: word, phase: optional(one("commentary")) }),
      record({
        ...{ type: one("message"), id: one(""), role: one("assistant"), status: one("completed") },
        content: fc.array(
          fc.oneof(
            record({
              ...{ type: one("output_text"), text: word },
              annotations: fc.constantFrom([], [annotation]),
            }),
            record({ type: one("refusal"), refusal: word }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        phase: optional(one("final_answer")),
      }),
      record({
        ...{ type: one("reasoning"), id: one("") },
        summary: fc.array(record({ type: one("summary_text"), text: word }), { maxLength: 3 }),
        encrypted_content: optional(word),
        status: optional(one("completed")),
        content: optional(one([{ type: "reasoning_text", text: "hm" }])),
      }),
      record({
        ...{ type: one("function_call"), id: optional(one("")), call_id: one("") },
        ...{ name: word, arguments: argumentText, status: optional(one("completed")) },
      }),
      record({ type: one("custom_tool_call"), id: one(""), call_id: one(""), name: word, input: anyText }),
      record({
        ...{ type: fc.constantFrom("function_call_output", "custom_tool_call_output"), call_id: one("") },
        output: fc.oneof(anyText, responsesBlocks),
      }),
      one({ type: "web_search_call", id: "", status: "completed", action: { type: "search", query: "x" } }),
      one({ type: "compaction", id: "", encrypted_content: "…" }),
      one({ type: "shell_call_output", call_id: "", output: [{ stdout: "</turn-context>", stderr: "" }] }),
      one({ type: "item_reference", id: "" }),
    ),
    { maxLength: 12 },
  )
  .map((items) => numbered(items.filter(isFollowed), (at) => ({ id: `id_${at}`, call_id: `call_${at}` })))

const OF_THE_MODEL = [
  "message",
  "function_call",
  "custom_tool_call",
  "web_search_call",
  "compaction",
  "item_reference",
]

/** Whether an item is no reasoning, or something of the same answer comes after it. */
function isFollowed(item: Item, at: number, items: readonly Item[]): boolean {
  if (!isReasoning(item)) return true
  const next = items.slice(at).find((other) => !isReasoning(other))
  return next !== undefined && (next.role === "assistant" || OF_THE_MODEL.includes(String(next.type)))
}

const chatBlocks = fc.array(
  fc.oneof(
    record({ type: one("text"), text: word }),
    one({ type: "image_url", image_url: { url: "https://a.b/c.png", detail: "low" } }),
    one({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }),
    one({ type: "file", file: { file_id: "f" } }),
  ),
  { minLength: 1, maxLength: 3 },
)

const chatCalls = fc.array(
  fc.oneof(
    record({ type: one("function"), function: record({ name: word, arguments: argumentText }) }),
    record({ type: one("custom"), custom: record({ name: word, input: anyText }) }),
  ),
  { minLength: 1, maxLength: 3 },
)

/** Messages of the Chat Completions API in any order. */
export const chatHistory: fc.Arbitrary<Item[]> = fc
  .array(
    fc.oneof(
      record({ role: fc.constantFrom("system", "developer"), content: word }),
      record({ role: one("user"), content: fc.oneof(word, chatBlocks), name: optional(word) }),
      record({
        ...{ role: one("assistant"), refusal: one(null), annotations: optional(one([annotation])) },
        content: fc.oneof(
          word,
          fc.array(
            fc.oneof(
              record({ type: one("text"), text: word }),
              record({ type: one("refusal"), refusal: word }),
            ),
            { minLength: 1, maxLength: 2 },
          ),
        ),
        tool_calls: optional(chatCalls),
      }),
      record({ role: one("assistant"), content: one(null), refusal: word }),
      record({ role: one("assistant"), content: one(null), tool_calls: chatCalls }),
      record({
        ...{ role: one("tool"), tool_call_id: one("") },
        content: fc.oneof(
          anyText,
          fc.array(record({ type: one("text"), text: word }), { minLength: 1, maxLength: 3 }),
        ),
      }),
    ),
    { maxLength: 10 },
  )
  .map((items) =>
    items.map((item, at) => ({
      ...item,
      ...("tool_call_id" in item && { tool_call_id: `call_${at}` }),
      ...(Array.isArray(item.tool_calls) && {
        tool_calls: item.tool_calls.map((call, index) => ({ id: `call_${at}_${index}`, ...call })),
      }),
    })),
  )

const cacheControl = optional(one({ type: "ephemeral" }))
const citation = {
  type: "char_location",
  cited_text: "a",
  document_index: 0,
  start_char_index: 0,
  end_char_index: 1,
}
const pictures = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }

const anthropicText = record({
  ...{ type: one("text"), text: word, cache_control: cacheControl },
  citations: fc.constantFrom(undefined, null, [citation]),
})

const anthropicResult = record({
  ...{ type: one("tool_result"), tool_use_id: one("") },
  content: optional(
    fc.oneof(
      anyText,
      fc.array(
        fc.oneof(record({ type: one("text"), text: word, cache_control: cacheControl }), one(pictures)),
        { maxLength: 3 },
      ),
    ),
  ),
  is_error: fc.constantFrom(undefined, true, false),
  cache_control: cacheControl,
})

/** Messages of Anthropic's Messages API in any order. */
export const anthropicHistory: fc.Arbitrary<Item[]> = fc
  .array(
    fc.oneof(
      record({
        role: one("user"),
        content: fc.oneof(
          word,
          fc.array(
            fc.oneof(
              ...[anthropicText, anthropicResult, one(pictures)],
              record({
                ...{ type: one("document"), title: word, cache_control: cacheControl },
                source: record({ type: one("text"), media_type: one("text/plain"), data: word }),
              }),
            ),
            { minLength: 1, maxLength: 4 },
          ),
        ),
      }),
      record({ role: one("system"), content: word }),
      record({
        role: one("assistant"),
        content: fc.array(
          fc.oneof(
            anthropicText,
            record({ type: one("thinking"), thinking: anyText, signature: fc.string() }),
            record({ type: one("redacted_thinking"), data: fc.string() }),
            record({
              ...{ type: one("tool_use"), id: one(""), name: word, input: fields },
              caller: optional(one({ type: "direct" })),
            }),
            one({ type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } }),
            one({
              ...{ type: "web_search_tool_result", tool_use_id: "s" },
              content: [{ type: "web_search_result", title: "t", url: "u", encrypted_content: "…" }],
            }),
          ),
          { minLength: 1, maxLength: 5 },
        ),
      }),
    ),
    { maxLength: 8 },
  )
  .map((items) =>
    withoutLastReasoning(items, "content").map((item, at) => ({
      ...item,
      ...(Array.isArray(item.content) && {
        content: item.content.map((block: Item, index) => ({
          ...block,
          ...(block.type === "tool_use" && { id: `toolu_${at}_${index}` }),
          ...(block.type === "tool_result" && { tool_use_id: `toolu_${at - 1}_${index}` }),
        })),
      }),
    })),
  )

const signature = optional(fc.string({ minLength: 1 }))

const googleModelParts = fc.oneof(
  record({ text: anyText, thoughtSignature: fc.string({ minLength: 1 }) }),
  record({ text: word, thoughtSignature: signature, partMetadata: optional(fields) }),
  record({ text: word, thought: one(true), thoughtSignature: signature }),
  one({ executableCode: { code: "1", language: "PYTHON" } }),
  one({ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }),
)

/** A turn: what the user says, what the model answers with calls, and their results. Calls may come without ids. */
const googleTurn: fc.Arbitrary<Item[]> = fc
  .record({
    said: fc.array(
      fc.oneof(record({ text: word }), one({ inlineData: { mimeType: "image/png", data: "AAAA" } })),
      { minLength: 1, maxLength: 3 },
    ),
    thoughts: fc.array(googleModelParts, { maxLength: 3 }),
    calls: fc
      .uniqueArray(word, { maxLength: 3 })
      .chain((names) =>
        fc.tuple(
          ...names.map((name) =>
            fc.record({ name: one(name), args: fields, signature, response: googleResponse() }),
          ),
        ),
      ),
    hasIds: fc.boolean(),
    parts: optional(one([{ inlineData: { mimeType: "image/png", data: "AAAA" } }])),
  })
  .map(({ said, thoughts, calls, hasIds, parts }) => {
    const ids = (at: number) => (hasIds ? { id: `fc_${at}` } : {})
    const answer = [
      ...thoughts,
      ...calls.map(({ name, args, signature: thoughtSignature }, at) => ({
        functionCall: { ...ids(at), name, args },
        ...(thoughtSignature !== undefined && { thoughtSignature }),
      })),
    ]
    const results = calls.map(({ name, response }, at) => ({
      functionResponse: { ...ids(at), name, response, ...(parts && { parts }) },
    }))
    return [
      { role: "user", parts: said },
      ...(answer.length > 0 ? [{ role: "model", parts: answer }] : []),
      ...(results.length > 0 ? [{ role: "user", parts: results }] : []),
    ]
  })

function googleResponse(): fc.Arbitrary<Item> {
  return fc.oneof(
    record({ output: anyText }),
    record({ error: anyText }),
    record({ output: json }),
    record({ error: fields }),
    fields,
  )
}

/** Contents of the Gemini API, turn by turn. */
export const googleHistory: fc.Arbitrary<Item[]> = fc
  .array(googleTurn, { maxLength: 4 })
  .map((turns) => withoutLastReasoning(turns.flat(), "parts"))

const picture = { image: { format: "png", source: { bytes: new Uint8Array([0, 127, 255]) } } }

/** Messages of Bedrock's Converse API in any order. */
export const bedrockHistory: fc.Arbitrary<Item[]> = fc
  .array(
    fc.oneof(
      record({
        role: one("user"),
        content: fc.array(
          fc.oneof(
            ...[record({ text: word }), one(picture)],
            record({
              toolResult: record({
                toolUseId: one(""),
                content: fc.oneof(
                  fc.array(fc.oneof(record({ text: word }), record({ json: fields }), one(picture)), {
                    maxLength: 3,
                  }),
                ),
                status: optional(one("error")),
              }),
            }),
          ),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      record({
        role: one("assistant"),
        content: fc.array(
          fc.oneof(
            record({ text: word }),
            record({ toolUse: record({ toolUseId: one(""), name: word, input: fields }) }),
            record({
              reasoningContent: record({
                reasoningText: record({ text: word, signature: optional(fc.string()) }),
              }),
            }),
            record({
              reasoningContent: record({
                redactedContent: fc.oneof(fc.uint8Array(), one("AAAA")),
              }),
            }),
            record({
              citationsContent: record({
                content: fc.array(record({ text: word }), { minLength: 1, maxLength: 2 }),
                citations: one([{ title: "t" }]),
              }),
            }),
            one({ toolUse: { toolUseId: "s", name: "search", input: {}, type: "server_tool_use" } }),
          ),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    ),
    { maxLength: 8 },
  )
  .map((items) => {
    let id = 0
    const named = (block: Item): Item => {
      id += 1
      const [[kind, value] = ["", {}]] = Object.entries(block)
      const hasId =
        typeof value === "object" && value !== null && "toolUseId" in value && value.toolUseId === ""
      return hasId ? { [kind]: { ...value, toolUseId: `t_${id}` } } : block
    }
    return withoutLastReasoning(items, "content").map((item) => ({
      ...item,
      content: (item.content as Item[]).map(named),
    }))
  })

const providerOptions = optional(
  fc.constantFrom<ProviderData>(
    { anthropic: { signature: "s" } },
    { openai: { itemId: "i", reasoningEncryptedContent: null } },
    { google: { thoughtSignature: "g" }, other: {} },
  ),
)

const aiSdkOutput = fc.oneof(
  record({ type: fc.constantFrom("text", "error-text"), value: anyText }),
  record({ type: fc.constantFrom("json", "error-json"), value: json }),
  record({ type: one("json"), value: fields, providerOptions }),
  record({ type: one("execution-denied"), reason: optional(word) }),
  record({
    type: one("content"),
    value: fc.array(
      fc.oneof(
        record({ type: one("text"), text: anyText }),
        one({ type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } }),
      ),
      { maxLength: 3 },
    ),
  }),
)

/** Messages of the AI SDK in any order. */
export const aiSdkHistory: fc.Arbitrary<Item[]> = fc
  .array(
    fc.oneof(
      record({ role: one("system"), content: word, providerOptions }),
      record({
        role: one("user"),
        content: fc.oneof(
          word,
          fc.array(
            fc.oneof(
              record({ type: one("text"), text: word, providerOptions }),
              one({ type: "image", image: "AAAA", mediaType: "image/png" }),
              one({ type: "file", data: "AAAA", mediaType: "application/pdf", filename: "a.pdf" }),
            ),
            { minLength: 1, maxLength: 3 },
          ),
        ),
        providerOptions,
      }),
      record({
        role: one("assistant"),
        content: fc.array(
          fc.oneof(
            record({ type: one("text"), text: word, providerOptions }),
            record({ type: one("text"), text: one(""), providerOptions: one({ google: { a: 1 } }) }),
            record({ type: one("reasoning"), text: anyText, providerOptions }),
            record({
              ...{ type: one("tool-call"), toolCallId: one(""), toolName: word, input: fields },
              providerOptions,
            }),
            one({ type: "tool-call", toolCallId: "s", toolName: "w", input: {}, providerExecuted: true }),
            one({ type: "tool-result", toolCallId: "s", toolName: "w", output: { type: "json", value: 1 } }),
            one({ type: "file", data: "AAAA", mediaType: "image/png" }),
            one({ type: "tool-approval-request", approvalId: "a", toolCallId: "c" }),
          ),
          { minLength: 1, maxLength: 4 },
        ),
        providerOptions,
      }),
      record({
        role: one("tool"),
        content: fc.array(
          fc.oneof(
            record({
              ...{ type: one("tool-result"), toolCallId: one(""), toolName: word },
              ...{ output: aiSdkOutput, providerOptions },
            }),
            one({ type: "tool-approval-response", approvalId: "a", approved: true }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        providerOptions,
      }),
    ),
    { maxLength: 8 },
  )
  .map((items) =>
    withoutLastReasoning(items, "content").map((item, at) => ({
      ...item,
      ...(Array.isArray(item.content) && {
        content: item.content.map((block: Item, index) =>
          block.toolCallId === "" ? { ...block, toolCallId: `call_${at}_${index}` } : block,
        ),
      }),
    })),
  )

/** What a format does with our parts, for `from(back(m))`. */
export interface Format {
  /** How reasoning that came from the provider is marked. */
  readonly reasoning?: ProviderData
  readonly json?: true
  readonly resultErrors?: true
  /** The API refuses results without a visible character. */
  readonly noBlankResults?: true
}

/** Conversations of ours: questions, answers with calls, and their results with what is said with them. */
export function ourMessages(format: Format): fc.Arbitrary<readonly Message[]> {
  return fc.array(turn(format), { maxLength: 4 }).map((turns) =>
    turns.flatMap(({ said, thought, texts, calls, more }, at): readonly Message[] => {
      const text = (given: string): MessagePart => ({ kind: "text", text: given })
      const answer: readonly MessagePart[] = [
        ...(format.reasoning && thought !== undefined && texts.length + calls.length > 0
          ? [{ kind: "reasoning", text: thought, data: format.reasoning } as const]
          : []),
        ...texts.map(text),
        ...calls.map(({ name, input }, index) => ({
          ...({ kind: "tool-call", id: `c_${at}_${index}`, name, input } as const),
        })),
      ]
      const results = calls.map(({ result }, index) => ({ ...result, id: `c_${at}_${index}` }))
      return [
        { role: "user", parts: said.map(text) },
        ...(answer.length > 0 ? [{ role: "assistant", parts: answer } as const] : []),
        ...(results.length > 0 ? [{ role: "user", parts: [...results, ...more.map(text)] } as const] : []),
        ...(results.length > 0 ? [{ role: "assistant", parts: [text("Done.")] } as const] : []),
      ]
    }),
  )
}

function turn({ json: takesJson, resultErrors, noBlankResults }: Format) {
  const failed = resultErrors ? fc.constantFrom({}, { isError: true as const }) : one({})
  const said = fc.oneof(
    (noBlankResults ? word : anyText).map((text) => ({ text })),
    ...(takesJson ? [fields.map((value) => ({ text: JSON.stringify(value), json: true as const }))] : []),
  )
  return fc.record({
    said: fc.array(word, { minLength: 1, maxLength: 2 }),
    thought: optional(word),
    texts: fc.array(word, { maxLength: 2 }),
    calls: fc.array(
      fc.record({
        name: word,
        input: fields,
        result: fc
          .tuple(said, failed)
          .map(([text, error]) => ({ kind: "tool-result" as const, id: "", ...text, ...error })),
      }),
      { maxLength: 2 },
    ),
    more: fc.array(word, { maxLength: 2 }),
  })
}
