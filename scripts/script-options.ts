// The options of a script: `--help` prints how it is called, and so does an option that it doesn't have.
import process from "node:process"
import { type ParseArgsConfig, parseArgs } from "node:util"
import { errorCode } from "../src/base/system-error.ts"

type Options = NonNullable<ParseArgsConfig["options"]>
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>["values"]

export function scriptOptions<const T extends Options>(usage: string, options: T): Values<T> {
  if (process.argv.includes("--help")) end(0, usage)
  try {
    return parseArgs({ options }).values
  } catch (error) {
    if (!(error instanceof Error) || !errorCode(error)?.startsWith("ERR_PARSE_ARGS_")) throw error
    end(2, `${error.message}\n${usage}`)
  }
}

function end(status: number, text: string): never {
  ;(status === 0 ? console.log : console.error)(text)
  process.exit(status)
}
