// Which modules of the command line are in one file. Finding and reading a file takes longer than its code, so what is
// needed together is one; and what a command does not need is in another, because all of a file is read.
import { resolve } from "node:path"
import type { ChunkingContext } from "rolldown"

const START = "dist/cli/main.js"
/** The command whose needs most commands share. */
const PROMPT = "dist/cli/commands/prompt/build.js"

export function chunkGroups() {
  const start = once((graph) => needed(graph, START))
  const prompt = once((graph) => needed(graph, PROMPT))
  return [
    { name: inOnly(start, "start"), debugName: "start", minShareCount: 2 },
    { name: inOnly(prompt, "prompt"), debugName: "prompt", minShareCount: 2 },
    { name: () => "basis", debugName: "basis", minShareCount: 8 },
  ]
}

type Modules = (graph: ChunkingContext) => ReadonlySet<string>

function inOnly(modules: Modules, name: string) {
  return (id: string, graph: ChunkingContext): string | null => (modules(graph).has(id) ? name : null)
}

/** The graph is complete, and the same for every module. */
function once(find: Modules): Modules {
  let found: ReadonlySet<string> | undefined
  return (graph) => {
    found ??= find(graph)
    return found
  }
}

/** What is loaded before this module runs. */
function needed(graph: ChunkingContext, path: string): ReadonlySet<string> {
  const modules = new Set<string>([resolve(path)])
  for (const module of modules)
    for (const id of graph.getModuleInfo(module)?.importedIds ?? []) modules.add(id)
  return modules
}
