// The worker of What If: the shipped compiler, beside the page. The table of tokens is loaded here and nowhere else.
// The newest request wins; one that was overtaken is not answered.
import { report } from "../../../../src/core/read/report.ts"
import type { WhatIfInput } from "../../../../src/serve/page/what-if/what-if-shown.ts"
import { compare, compareReports } from "./compare.ts"
import { type OpenedInput, openInput } from "./opened-input.ts"
import { bundledProfile } from "./profiles.ts"
import { type FromWorker, NO_SETTINGS, type ToWorker } from "./protocol.ts"

type Comparison = Extract<ToWorker, { readonly kind: "compare" }>

interface Taken {
  readonly input: WhatIfInput
  readonly opened: Promise<OpenedInput>
}

const inputs = new Map<string, Taken>()
let newest: Comparison | undefined

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "input") void take(data.key, data.input)
  else if (data.kind === "forget") inputs.delete(data.key)
  else if (data.kind === "section-text") void answer(data.id, () => sectionText(data))
  else if (data.kind === "report") void answer(data.id, () => reportOf(data))
  else {
    const isWaiting = newest !== undefined
    newest = data
    // What else was sent by now is read before the timer ends.
    if (!isWaiting) setTimeout(compareNewest)
  }
})

function tell(message: FromWorker): void {
  postMessage(message)
}

async function take(key: string, input: WhatIfInput): Promise<void> {
  const opened = open(input)
  inputs.set(key, { input, opened })
  try {
    const made = JSON.stringify(report((await opened).compile(NO_SETTINGS)))
    tell({ kind: "checked", key, isSame: made === JSON.stringify(input.report), problem: undefined })
  } catch (error) {
    tell({ kind: "checked", key, isSame: false, problem: sentenceOf(error) })
  }
}

async function open(input: WhatIfInput): Promise<OpenedInput> {
  const profile = await bundledProfile(input.profile.name)
  if (profile === undefined) throw new Error(`The browser has no profile named ${input.profile.name}.`)
  return openInput(input, profile)
}

function compareNewest(): void {
  const asked = newest
  newest = undefined
  if (asked === undefined) return
  void answer(asked.id, async () => {
    const { settings } = asked
    const [real, changed] = [inputOf(asked.real), inputOf(asked.changed)]
    const opened = settings === undefined ? undefined : ([await real.opened, await changed.opened] as const)
    const start = performance.now()
    const compared =
      opened === undefined || settings === undefined
        ? compareReports(real.input.report, changed.input.report)
        : compare(...opened, settings)
    const durationMs = performance.now() - start
    return { kind: "compared", id: asked.id, compared: { ...compared, durationMs } }
  })
}

async function sectionText({
  id,
  key,
  section,
}: Extract<ToWorker, { readonly kind: "section-text" }>): Promise<FromWorker> {
  return { kind: "section-text", id, text: (await inputOf(key).opened).sectionText(section) }
}

/** With the files that the folder's own profile reads. */
async function reportOf({
  id,
  key,
  profile: name,
}: Extract<ToWorker, { readonly kind: "report" }>): Promise<FromWorker> {
  const profile = { kind: "bundled", name, adjustment: {} } as const
  const opened = await open({ ...inputOf(key).input, profile })
  return { kind: "report", id, report: report(opened.compile(NO_SETTINGS)) }
}

async function answer(id: number, work: () => Promise<FromWorker>): Promise<void> {
  try {
    tell(await work())
  } catch (error) {
    tell({ kind: "failed", id, problem: sentenceOf(error) })
  }
}

function inputOf(key: string): Taken {
  const taken = inputs.get(key)
  if (taken === undefined) throw new Error("The input of this prompt is not loaded.")
  return taken
}

/** The compiler's own sentence. */
function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
