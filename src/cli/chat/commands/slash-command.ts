// What a command of the chat is: its name, the ways to use it, and what it returns. slash.ts has the table of them.
import type { ChatContext } from "../chat-context.ts"

/** One way to use a command: the words after its name, and what they do. */
export interface Form {
  /** Lower-case words are typed as they are, upper-case words are placeholders, words in brackets are optional. */
  readonly words: string
  readonly help: string
}

/** The result of a command. */
export interface CommandResult {
  readonly lines: readonly string[]
  /** A message to send next; the screen shows `shown` instead. */
  readonly send?: { readonly text: string; readonly shown: string }
  /** A text to put into the composer. */
  readonly write?: string
  /** A queued message to try again, which is a turn. */
  readonly retry?: string
}

export interface SlashCommand {
  readonly name: string
  /** Names in other programs, which people type out of habit. Not listed. */
  readonly aliases?: readonly string[]
  /** A few words, for the list of commands. */
  readonly help: string
  readonly forms?: readonly Form[]
  /** Values for an upper-case word. */
  readonly choices?: readonly string[]
  /** Values that depend on the words before. */
  readonly names?: (
    chat: ChatContext,
    before: readonly string[],
  ) => readonly string[] | Promise<readonly string[]>
  /** Changes the session that turns use, so no turn may be running. */
  readonly needsRest?: true
  /** `body`: the lines below the command. Returns undefined if it does not take these words. */
  readonly run: (
    chat: ChatContext,
    words: readonly string[],
    body: string,
  ) => Promise<readonly string[] | CommandResult | undefined>
}
