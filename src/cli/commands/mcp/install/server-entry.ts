// The text of a client's settings with the server, and without it. What comes out is read again: it says what it said before,
// but for the server, or nothing comes out.
import { isDeepStrictEqual } from "node:util"
import { parse as parseToml, TomlError } from "smol-toml"
import { isRecord } from "../../../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../../base/json-depth.ts"
import { type ClientSettings, type Entry, SERVER } from "./client-settings.ts"
import { withoutProperty, withProperty } from "./json-settings.ts"
import { type JsonObject, type JsonProperty, readJsonText } from "./json-text.ts"
import { refused, type SettingsFile } from "./settings-file.ts"
import { withKey, withoutTable, withTable } from "./toml-settings.ts"

export type Change =
  | { readonly kind: "same" }
  /** `text` is the whole file. */
  | { readonly kind: "added" | "updated" | "removed"; readonly text: string }

type Values = Readonly<Record<string, unknown>>

export function withServer(file: SettingsFile, settings: ClientSettings, given: Entry): Change {
  const whole = valuesOf(file, settings)
  const there = entryIn(whole, file, settings)
  const isAnotherKind = isRecord(there) && ADDRESSES.some((key) => key in there)
  const isReplaced = there !== undefined && (!isRecord(there) || isAnotherKind)
  // Whoever adds it means it to run.
  const entry = isRecord(there) && there.enabled === false ? { ...given, enabled: true } : given
  const now = isRecord(there) && !isReplaced ? { ...there, ...entry } : entry
  if (isDeepStrictEqual(there, now)) return { kind: "same" }
  const differing = Object.keys(entry).filter(
    (key) => !isRecord(there) || !isDeepStrictEqual(there[key], entry[key]),
  )
  const text = textWith({ file, settings }, { entry, differing, isNew: there === undefined, isReplaced })
  const servers = { ...serversIn(whole, settings), [SERVER]: now }
  const expected = { ...beside(file, settings), ...whole, [settings.servers]: servers }
  return checked(text, expected, { file, settings, kind: there === undefined ? "added" : "updated" })
}

export function withoutServer(file: SettingsFile, settings: ClientSettings): Change {
  const whole = valuesOf(file, settings)
  if (entryIn(whole, file, settings) === undefined) return { kind: "same" }
  const path = [settings.servers, SERVER]
  const text = settings.format === "toml" ? withoutTable(file.text, path) : withoutProperty(file.text, path)
  const { [SERVER]: _, ...others } = serversIn(whole, settings)
  return checked(text, { ...whole, [settings.servers]: others }, { file, settings, kind: "removed" })
}

/** The part of a client's settings that is shown to whoever adds it by hand. */
export function snippetOf(settings: ClientSettings, entry: Entry): string {
  if (settings.format === "toml") return withTable("", [settings.servers, SERVER], entry)
  return `${JSON.stringify({ [settings.servers]: { [SERVER]: entry } }, null, 2)}\n`
}

/** A server that is reached over HTTP has one of these in the place of a command, and other settings that a program lacks. */
const ADDRESSES = ["url", "httpUrl", "serverUrl"]

interface Where {
  readonly file: SettingsFile
  readonly settings: ClientSettings
}

interface What {
  readonly entry: Entry
  readonly differing: readonly string[]
  readonly isNew: boolean
  readonly isReplaced: boolean
}

function textWith({ file, settings }: Where, { entry, differing, isNew, isReplaced }: What): string {
  const path = [settings.servers, SERVER]
  if (settings.format === "toml") {
    if (isReplaced) return withTable(withoutTable(file.text, path), path, entry)
    if (isNew) return withTable(file.text, path, entry)
    return differing.reduce((text, key) => withKey(text, path, { key, value: entry[key] ?? "" }), file.text)
  }
  if (file.text.trim() === "")
    return `${JSON.stringify({ ...settings.beside, [settings.servers]: { [SERVER]: entry } }, null, 2)}\n`
  if (isNew || isReplaced) return withProperty(file.text, path, entry)
  return differing.reduce((text, key) => withProperty(text, [...path, key], entry[key]), file.text)
}

function beside({ text }: SettingsFile, settings: ClientSettings): Values {
  return settings.format !== "toml" && text.trim() === "" ? { ...settings.beside } : {}
}

interface Checking extends Where {
  readonly kind: "added" | "updated" | "removed"
}

function checked(text: string, expected: Values, { file, settings, kind }: Checking): Change {
  const values = valuesIn(text, settings)
  // A table of TOML may be there only because of what is in it.
  const whole = isRecord(values) ? { [settings.servers]: {}, ...values } : values
  if (isDeepStrictEqual(whole, expected)) return { kind, text }
  throw refused(
    file.path,
    `has ${settings.servers}.${SERVER} in a form that Incipit does not change; change it by hand`,
  )
}

/** What the result says; undefined if it cannot be read. */
function valuesIn(text: string, settings: ClientSettings): unknown {
  if (settings.format !== "toml") {
    const json = readJsonText(text)
    return "mistake" in json ? undefined : JSON.parse(json.plain)
  }
  try {
    return toml(text)
  } catch (error) {
    if (error instanceof TomlError) return undefined
    throw error
  }
}

function toml(text: string): unknown {
  return plain(parseToml(text, { integersAsBigInt: "asNeeded", maxDepth: MAX_JSON_DEPTH }))
}

/** The parser's tables have no prototype, which counts as a difference. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
}

/** Everything that the file says. Refuses what cannot be read. */
function valuesOf(file: SettingsFile, settings: ClientSettings): Values {
  if (settings.format === "toml") return tomlValues(file)
  const { path, text } = file
  if (text.trim() === "") return {}
  const json = readJsonText(text)
  if ("mistake" in json)
    throw refused(`${path}${placeText(text, json.at)}`, `is not valid JSON: ${json.mistake}`)
  if (settings.format === "json" && json.firstExtra !== undefined)
    throw refused(
      `${path}${placeText(text, json.firstExtra)}`,
      `is not valid JSON: ${settings.label} reads no comments and no commas at the end of a list`,
    )
  if (json.root === undefined) throw refused(path, "is not a JSON object")
  refuseTwice(file, settings, json.root)
  const values = JSON.parse(json.plain)
  if (isDeeperThan(values, MAX_JSON_DEPTH)) throw refused(path, "is nested too deep")
  return values
}

function tomlValues({ path, text }: SettingsFile): Values {
  try {
    const values = toml(text)
    return isRecord(values) ? values : {}
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The lines after the first quote the file.
    const why = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "")
    throw refused(`${path}:${error.line}:${error.column}`, `is not valid TOML: ${why}`)
  }
}

function entryIn(whole: Values, { path }: SettingsFile, { servers }: ClientSettings): unknown {
  const all = Object.hasOwn(whole, servers) ? whole[servers] : undefined
  if (all !== undefined && !isRecord(all)) throw refused(path, `has "${servers}", but not as an object`)
  return all !== undefined && Object.hasOwn(all, SERVER) ? all[SERVER] : undefined
}

function serversIn(whole: Values, { servers }: ClientSettings): Values {
  const all = whole[servers]
  return isRecord(all) ? all : {}
}

/** Programs differ in which of the two they read. */
function refuseTwice({ path, text }: SettingsFile, { servers }: ClientSettings, root: JsonObject): void {
  let object: JsonObject | undefined = root
  for (const key of [servers, SERVER]) {
    const [first, second]: readonly JsonProperty[] = object?.properties.filter((one) => one.key === key) ?? []
    if (second !== undefined) throw refused(`${path}${placeText(text, second.keyAt)}`, `has "${key}" twice`)
    object = first?.object
  }
}

function placeText(text: string, at: number): string {
  const before = text.slice(0, at).split("\n")
  return `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
