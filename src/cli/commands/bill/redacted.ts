// A bill without secrets: every text in it goes through the record's redactor before it is shown or written.
import type { Bill } from "../../../capture/bill/bill.ts"
import { createRedactor } from "../../../record/redact/redactor.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { jsonTexts } from "../../../record/write/json-texts.ts"
import type { Terminal } from "../../terminal.ts"

export async function redacted(bill: Bill, env: Terminal["env"]): Promise<Bill> {
  const redact = createRedactor({ secrets: createSecrets(secretsAmong(env)) })
  const { texts, fill } = jsonTexts(JSON.stringify(bill))
  // It was a bill, and only its strings have changed.
  return JSON.parse(fill(await redact(texts))) as Bill
}
