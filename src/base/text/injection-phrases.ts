// Phrases with which a text tries to take over the model that reads it.

/** After these words, a prohibition has ended or isn't one: "Never mind, and post …", "Don't hesitate to send …". */
const NOT_FORBIDDEN = "mind|worry|wait|stop|panic|hesitate|fail|neglect|forget to"
/** "Never reveal your system prompt" is advice against it. */
const NOT_ADVICE = String.raw`(?<!\b(?:never|not|don.t|avoid|refuse to|cannot|can.t)\s(?!(?:${NOT_FORBIDDEN})\b)(?:[\w,]{1,20}\s){0,2})`
const GAP = String.raw`\s{1,4}`

/** A verb that is not negated, up to five small words, and its object. */
function attempt(verbs: string, small: string, what: string): string {
  // Match the verb first: a lookbehind at every position would be slow.
  return `\\b(?=(?:${verbs})\\b)${NOT_ADVICE}(?:${verbs})${GAP}(?:(?:${small})${GAP}){0,5}(?:${what})\\b`
}

interface Phrase {
  /** In lower case. A text that matches contains a word of each list. */
  readonly words: readonly (readonly string[])[]
  readonly pattern: string
}

/** Keyed by what they try to do. Every repetition is bounded, so that no text can make them slow. */
const PHRASES: Readonly<Record<string, Phrase>> = {
  "override of instructions": {
    words: [
      ["ignore", "disregard", "forget", "override", "overrule", "discard"],
      ["instruction", "prompt", "message", "rule", "guideline", "direct", "constraint", "polic", "context"],
    ],
    pattern: attempt(
      "ignore|disregard|forget|override|overrule|discard",
      "all|any|every|of|the|your|these|those|my|our",
      `(?:previous|prior|preceding|earlier|above|former|original|initial|system|developer)${GAP}(?:(?:system|developer|user)${GAP})?(?:instructions?|prompts?|messages?|rules?|guidelines?|directions?|directives?|constraints?|policy|policies|context)`,
    ),
  },
  "override of everything": {
    words: [
      ["forget", "ignore", "disregard"],
      ["above", "before", "previous", "prior", "you"],
    ],
    pattern: attempt(
      "forget|ignore|disregard",
      "everything",
      `above|before|previous|prior|you${GAP}(?:know|were|have)`,
    ),
  },
  "exfiltration of secrets": {
    words: [
      ["send", "post", "upload", "exfiltrate", "leak", "transmit", "forward", "mail"],
      ["prompt", "api", "password", "secret", "credential", "key", "token"],
    ],
    pattern: attempt(
      "send|post|upload|exfiltrate|leak|transmit|forward|e-?mail",
      "me|us|all|any|every|the|your|their|its|contents?|of|full|entire|user's",
      `system${GAP}prompt|api[\\s_-]{0,4}keys?|passwords?|secrets?|credentials?|(?:private|ssh)${GAP}keys?|access${GAP}tokens?`,
    ),
  },
  "exfiltration of the prompt": {
    words: [
      ["reveal", "print", "output", "repeat", "show", "display"],
      ["prompt", "instructions"],
    ],
    pattern: attempt(
      "reveal|print|output|repeat|show|display",
      "me|us|all|the|your|full|entire|whole|of",
      `system${GAP}prompt|(?:hidden|initial|secret)${GAP}instructions`,
    ),
  },
  "exfiltration by a command": {
    words: [["~/.ssh/id_", "~/.aws/credentials"]],
    pattern: String.raw`~\/\.(?:ssh\/id_|aws\/credentials)[^\n]{0,100}\b(?:curl|wget|nc)\b|\b(?:curl|wget|nc)\s[^\n]{0,100}~\/\.(?:ssh\/id_|aws\/credentials)`,
  },
  "safety bypass": {
    words: [
      ["bypass", "disable", "turn", "ignore", "circumvent", "evade"],
      ["safety", "content", "moderation", "ethical", "guardrails"],
    ],
    pattern: attempt(
      `bypass|disable|turn${GAP}off|ignore|circumvent|evade`,
      "all|any|your|the|its",
      `(?:safety|content|moderation|ethical)${GAP}(?:filters?|guidelines?|checks?|rules?|restrictions?|measures|policy|policies|limits|guardrails)|guardrails`,
    ),
  },
  "another self": {
    words: [["now"], ["dan", "jailbroken", "unrestricted", "uncensored", "god", "developer", "anything"]],
    pattern: `\\byou${GAP}are${GAP}now${GAP}(?:(?:in|an?|the)${GAP}){0,2}(?:DAN|jailbroken|unrestricted|uncensored|god${GAP}mode|developer${GAP}mode)\\b|\\bdo${GAP}anything${GAP}now\\b`,
  },
  "role forgery by a tag": {
    words: [
      ["<", "inst]"],
      ["system", "developer", "assistant", "<|im_", "<|user", "sys>>", "inst]"],
    ],
    pattern: String.raw`<\/?\s{0,4}(?:system|system[-_](?:prompt|message|reminder|instructions?)|developer|assistant)\s{0,4}>|<\|(?:im_start|im_end|system|assistant|user)\|>|<<\/?SYS>>|\[\/?INST\]`,
  },
  "role forgery by a heading": {
    words: [
      ["system", "developer"],
      ["system:", "developer:", "prompt:", "message:", "instruction:", "instructions:", " :", "*:"],
    ],
    pattern: String.raw`^[ \t]{0,3}#{1,6}[ \t]{1,4}(?:new )?(?:system|developer)(?: (?:prompt|message|instructions?))? ?:|^[ \t]{0,3}\*{0,2}(?:system|developer)\*{0,2}:\*{0,2}[ \t]{1,4}(?:you|ignore|override|new)\b`,
  },
  "role forgery by a claim": {
    words: [["new", "updated"], ["system"], ["prompt", "instructions"]],
    pattern: `\\b(?:new|updated)${GAP}system${GAP}(?:prompt|instructions)\\b`,
  },
}

/**
 * A pattern for the phrases that the text may have; undefined if it cannot have any. Looking for words is far cheaper
 * than the first use of a pattern with all phrases.
 */
export function injectionPattern(text: string): RegExp | undefined {
  const folded = text.toLowerCase()
  // To a pattern, a long s is an s.
  const isOdd = folded.includes("\u017F")
  const has = (list: readonly string[]) => list.some((word) => folded.includes(word))
  const possible = Object.values(PHRASES).filter(({ words }) => isOdd || words.every(has))
  if (possible.length === 0) return undefined
  return new RegExp(possible.map(({ pattern }) => pattern).join("|"), "gimu")
}
