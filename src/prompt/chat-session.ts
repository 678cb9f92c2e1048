// What `open`, `resume` and `update` take, checked and turned into the compiler's session.
import { IncipitError } from "../base/error.ts"
import { isRecord } from "../base/is-record.ts"
import { isTrust, TRUSTS } from "../base/trust.ts"
import type { Session } from "../core/model/inputs.ts"
import { MODES } from "../core/model/mode.ts"
import { feed } from "../core/model/section-input.ts"
import { type Definition, SESSION_TEXTS, writeTexts } from "./definition.ts"
import type { ChatOptions } from "./prompt-inputs.ts"

/** Without a trust the audience is public: whoever isn't known sees what everyone may see. */
export function sessionFor(definition: Definition, given: ChatOptions): Session {
  if (!isRecord(given)) throw badInput('a chat needs an id, such as open({ id: "ada" })')
  const { id, trust = "public", situation = "dm", mode = "full" } = given
  if (typeof id !== "string" || id === "")
    throw badInput("the chat has no id; pass one, such as the id of the customer")
  if (!isTrust(trust)) throw badInput(`the trust is ${JSON.stringify(trust)}; use ${TRUSTS.join(", ")}`)
  if (!MODES.some((one) => one === mode))
    throw badInput(`the mode is ${JSON.stringify(mode)}; use ${MODES.join(", ")}`)
  const texts = writeTexts(definition, "session", given)
  return {
    id,
    audience: { trust, situation, mode },
    files: [],
    inputs: { ...given, ...feed(SESSION_TEXTS, texts) },
  }
}

export function badInput(problem: string): IncipitError {
  return new IncipitError("bad-chat-input", problem)
}
