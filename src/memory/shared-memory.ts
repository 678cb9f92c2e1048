// Memory whose documents are in a database: it searches and reads the local copy, which is brought up to date before, and
// writes to the database. A write that another process came before is made again on the newer text.
import type { Digest } from "../base/digest.ts"
import { IncipitError } from "../base/error.ts"
import type { Trust } from "../base/trust.ts"
import type { Version } from "../database/contract/memory/documents.ts"
import { type ComposingMemory, type Memory, type MemoryOptions, openComposingMemory } from "./memory.ts"
import type { SearchStatus } from "./search.ts"
import { refusal, type WriteOptions, type WriteResult } from "./write.ts"

/** A memory whose documents may be in a database, so that a write takes a while. */
export interface SharedMemory extends Omit<Memory, "write"> {
  write(text: string, options: WriteOptions): WriteResult | Promise<WriteResult>
  /**
   * Fetches what other processes wrote, as far as this trust may see it; call it before a search. If that fails, answers
   * are `degraded`. Absent if the documents are files.
   */
  catchUp?(options: { readonly trust: Trust }): Promise<void>
}

/** Keeps the documents that the files of a memory are copies of. Paths are those of the files. */
export interface DocumentKeeper {
  catchUp(options: { readonly trust: Trust }): Promise<void>
  digestOf(file: string): Digest | undefined
  write(
    file: string,
    text: string,
    expected: { readonly expects: Digest | undefined },
  ): Promise<Version | "conflict">
}

/** Each conflict means that another write succeeded, so only a constant stream of them gets here. */
const MOST_ROUNDS = 100

export function openSharedMemory(options: MemoryOptions, keeper: DocumentKeeper): SharedMemory {
  const memory = openComposingMemory(options)
  let trouble: string | undefined
  const catchUp = async (look: { readonly trust: Trust }): Promise<void> => {
    try {
      await keeper.catchUp(look)
      trouble = undefined
    } catch (error) {
      if (!(error instanceof IncipitError)) throw error
      trouble = error.message
    }
  }
  const told = <T extends { readonly status: SearchStatus }>(answer: T): T =>
    trouble === undefined || !isInStep(answer.status)
      ? answer
      : { ...answer, status: "degraded", reason: `memory may be out of date: ${trouble}` }
  return {
    search: (...asked) => told(memory.search(...asked)),
    get: (...asked) => memory.get(...asked),
    recall: (...asked) => told(memory.recall(...asked)),
    recent: (...asked) => told(memory.recent(...asked)),
    inOneLook: (ask) => memory.inOneLook(ask),
    whyNot: (...asked) => memory.whyNot(...asked),
    status: (...asked) => memory.status(...asked),
    catchUp,
    async write(text, given) {
      try {
        return await written(memory, keeper, { text, options: given, catchUp })
      } catch (error) {
        if (!(error instanceof IncipitError)) throw error
        return refusal("unavailable")
      }
    },
    async refresh(given) {
      await catchUp({ trust: "full" })
      await memory.refresh(given)
    },
    prepare: () => memory.prepare(),
    close: () => memory.close(),
  }
}

function isInStep(status: SearchStatus): boolean {
  return status === "ok" || status === "empty"
}

interface Write {
  readonly text: string
  readonly options: WriteOptions
  /** Never throws for a database that cannot be used. */
  readonly catchUp: (look: { readonly trust: Trust }) => Promise<void>
}

async function written(
  memory: ComposingMemory,
  keeper: DocumentKeeper,
  { text, options, catchUp }: Write,
): Promise<WriteResult> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await keeper.catchUp(options)
    let expects: Digest | undefined
    // Asked before the file is read: if the copy changes in between, the write is a conflict and not a lost update.
    const made = memory.compose(text, options, (file) => {
      expects = keeper.digestOf(file)
    })
    if (made.status !== "composed") return made
    if ((await keeper.write(made.place.full, made.text, { expects })) === "conflict") continue
    // It is written, whether or not the copy has it already.
    await catchUp(options)
    return { status: "written", path: made.place.path, lines: made.lines }
  }
  return refusal("unavailable")
}
