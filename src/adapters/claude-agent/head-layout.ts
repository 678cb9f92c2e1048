// Where the head goes in the Claude Agent SDK. Its boundary gives text that all sessions share a cache entry of its own, but
// only at Anthropic's own address: everywhere else the SDK makes one block of both parts, which no two people share.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Block } from "../../core/model/plan.ts"
import { BOUNDARY } from "../../render/formats/claude-agent.ts"

/** The variables that the SDK's process gets. */
export type Variables = Readonly<Record<string, string | undefined>>

export interface HeadLayout {
  readonly systemPrompt: string[]
  /** Text of the head that opens the conversation instead. */
  readonly lead: string
  readonly finding: Diagnostic | undefined
}

export function layoutFor(head: readonly Block[], variables: Variables): HeadLayout {
  const moving = head.findIndex(({ pace }) => pace !== "stable")
  const at = moving === -1 ? head.length : moving
  const stable = textOf(head.slice(0, at))
  const session = textOf(head.slice(at))
  const url = otherAddress(variables)
  if (url === undefined) return { systemPrompt: parts(stable, session), lead: "", finding: undefined }
  // With one part only there is nothing to divide.
  const isDivided = stable !== "" && session !== ""
  if (!isDivided) return { systemPrompt: [stable + session].filter(isText), lead: "", finding: undefined }
  return { systemPrompt: [stable], lead: session, finding: { code: "boundary-dropped", url } }
}

/** The variables of the program itself, which the SDK passes on unless it is given others. */
export function ownVariables(): Variables {
  const { process }: { readonly process?: { readonly env?: Variables } } = globalThis
  return process?.env ?? {}
}

function parts(stable: string, session: string): string[] {
  return stable === "" && session === "" ? [] : [stable, BOUNDARY, session].filter(isText)
}

/** Undefined if the SDK takes the address for Anthropic's. */
function otherAddress(variables: Variables): string | undefined {
  const url = variables.ANTHROPIC_BASE_URL
  const { _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: assumed = "" } = variables
  if (url === undefined || url === "" || YES.test(assumed.trim())) return undefined
  if (!URL.canParse(url)) return url
  const { host, origin } = new URL(url)
  // Without a name or a password that may be in it.
  return host === "api.anthropic.com" ? undefined : origin
}

const YES = /^(?:1|true|yes|on)$/i

function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join("")
}

function isText(text: string): boolean {
  return text !== ""
}
