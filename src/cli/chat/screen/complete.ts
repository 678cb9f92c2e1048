// Tab completion: the name of a command or the word after it, from the command table, or the path of a file after `@`.

import { pathsFrom } from "../attached.ts"
import type { ChatContext } from "../chat-context.ts"
import { SLASH_COMMANDS } from "../commands/slash.ts"

/** What a text could become. */
export interface Candidate {
  readonly name: string
  readonly help?: string
}

export interface Completion {
  readonly text: string
  /** If there are several ways. */
  readonly candidates: readonly Candidate[]
}

/** The commands that begin as what was typed, while it is typed. */
export function offered(text: string, chat?: ChatContext): readonly Candidate[] {
  if (!/^\/\S*$/.test(text)) return []
  const all = [...SLASH_COMMANDS, ...(chat?.agent.prompts(chat.talk.from) ?? [])]
  return all
    .map((one) => ({ name: `/${one.name}`, help: "help" in one ? one.help : one.description }))
    .filter(({ name }) => name.startsWith(text))
}

/** Names that only the agent knows need a chat. */
export async function completed(text: string, chat?: ChatContext): Promise<Completion> {
  const [, start = "", path] = /^((?:.*\s)?@)(\S*)$/s.exec(text) ?? []
  if (path !== undefined && chat !== undefined) return choose(path, pathsFrom(path, chat.view.cwd), start)
  const [, before = "", word = ""] = /^(\/\S+ (?:\S+ )*|\/)(\S*)$/.exec(text) ?? []
  if (before === "") return { text, candidates: [] }
  const choices = before === "/" ? commandNames(chat) : await choicesAfter(before, chat)
  return choices.length === 0 ? { text, candidates: [] } : choose(word, choices, before)
}

/** A command comes before a reusable prompt of the same name. */
function commandNames(chat: ChatContext | undefined): readonly string[] {
  const called = chat?.agent.prompts(chat.talk.from) ?? []
  return [...new Set([...SLASH_COMMANDS, ...called].map(({ name }) => name))]
}

async function choicesAfter(text: string, chat: ChatContext | undefined): Promise<readonly string[]> {
  const [name = "", ...before] = text.slice(1).trim().split(/ +/)
  const command = SLASH_COMMANDS.find((one) => one.name === name)
  const forms = (command?.forms ?? []).map(({ words }) => words.split(" ").filter((word) => word !== ""))
  // The forms that match the words so far.
  const fitting = forms.filter((form) => before.every((word, at) => isName(form[at]) || form[at] === word))
  const next = fitting.flatMap((form) => form[before.length] ?? form.filter(isName).slice(-1))
  const fixed = next.filter((word) => !isName(word))
  const { choices } = command ?? {}
  const names = async () => choices ?? (chat && (await command?.names?.(chat, before))) ?? []
  const named = next.some(isName) ? await names() : []
  return [...fixed, ...named.filter((one) => !before.includes(one))]
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^\[?[A-Z]+\]?$/.test(word)
}

function choose(start: string, all: readonly string[], before: string): Completion {
  const fitting = all.filter((one) => one.startsWith(start))
  const [first = start] = fitting
  if (fitting.length <= 1)
    return {
      text: `${before}${first}${fitting.length === 1 && !first.endsWith("/") ? " " : ""}`,
      candidates: [],
    }
  const shared = fitting.reduce((same, one) => {
    let at = 0
    while (at < same.length && same[at] === one[at]) at += 1
    return same.slice(0, at)
  }, first)
  return {
    text: `${before}${shared}`,
    candidates: fitting.map((one) => ({ name: `${before === "/" ? "/" : ""}${one}` })),
  }
}
