// The values of flags have the types of the table. The type checker runs over tests, so a line marked as an error that
// is none fails the build.
import { describe, expect, expectTypeOf, test } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { COMMAND_TABLE, COMMANDS } from "../../../src/cli/command-line/table/commands.ts"
import { type FlagTable, flagName, readFlags } from "../../../src/cli/command-line/table/flag.ts"
import type { CacheLayoutName } from "../../../src/render/cache/cache-layout-name.ts"

const TABLE = {
  json: { help: "a switch" },
  name: { value: "NAME", help: "text" },
  mode: { value: "MODE", choices: ["fast", "slow"], help: "one of two" },
  limit: { value: "N", least: 1, default: 50, help: "at most so many" },
  budget: { value: "N", help: "tokens" },
  types: { value: "TYPES", list: true, help: "several" },
  allow: { value: "KINDS", list: ["shell", "edit"], help: "several of these" },
  needed: { value: "TEXT", isRequired: true, help: "what is looked for" },
} as const satisfies FlagTable

const GIVEN = { needed: "x" }

describe("types", () => {
  test("follow from the table", () => {
    const flags = readFlags(TABLE, GIVEN)
    expectTypeOf(flags).toEqualTypeOf<{
      readonly json: boolean
      readonly name: string | undefined
      readonly mode: "fast" | "slow" | undefined
      readonly limit: number
      readonly budget: number | undefined
      readonly types: readonly string[] | undefined
      readonly allow: readonly ("shell" | "edit")[] | undefined
      readonly needed: string
    }>()
    expect(flags).toEqual({ json: false, limit: 50, needed: "x" })
  })

  test("of the commands: a misspelt flag is an error, and a choice is a union", () => {
    const flags = flagsFor("simulate")
    // @ts-expect-error: the flag is `layout`.
    expect(flags.layuot).toBeUndefined()
    // @ts-expect-error: `--follow` is a flag of another command.
    expect(flags.follow).toBeUndefined()
    expectTypeOf(flags.layout).toEqualTypeOf<CacheLayoutName | undefined>()
    expectTypeOf<FlagsOf<"cost">["by"]>().toEqualTypeOf<
      "day" | "session" | "user" | "model" | "turn" | "section" | "file"
    >()
    // @ts-expect-error: no layout has this name.
    flagsFor("simulate", { layout: "planed" })
  })
})

describe("values", () => {
  test("that were typed", () => {
    const typed = {
      ...{ json: true, name: "n", mode: "slow", limit: "7", budget: "0" },
      ...{ types: "a, b,c", allow: "edit,shell", needed: "y" },
    }
    expect(readFlags(TABLE, typed)).toEqual({
      ...{ json: true, name: "n", mode: "slow", limit: 7, budget: 0 },
      ...{ types: ["a", "b", "c"], allow: ["edit", "shell"], needed: "y" },
    })
  })

  test.each([
    [{ limit: "0" }, "--limit must be a number of 1 or more, not 0"],
    [{ budget: "-1" }, "--budget must be a number of 0 or more, not -1"],
    [{ budget: "9".repeat(20) }, `--budget must be a number of 0 or more, not ${"9".repeat(20)}`],
    [{ allow: "shell,mcp" }, '--allow accepts shell, edit, not "mcp"'],
    [{ needed: undefined }, "--needed is missing: what is looked for"],
    [{ name: "" }, "--name needs a value: text"],
    [{ types: " " }, "--types needs a value: several"],
    [{ types: "a,,b" }, '--types has an empty item in "a,,b"'],
  ])("%j are refused", (typed, message) => {
    expect(() => readFlags(TABLE, { ...GIVEN, ...typed })).toThrow(
      expect.objectContaining({ code: "bad-argument", message }),
    )
  })
})

test("a flag is typed in kebab case, and help says the default", () => {
  expect(["json", "writeLock", "noColor"].map(flagName)).toEqual(["json", "write-lock", "no-color"])
  const limit = COMMANDS.find(({ name }) => name === "logs")?.flags.find(({ name }) => name === "limit")
  expect(limit?.help).toBe("most events to show (default: 50)")
})

test("flags contradict only flags of the same command", () => {
  const tables: readonly FlagTable[] = Object.values(COMMAND_TABLE).map(({ flags }) => flags)
  const unknown = tables.flatMap((table) =>
    Object.values(table).flatMap(({ conflicts = [] }) => conflicts.filter((name) => !(name in table))),
  )
  expect(unknown).toEqual([])
})
