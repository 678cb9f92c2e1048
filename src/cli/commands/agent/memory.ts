// `incipit memory`: update the index, search, read, add, and explain why something was not found.
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { hitPlace, searchView, storesView, whyView } from "../../views/memory-view.ts"
import { oneLine } from "../../views/widths.ts"
import { type OpenedMemory, progressBar, withMemory } from "./memory-store.ts"

export async function index({ flags, terminal }: Invocation<"memory index">): Promise<number> {
  return withMemory(
    flags,
    terminal,
    async (opened) => {
      const status = await refreshIndex(opened, terminal, flags.rebuild).then(() => opened.memory.status())
      print({ flags, terminal }, { index: opened.index, ...status }, () => storesView(status, terminal))
      return 0
    },
    { keepsIndex: true },
  )
}

export async function search({ words, flags, terminal }: Invocation<"memory search">): Promise<number> {
  return withMemory(flags, terminal, async (opened) => {
    const { memory, trust } = opened
    await refreshIndex(opened, terminal)
    const result = memory.search(words.join(" "), { trust, limit: flags.limit, budget: flags.budget })
    if (result.status === "error")
      throw new IncipitError("unusable-database", result.reason ?? "memory cannot be searched")
    if (result.reason !== undefined) terminal.err(`${result.status}: ${oneLine(result.reason)}\n`)
    const isEmpty = result.hits.length === 0 && result.more === undefined && !flags.json
    if (isEmpty) terminal.err(`No match in memory at ${trust} trust.\n`)
    else print({ flags, terminal }, result, () => searchView(result, trust, terminal))
    return 0
  })
}

export async function get({ words, flags, terminal }: Invocation<"memory get">): Promise<number> {
  const path = words.join(" ")
  return withMemory(flags, terminal, ({ memory, trust }) => {
    const found = memory.get(path, { trust, from: flags.from, lines: flags.lines })
    // A missing file and one that may not be seen get the same error.
    if (found.status !== "ok") throw new IncipitError("not-in-memory", `${path}: ${found.reason}`)
    const [first, last] = found.lines
    if (last < first && !flags.json) terminal.err(`${oneLine(path)} ends before line ${first}\n`)
    else print({ flags, terminal }, found, () => found.text.split("\n"))
    if (!flags.json && found.rest !== undefined) {
      const { from: next, lines: left, tokens } = found.rest
      terminal.err(`${plural(left, "more line")}, ${plural(tokens, "token")} (--from ${next})\n`)
    }
    return 0
  })
}

export async function add({ words, flags, terminal }: Invocation<"memory add">): Promise<number> {
  return withMemory(
    flags,
    terminal,
    async ({ memory, trust, by }) => {
      const { store, path } = flags
      const result = await memory.write(words.join(" "), {
        trust,
        by,
        now: terminal.now(),
        store,
        path,
      })
      if (result.status === "refused")
        throw new IncipitError(
          "not-written",
          result.why === "no-such-place"
            ? `${result.reason}; ${reachableStores(memory, trust)}`
            : result.reason,
        )
      print({ flags, terminal }, result, () => [`written to ${hitPlace(result)}`])
      return 0
    },
    { mayBegin: true },
  )
}

function reachableStores(memory: OpenedMemory["memory"], trust: OpenedMemory["trust"]): string {
  const stores = memory.status({ trust }).stores.map(({ name }) => name)
  if (stores.length === 0) return `${trust} trust cannot write to any store`
  return `with ${trust} trust you can write to .md files in ${stores.join(", ")}`
}

export async function whyNot({ words, flags, terminal }: Invocation<"memory why-not">): Promise<number> {
  const { query, limit, budget } = flags
  const wanted = words.join(" ")
  return withMemory(flags, terminal, async (opened) => {
    const { memory, trust } = opened
    await refreshIndex(opened, terminal)
    const why = memory.whyNot(wanted, query, { trust })
    const shown = memory.search(query, { trust, limit, budget }).hits.length
    print({ flags, terminal }, { ...why, shown }, () => [whyView(why, wanted, { query, shown })])
    return 0
  })
}

/** A person at the command line waits for the update; an agent is told that the index is stale. */
async function refreshIndex({ memory }: OpenedMemory, terminal: Terminal, rebuild = false): Promise<void> {
  const bar = progressBar(terminal)
  await memory.refresh({ onProgress: bar.show, rebuild })
  bar.clear()
}
