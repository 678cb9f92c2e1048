// `incipit build`: the prompt as a report, as text, or as JSON; once, or on every change.
import { type Difference, diff } from "../../../core/read/diff.ts"
import { type Report, report } from "../../../core/read/report.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { annotatedView } from "../../views/annotated-view.ts"
import { buildView } from "../../views/build-view.ts"
import { oneLine } from "../../views/widths.ts"
import { printChannelNote } from "./channel-note.ts"
import { type Compiled, compileFromFlags } from "./resolve.ts"

export async function run(invocation: Invocation<"build">): Promise<number> {
  const { flags, terminal } = invocation
  // Imported here because it brings the simulator.
  if (flags.compare !== undefined) return (await import("./compare.ts")).compare(flags, terminal)
  const compiled = await compileFromFlags(flags, terminal)
  print(compiled, flags, terminal)
  printChannelNote(compiled.input, terminal)
  return flags.watch ? watchAndRebuild(compiled, invocation) : exitStatus(compiled.diagnostics, flags)
}

function print(compiled: Compiled, flags: FlagsOf<"build">, terminal: Terminal): void {
  const { prompt, diagnostics } = compiled
  if (flags.json) terminal.out(`${JSON.stringify(report(prompt), null, 2)}\n`)
  else if (flags.text) terminal.exact(prompt.text)
  else {
    // The text comes first: of long output, the end stays on the screen.
    if (flags.annotated) terminal.out(`${annotatedView(prompt, terminal)}\n`)
    terminal.out(buildView(compiled, terminal))
  }
  printDiagnostics(diagnostics, terminal)
}

/** Runs until it is stopped. Only changed files are read again. */
async function watchAndRebuild(first: Compiled, { flags, terminal }: Invocation<"build">): Promise<number> {
  // Imported here: a single build does not need it.
  const { watchFolders } = await import("../../../sources/read/watch.ts")
  const { workspace } = first.input
  let before = report(first.prompt)
  const again = async () => {
    const compiled = await compileFromFlags(flags, terminal, { cache: workspace.cache })
    const now = report(compiled.prompt)
    terminal.err(`${changeLine(diff(before, now), before, now)}\n`)
    before = now
    print(compiled, flags, terminal)
  }
  const complain = (error: unknown) =>
    terminal.err(`incipit: ${oneLine(error instanceof Error ? error.message : String(error))}\n`)
  const watcher = watchFolders([workspace.root], () => void again().catch(complain))
  await watcher.ready
  terminal.err("Watching for changes; press Ctrl-C to stop.\n")
  await terminal.stopped()
  await watcher.close()
  return 0
}

/** What a change did, in one line. */
function changeLine({ added, removed, changed }: Difference, before: Report, now: Report): string {
  const names = [
    ...added.map((id) => `+${id}`),
    ...removed.map((id) => `-${id}`),
    ...changed.filter((id) => id !== "clock"),
  ]
  const tokens = now.budget.head.used - before.budget.head.used
  return names.length === 0
    ? "no change in the prompt"
    : `changed: ${names.join(", ")} (${tokens >= 0 ? "+" : ""}${tokens} tokens)`
}
