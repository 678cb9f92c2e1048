// Names of files that this agent or another one reads as instructions, wherever they stand.

const NAMES =
  /^(agents|claude|gemini|copilot-instructions|soul|identity|tools|user|heartbeat|(append_)?system|skill)(\.\w+)?\.(md|mdc)$/

/** Whatever a disk may take for such a name: in any case of letters, and in letters that only look different. */
export function isInstructionName(name: string): boolean {
  return NAMES.test(name.normalize("NFKC").toLowerCase())
}
