// The list of a call: by section for our own prompts, by whose text it is for those of other clients.
import type { CallDetail } from "../../../src/serve/page/shown.ts"
import { ownRows } from "./own-rows.ts"
import { ownerRows } from "./owner-rows.ts"
import type { PromptList } from "./prompt-row.ts"

/** The build report says more than the owners; calls of other clients have none. */
export function promptList(detail: CallDetail): PromptList {
  return detail.call.client === "incipit" || detail.report !== null ? ownRows(detail) : ownerRows(detail)
}
