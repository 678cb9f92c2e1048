// The reference of the compatible APIs: what becomes of each field, from the tables that requests are checked with.

import { byCodePoint } from "../src/base/order.ts"
import { MESSAGES_FIELDS } from "../src/serve/anthropic/messages-fields.ts"
import { CHAT_FIELDS } from "../src/serve/openai/chat-fields.ts"
import { RESPONSES_FIELDS } from "../src/serve/openai/responses-fields.ts"
import type { Field, Fields } from "../src/serve/talk/request/fields.ts"

const INTRO = `\`incipit serve\` answers requests of the OpenAI and Anthropic SDKs. \`model\` names an agent; \`GET /v1/models\` lists them. The token is the API key: it says who is calling and what they may see.

- **Sessions.** A request continues the session whose conversation its earlier messages repeat, of the same person, situation and trust; the header \`x-incipit-session\` or \`previous_response_id\` names one directly. An edit or a second answer to the same message branches the session, and the new branch says in one line what was left behind. Requests of chat programs for titles and tags extend no session.
- **Tools.** Tools in the request are offered beside the agent's own. Calls of the client's tools come back in the answer; the turn waits ten minutes for their results. Send the results alone, without further text.
- **Files.** Images and documents are part of the request, as \`data:\` URLs or base64: at most 20 files with 8 MB together. The server fetches no addresses.
- **Answers** carry \`x-incipit-session\`, \`x-incipit-turn\` (which \`incipit trace\`, \`incipit replay\` and the API take) and \`x-incipit-ignored\`, the fields that had no effect. Usage with full trust is what the provider reported; others get the size of what they sent and received.
- **Idempotency.** With the header \`idempotency-key\`, a repeated request gets the answer of the first for a day, and a client that disconnects doesn't stop the turn.

Fields are used, ignored (and named in \`x-incipit-ignored\`), or refused with status 400 if the answer would lack what they ask for. Unknown fields are ignored.`

export function compatiblePage(): string {
  const parts = [
    "# Compatible APIs",
    INTRO,
    section("POST /v1/chat/completions", CHAT_FIELDS),
    section("POST /v1/responses", RESPONSES_FIELDS),
    section("POST /v1/messages", MESSAGES_FIELDS),
    "`POST /v1/messages/count_tokens` takes the same fields and sends nothing.",
  ]
  return `${parts.join("\n\n")}\n`
}

function section(title: string, fields: Fields): string {
  const rows = Object.entries(fields)
    .toSorted(([a], [b]) => byCodePoint(a, b))
    .map(([name, field]) => `| \`${name}\` | ${field.kind} | ${noteOf(field)} |`)
  return `## ${title}\n\n| field | is | note |\n|---|---|---|\n${rows.join("\n")}`
}

function noteOf(field: Field): string {
  const notes = [field.kind === "refused" ? field.why : undefined, field.note]
  return notes.filter((note) => note !== undefined).join("; ")
}
