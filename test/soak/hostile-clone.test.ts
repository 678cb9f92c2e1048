// Every trick of a hostile folder: together with every command in every form, and alone with commands that each run
// draws. The long version of test/hostile.
import process from "node:process"
import { afterAll, describe, expect, test } from "vitest"
import { noteFigures } from "../figures.ts"
import { ALL, tryInvocations } from "../hostile/every-command.ts"
import { ALONE, CLONED_WITH_GIT, COMBINED, type HostileFolder, MIXED } from "../hostile/folders.ts"
import type { Invocation } from "../hostile/invocations.ts"
import { NOT_TRACED, removeCompiled } from "../hostile/watched.ts"
import { randomFrom, SOAK_ALL, SOAK_SEED, shuffled } from "./drawn.ts"

/** How many commands each trick alone gets. */
const COMMANDS_EACH = SOAK_ALL ? ALL.length : Number(process.env.HOSTILE_COMMANDS ?? 16)

afterAll(removeCompiled)

/** Dealt like cards: all of them come before one comes again, so each is tried with about as many tricks. */
const deck = shuffled(ALL, randomFrom(SOAK_SEED))

function dealt(trick: number): readonly Invocation[] {
  const from = (trick * COMMANDS_EACH) % deck.length
  return [...deck.slice(from), ...deck].slice(0, COMMANDS_EACH)
}

interface Case extends HostileFolder {
  readonly commands: readonly Invocation[]
}

const cases: readonly Case[] = [
  ...[COMBINED, CLONED_WITH_GIT, ...MIXED].map((folder) => ({ ...folder, commands: ALL })),
  ...ALONE.map((folder, trick) => ({ ...folder, commands: dealt(trick) })),
]

describe(NOT_TRACED ?? "traced by strace", () => {
  test.for(cases)("$name", async ({ tricks, commands }, context) => {
    const missing = tricks.flatMap((trick) => trick.missing?.() ?? [])[0]
    if (missing !== undefined) context.skip(missing)
    expect(await tryInvocations(tricks, commands)).toEqual({})
    noteFigures(context, { folders: 1, commands: commands.length })
  })
})
