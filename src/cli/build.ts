// `incipit build`: the prompt as a report, as text, or as JSON.
import { report } from "../core/report.ts"
import { annotatedView } from "./annotated-view.ts"
import { buildView } from "./build-view.ts"
import type { Invocation } from "./commands.ts"
import { printFindings, statusOf } from "./findings.ts"
import { compileFromFlags } from "./resolve.ts"

export async function run({ flags, terminal }: Invocation): Promise<number> {
  const compiled = await compileFromFlags(flags, terminal)
  const { prompt, diagnostics } = compiled
  if (flags.json === true) {
    terminal.out(`${JSON.stringify(report(prompt), null, 2)}\n`)
    return statusOf(diagnostics, flags)
  }
  if (flags.text === true) terminal.out(prompt.text)
  else {
    terminal.out(buildView(compiled, terminal))
    if (flags.annotated === true) terminal.out(`\n${annotatedView(prompt, terminal)}`)
  }
  printFindings(diagnostics, terminal)
  return statusOf(diagnostics, flags)
}
