// What a command of the chat is: its name, the ways to use it, and what it returns. slash.ts has the table of them.
import type { Desk } from "../desk.ts"

/** One way to use a command: what comes after its name, and what that does. */
export interface Form {
  /** Words in small letters are typed as they are, one in capitals stands for something; brackets may be left out. */
  readonly words: string
  readonly help: string
}

/** What a command comes to. */
export interface Said {
  readonly lines: readonly string[]
  /** A message that is sent next; `shown` stands for it on the screen. */
  readonly send?: { readonly text: string; readonly shown: string }
  /** A text that is put where messages are written. */
  readonly write?: string
}

export interface SlashCommand {
  readonly name: string
  /** A few words, for the list of all. */
  readonly help: string
  readonly forms?: readonly Form[]
  /** What may stand for a word in capitals. */
  readonly choices?: readonly string[]
  /** The same, where it is not always the same: after these words. */
  readonly names?: (desk: Desk, before: readonly string[]) => readonly string[]
  /** It changes what a turn is about, so none may be going on. */
  readonly needsRest?: true
  /** `body`: the lines below the command. Nothing if it does not take these words. */
  readonly run: (
    desk: Desk,
    words: readonly string[],
    body: string,
  ) => Promise<readonly string[] | Said | undefined>
}
