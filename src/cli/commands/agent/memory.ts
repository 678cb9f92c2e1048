// `incipit memory`: update the index, search, read, add, and explain why something was not found.
import { IncipitError } from "../../../base/error.ts"
import { countOf, type FlagValues, type Invocation } from "../../command-line/command.ts"
import { print } from "../../command-line/print.ts"
import { placeOf, searchView, storesView, whyView } from "../../views/memory-view.ts"
import { oneLine, plural, type Terminal } from "../../views/terminal.ts"
import { type OpenedMemory, progressBar, withMemory } from "./memory-store.ts"

export async function index({ flags, terminal }: Invocation): Promise<number> {
  return withMemory(
    flags,
    terminal,
    async (opened) => {
      const status = await refreshed(opened, terminal, flags.rebuild === true).then(() =>
        opened.memory.status(),
      )
      print({ flags, terminal }, { index: opened.index, ...status }, () => storesView(status, terminal))
      return 0
    },
    { keepsIndex: true },
  )
}

export async function search({ words, flags, terminal }: Invocation): Promise<number> {
  return withMemory(flags, terminal, async (opened) => {
    const { memory, trust } = opened
    await refreshed(opened, terminal)
    const result = memory.search(words.join(" "), { trust, ...limitsOf(flags) })
    if (result.status === "error")
      throw new IncipitError("unusable-database", result.reason ?? "memory cannot be searched")
    if (result.reason !== undefined) terminal.err(`${result.status}: ${oneLine(result.reason)}\n`)
    const isEmpty = result.hits.length === 0 && result.more === undefined && flags.json !== true
    if (isEmpty) terminal.err(`nothing in memory matches at ${trust} trust\n`)
    else print({ flags, terminal }, result, () => searchView(result, trust, terminal))
    return 0
  })
}

export async function get({ words, flags, terminal }: Invocation): Promise<number> {
  const path = words.join(" ")
  return withMemory(flags, terminal, ({ memory, trust }) => {
    const [from, lines] = [countOf(flags, "from", 1), countOf(flags, "lines", 1)]
    const found = memory.get(path, {
      trust,
      ...(from !== undefined && { from }),
      ...(lines !== undefined && { lines }),
    })
    // A missing file and one that may not be seen get the same error.
    if (found.status !== "ok") throw new IncipitError("not-in-memory", `${path}: ${found.reason}`)
    const [first, last] = found.lines
    if (last < first && flags.json !== true) terminal.err(`${oneLine(path)} ends before line ${first}\n`)
    else print({ flags, terminal }, found, () => found.text.split("\n"))
    if (flags.json !== true && found.rest !== undefined) {
      const { from: next, lines: left, tokens } = found.rest
      terminal.err(`${plural(left, "more line")}, ${plural(tokens, "token")} (--from ${next})\n`)
    }
    return 0
  })
}

export async function add({ words, flags, terminal }: Invocation): Promise<number> {
  return withMemory(
    flags,
    terminal,
    ({ memory, trust, by }) => {
      const { store, path } = flags
      const result = memory.write(words.join(" "), {
        trust,
        by,
        now: terminal.now(),
        ...(typeof store === "string" && { store }),
        ...(typeof path === "string" && { path }),
      })
      if (result.status === "refused")
        throw new IncipitError(
          "not-written",
          result.why === "no-such-place" ? `${result.reason}; ${reached(memory, trust)}` : result.reason,
        )
      print({ flags, terminal }, result, () => [`written to ${placeOf(result)}`])
      return 0
    },
    { mayBegin: true },
  )
}

function reached(memory: OpenedMemory["memory"], trust: OpenedMemory["trust"]): string {
  const stores = memory.status({ trust }).stores.map(({ name }) => name)
  if (stores.length === 0) return `${trust} trust reaches no store`
  return `${trust} trust may write to ${stores.join(", ")}, in files that end in .md`
}

export async function whyNot({ words, flags, terminal }: Invocation): Promise<number> {
  const { query } = flags
  if (typeof query !== "string")
    throw new IncipitError("bad-argument", "--query is missing: the search that did not find it")
  const wanted = words.join(" ")
  return withMemory(flags, terminal, async (opened) => {
    const { memory, trust } = opened
    await refreshed(opened, terminal)
    const why = memory.whyNot(wanted, query, { trust })
    const shown = memory.search(query, { trust, ...limitsOf(flags) }).hits.length
    print({ flags, terminal }, { ...why, shown }, () => [whyView(why, wanted, { query, shown })])
    return 0
  })
}

/** A person at the command line waits for the update; an agent is told that the index is stale. */
async function refreshed({ memory }: OpenedMemory, terminal: Terminal, rebuild = false): Promise<void> {
  const bar = progressBar(terminal)
  await memory.refresh({ onProgress: bar.show, rebuild })
  bar.clear()
}

function limitsOf(flags: FlagValues): { readonly limit?: number; readonly budget?: number } {
  const [limit, budget] = [countOf(flags, "limit", 1), countOf(flags, "budget")]
  return { ...(limit !== undefined && { limit }), ...(budget !== undefined && { budget }) }
}
