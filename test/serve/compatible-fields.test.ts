// Every field of the SDKs' request types is in the tables that say what becomes of it.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { MESSAGES_FIELDS } from "../../src/serve/anthropic/messages-fields.ts"
import { CHAT_FIELDS } from "../../src/serve/openai/chat-fields.ts"
import { RESPONSES_FIELDS } from "../../src/serve/openai/responses-fields.ts"
import type { Fields } from "../../src/serve/talk/request/fields.ts"

const OPENAI = "node_modules/openai/resources"
const ANTHROPIC = "node_modules/@anthropic-ai/sdk/resources"

const TYPES: readonly [Fields, string, string][] = [
  [CHAT_FIELDS, `${OPENAI}/chat/completions/completions.d.ts`, "ChatCompletionCreateParamsBase"],
  [RESPONSES_FIELDS, `${OPENAI}/responses/responses.d.ts`, "ResponseCreateParamsBase"],
  [MESSAGES_FIELDS, `${ANTHROPIC}/messages/messages.d.ts`, "MessageCreateParamsBase"],
  [MESSAGES_FIELDS, `${ANTHROPIC}/beta/messages/messages.d.ts`, "MessageCreateParamsBase"],
]

/** The SDKs' declarations are generated: a field begins a line with four spaces. */
function fieldsOf(path: string, type: string): readonly string[] {
  const [, rest = ""] = readFileSync(path, "utf8").split(`export interface ${type} {`)
  const [body = ""] = rest.split("\n}")
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = ""]) => name)
}

test.each(TYPES)("%#: no field of the request type is missing", (fields, path, type) => {
  const found = fieldsOf(path, type)
  expect(found.length).toBeGreaterThan(15)
  expect(found.filter((name) => !Object.hasOwn(fields, name))).toEqual([])
})
