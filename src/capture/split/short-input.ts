// What a tool was called with, in one line: the command, the path, the pattern. For people, and for telling calls of the
// same tool apart. Pure.
import { canonicalJson } from "../../base/digest.ts"
import { firstCharacters } from "../../base/text/characters.ts"
import { isList, isObject, type Json } from "../../record/write/request-marks.ts"

/** The argument that says most, by the names that clients give it; the first that is there counts. */
const MAIN_ARGUMENTS = [
  ...["command", "cmd", "script", "file_path", "filePath", "absolute_path", "notebook_path", "target_file"],
  ...["path", "dir_path", "pattern", "query", "url", "skill", "subject", "description", "prompt", "input"],
]
const LONGEST = 200
/** The longest start of an input that is looked at. */
const MOST_READ = 20_000
/** A command inside of the code that one client's model writes to run it. */
const COMMAND_IN_CODE = /\bcmd\s*:\s*("(?:[^"\\]|\\.){1,2000}")/

export function shortInput(input: Json): string {
  const value = typeof input === "string" ? parsed(input) : input
  if (!isObject(value)) return oneLine(typeof value === "string" ? commandIn(value) : canonicalJson(value))
  for (const name of MAIN_ARGUMENTS) {
    const argument = value[name]
    if (typeof argument === "string" && argument !== "") return oneLine(argument)
    // A shell and its options come before the command.
    if (isList(argument) && argument.every((item) => typeof item === "string"))
      return oneLine(/^(?:ba|z)?sh$/.test(`${argument[0]}`) ? `${argument.at(-1)}` : argument.join(" "))
  }
  return oneLine(canonicalJson(value))
}

/** Arguments of OpenAI's APIs are JSON in a string. */
function parsed(text: string): Json {
  if (!text.startsWith("{")) return text
  try {
    // It is what `JSON.parse` returns.
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function commandIn(text: string): string {
  const [, command] = COMMAND_IN_CODE.exec(text.slice(0, MOST_READ)) ?? []
  if (command === undefined) return text
  const inner = parsed(`{"command":${command}}`)
  return isObject(inner) && typeof inner.command === "string" ? inner.command : text
}

function oneLine(text: string): string {
  const line = text.slice(0, MOST_READ).replaceAll(/\s+/g, " ").trim()
  return line.length <= LONGEST ? line : `${firstCharacters(line, LONGEST - 1)}…`
}
