// About requests: what a format cannot send, cache breakpoints, and prefixes that the provider does not read again.
import { error, hint, warning } from "./kind.ts"

export const REQUEST_DIAGNOSTICS = {
  "too-many-breakpoints": error(
    (d: { readonly count: number; readonly allowed: number }) =>
      `The request has ${d.count} cache breakpoints and the provider allows ${d.allowed}. It would be refused.`,
  ),
  "breakpoint-not-allowed": error(
    (d: { readonly tier: string }) =>
      `The request has a cache breakpoint in its ${d.tier}, where the provider allows none. It would be refused.`,
  ),
  "breakpoint-without-effect": warning(
    (d: { readonly rule: string }) => `The request has a cache breakpoint, which ${d.rule} ignores.`,
  ),
  "breakpoints-ignored": warning(
    (d: { readonly count: number; readonly allowed: number }) =>
      `The request has ${d.count} cache breakpoints of its own and the provider uses ${d.allowed}. All but the last ${d.allowed} are ignored.`,
  ),
  "ttl-order": error(
    (d: { readonly ttl: string; readonly before: string }) =>
      `A cache breakpoint with a TTL of ${d.ttl} comes after one of ${d.before}. Put longer TTLs first, or the provider refuses the request.`,
  ),
  "unknown-ttl": error(
    (d: { readonly ttl: string; readonly known: string }) =>
      `A cache breakpoint has a TTL of ${d.ttl}; the provider offers ${d.known}.`,
  ),
  "boundary-dropped": warning(
    (d: { readonly url: string }) =>
      `The Claude Agent SDK drops the boundary of the system prompt, because ANTHROPIC_BASE_URL is ${d.url}. So the system prompt has only what all chats share, and the text of this chat opens the conversation. If Anthropic is behind that address, set _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1 to keep the boundary.`,
  ),
  "head-not-sent": warning(
    (d: { readonly chat: string }) =>
      `The head of chat ${d.chat} has changed since this query of the Claude Agent SDK began, and the SDK cannot change it. The person's words were not sent. Begin another query with resume and new queryOptions.`,
  ),
  "words-not-guarded": warning(
    (d: { readonly chat: string }) =>
      `Words in chat ${d.chat} have tags that only the compiler may write, and the Claude Agent SDK cannot change them. They were not sent. Pass what people write through chat.words.`,
  ),
  "empty-text-block": error(
    (d: { readonly tier: string }) =>
      `The request has an empty text block in its ${d.tier}. It would be refused.`,
  ),
  "late-system": error(
    (d: { readonly tokens: number }) =>
      `The request has ${d.tokens} tokens of system text after the conversation began. It would be refused.`,
  ),
  "below-minimum": hint(
    (d: { readonly tokens: number; readonly minimum: number; readonly rule: string }) =>
      `A prefix of ${d.tokens} tokens is not cached: ${d.rule} caches prefixes of ${d.minimum} tokens or more. It is sent at full price.`,
  ),
  "text-after-moving": warning(
    (d: { readonly tokens: number; readonly tier: string }) =>
      `${d.tokens} tokens are the same as in the previous call but come after ${d.tier} text that changed. They are not read from the cache.`,
  ),
  "tools-changed": warning(
    (d: { readonly tokens: number }) =>
      `The tools differ from the previous call, so the ${d.tokens} tokens that both calls share are cached again.`,
  ),
  "tools-reordered": warning(
    (d: { readonly tokens: number }) =>
      `The tools are in another order than in the previous call, so the ${d.tokens} tokens that both calls share are cached again.`,
  ),
  "setting-changed": warning(
    (d: { readonly name: string; readonly tier: string; readonly tokens: number }) =>
      `The setting ${d.name} differs from the previous call, so from the ${d.tier} on, the ${d.tokens} tokens that both calls share are cached again.`,
  ),
  "beyond-look-back": warning(
    (d: { readonly blocks: number; readonly lookBack: number }) =>
      `The previous call's last breakpoint is ${d.blocks} blocks back and the provider looks back ${d.lookBack}. The conversation is cached again.`,
  ),
  "answer-not-added": warning(
    (_d: object) =>
      "The message before the newest one has no answer. If the model answered it, pass its output to chat.add before the next chat.say.",
  ),
  "nothing-said": hint(
    (_d: object) =>
      "The request ends with the model's own answer, so the model goes on from there. If a person has said something since, call chat.say first.",
  ),
  "no-cache-rule": hint(
    (d: { readonly model: string }) =>
      `No cache rule is known for the model "${d.model}", so requests get no cache marks. Check its name, or add a rule: cache.rules in incipit.yaml, the option rule in code.`,
  ),
  "native-left-out": warning(
    (d: { readonly format: string; readonly type: string; readonly count: number }) =>
      `${d.count === 1 ? `A part of the conversation (${d.type}) isn't` : `${d.count} parts of the conversation (${d.type}) aren't`} in the request: only the ${d.format} format can send ${d.count === 1 ? "it" : "them"}. Say in text what matters, or render with that format.`,
  ),
} as const
