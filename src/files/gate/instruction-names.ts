// Names of files that this or another agent reads as instructions, in any folder.

const NAMES =
  /^(agents|claude|gemini|copilot-instructions|soul|identity|tools|user|heartbeat|(append_)?system|skill)(\.\w+)?\.(md|mdc)$/

/** Also matches names that a file system may treat as equal: other letter case, and compatibility forms of letters. */
export function isInstructionName(name: string): boolean {
  return NAMES.test(name.normalize("NFKC").toLowerCase())
}
