// Where people talk in these tests, what they may know there, and the words that stand for what they must not know.
import type { Trust } from "../../../src/base/trust.ts"
import { atLeast } from "../../../src/base/trust.ts"

/** Somewhere to talk: a person's own conversation over one way, or a room. */
export const PLACES = {
  adahttp: { by: "http", people: ["ada"], has: "full" },
  adatelegram: { by: "telegram", people: ["ada"], has: "full", chat: 1 },
  adawebhook: { by: "webhook", people: ["ada"], has: "full" },
  bohttp: { by: "http", people: ["bo"], has: "familiar" },
  botelegram: { by: "telegram", people: ["bo"], has: "familiar", chat: 2 },
  bowebhook: { by: "webhook", people: ["bo"], has: "familiar" },
  stranger: { by: "telegram", people: ["stranger"], has: "public", chat: 666 },
  roomtelegram: { by: "telegram", people: ["ada", "bo"], has: "familiar", chat: -100 },
  roomwebhook: { by: "webhook", people: ["ada", "bo"], has: "familiar" },
} as const satisfies Readonly<Record<string, Place>>

export interface Place {
  readonly by: "http" | "telegram" | "webhook"
  /** One for a conversation of their own. */
  readonly people: readonly Person[]
  readonly has: Trust
  /** Telegram's id. */
  readonly chat?: number
}

export type Person = "ada" | "bo" | "stranger"
export type PlaceName = keyof typeof PLACES
export const PLACE_NAMES = Object.keys(PLACES) as PlaceName[]
/** Everywhere but in the conversations of the one with full trust. */
export const LOWER_PLACES = PLACE_NAMES.filter((name) => PLACES[name].has !== "full")

export function isRoom(name: PlaceName): boolean {
  return PLACES[name].people.length > 1
}

interface SecretFile {
  readonly path: string
  readonly needs: Trust
  readonly of?: Person
  readonly head?: string
}

/** Each holds a word that is nowhere else. */
export const FILES: readonly SecretFile[] = [
  { path: ".incipit/APPEND_SYSTEM.md", needs: "public" },
  { path: "SOUL.md", needs: "familiar" },
  { path: "AGENTS.md", needs: "familiar" },
  { path: "memory/social/house.md", needs: "familiar" },
  { path: "notes/list.md", needs: "familiar" },
  { path: "users/bo/USER.md", needs: "familiar", of: "bo", head: "---\ntrust: familiar\n---\n" },
  { path: "USER.md", needs: "inner" },
  { path: "notes/plan.md", needs: "inner", head: "---\ntrust: inner\n---\n" },
  { path: "memory/shared/parents.md", needs: "inner" },
  { path: "users/ada/USER.md", needs: "inner", of: "ada" },
  { path: "MEMORY.md", needs: "full" },
  { path: "memory/private/ring.md", needs: "full" },
  { path: ".env", needs: "full" },
]

export function wordOf(path: string): string {
  return `zqfile${path.toLowerCase().replaceAll(/[^a-z]/g, "")}zq`
}

/** Stands in everything that is said there. */
export function saidWord(place: PlaceName): string {
  return `zqsaid${place}zq`
}

/** Whether a word may be sent to the model or to people in that place: the rule, said again in its own words. */
export function mayKnow(name: PlaceName, word: string): boolean {
  const { has, people }: Place = PLACES[name]
  const [, where] = /^zqsaid([a-z]+)zq$/.exec(word) ?? []
  // A person may be told of their own other conversations; a room is told of none.
  if (where !== undefined)
    return (
      where === name ||
      (!isRoom(name) && !isRoom(where as PlaceName) && PLACES[where as PlaceName].people[0] === people[0])
    )
  const file = FILES.find(({ path }) => wordOf(path) === word)
  if (file === undefined) return false
  const isTheirs = file.of === undefined || has === "full" || (!isRoom(name) && file.of === people[0])
  return isTheirs && atLeast(has, file.needs)
}
