// Keeps the comparison up to date: loads the inputs that the settings need, has them compiled beside the page, and loads
// in advance what may be asked for next.
import { useEffect, useRef, useState } from "preact/hooks"
import type { WhatIfAsked } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { problemText } from "../../data/ask.ts"
import { info } from "../../data/info.ts"
import { changes, followChanges } from "../../data/live.ts"
import { place } from "../../shell/place.ts"
import { type Checked, createPageCompiler, type PageCompiler } from "./compiler.ts"
import { createInputs, type Inputs, type LoadedInput } from "./inputs.ts"
import { askedIn, message, settingsIn } from "./settings.ts"
import type { Compared, WhatIfSettings } from "./worker/protocol.ts"

export interface WhatIf {
  /** The input of the prompt that is compared with, and that of the changed one. */
  readonly real: LoadedInput | undefined
  readonly changed: LoadedInput | undefined
  /** The last comparison; of the settings before while the next one is made. */
  readonly compared: Compared | undefined
  readonly isCurrent: boolean
  /** Whether the browser compiles what the server compiles; undefined until that is known. */
  readonly checked: Checked | undefined
  readonly problem: string | undefined
  readonly compiler: PageCompiler | undefined
  /** Reads the workspace again. */
  readonly reload: () => void
}

interface State {
  readonly real?: LoadedInput
  readonly changed?: LoadedInput
  readonly compared?: Compared
  readonly checked?: Checked
  /** What the comparison is of. */
  readonly of?: string
  readonly problem?: string | undefined
}

export function useWhatIf(): WhatIf {
  const [state, setState] = useState<State>({})
  const { parts, round, reload } = useParts((problem) => setState((was) => ({ ...was, problem })))
  useChangedFiles(reload)
  const asked = askedIn(place.value)
  const said = useSettled(message.value)
  const wanted: Wanted = {
    base: place.value.same === undefined ? {} : asked,
    next: { ...asked, ...(said !== undefined && { message: said }) },
    settings: settingsIn(place.value),
    // Until the server has read the message, the worker has it in place of the one before.
    unread: said === message.value ? undefined : { message: message.value },
  }
  const key = JSON.stringify([wanted, message.value, round])
  useEffect(() => {
    if (parts === undefined) return undefined
    let isOver = false
    compareIn(parts, wanted, () => isOver).then(
      (next) => isOver || setState((was) => ({ ...was, problem: undefined, ...next, of: key })),
      (error: unknown) => isOver || setState((was) => ({ ...was, problem: problemText(error), of: key })),
    )
    return () => {
      isOver = true
    }
  }, [key])
  const isReady = state.compared !== undefined
  usePrefetch(isReady ? parts?.inputs : undefined, `${JSON.stringify(asked)} ${round}`, asked)
  const { of, problem, ...shown } = state
  return {
    ...{ real: shown.real, changed: shown.changed, compared: shown.compared, checked: shown.checked },
    isCurrent: of === key && problem === undefined,
    problem: of === key ? problem : undefined,
    compiler: parts?.compiler,
    reload,
  }
}

interface Parts {
  readonly compiler: PageCompiler
  readonly inputs: Inputs
}

/** The worker and what was loaded for it, for as long as the view is shown. */
function useParts(onBroken: (problem: string) => void) {
  const [round, setRound] = useState(0)
  const parts = useRef<Parts | undefined>(undefined)
  useEffect(() => {
    const compiler = createPageCompiler(onBroken)
    const inputs = createInputs(compiler)
    parts.current = { compiler, inputs }
    setRound((before) => before + 1)
    return () => {
      inputs.close()
      compiler.close()
      parts.current = undefined
    }
  }, [])
  const reload = () => {
    parts.current?.inputs.clear()
    setRound((before) => before + 1)
  }
  return { parts: parts.current, round, reload }
}

interface Wanted {
  readonly base: WhatIfAsked
  readonly next: WhatIfAsked
  readonly settings: WhatIfSettings
  readonly unread: { readonly message: string | undefined } | undefined
}

/** What is to be shown. Never resolves if a newer comparison is asked for before this one is made. */
async function compareIn({ compiler, inputs }: Parts, wanted: Wanted, isOver: () => boolean): Promise<State> {
  const { base, next, settings, unread } = wanted
  const [real, changed] = await Promise.all([inputs.load(base), inputs.load(next)])
  // An older input may come last: what it is asked for would then take the place of the newer comparison.
  if (isOver()) return {}
  const checked = real.checked.isSame ? changed.checked : real.checked
  const said = unread && { message: unread.message ?? real.input.turn.message }
  const answer = await compiler.compare({
    ...{ real: real.key, changed: changed.key },
    settings: checked.isSame ? { ...settings, ...said } : undefined,
  })
  const shown = { real, changed, checked }
  return typeof answer === "string" ? { ...shown, problem: answer } : { ...shown, compared: answer }
}

/** `inspect` tells when a file of its folder changes. */
function useChangedFiles(reload: () => void): void {
  const isWatched = info.value?.mode === "inspect"
  const version = isWatched ? changes.value : 0
  const first = useRef(version)
  useEffect(() => (isWatched ? followChanges() : undefined), [])
  useEffect(() => {
    if (version !== first.current) reload()
  }, [version])
}

/** How long nobody types before the server is asked what memory has to say about a message. */
const SETTLED_MS = 300

function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (text === undefined) setSettled(undefined)
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === undefined ? undefined : settled
}

const MOST_AHEAD = 12

/** One after the other, so that nothing else waits: the other persons, then the other situations. */
function usePrefetch(inputs: Inputs | undefined, key: string, asked: WhatIfAsked): void {
  useEffect(() => {
    if (inputs === undefined) return undefined
    let isOver = false
    const { people = [], situations = [] } = info.value ?? {}
    const ahead: readonly WhatIfAsked[] = [
      ...people.map(({ name }) => ({ ...asked, user: name })),
      ...situations.map(({ name }) => ({ ...asked, situation: name })),
    ]
    const next = async () => {
      for (const one of ahead.slice(0, MOST_AHEAD)) {
        if (isOver) return
        // What cannot be loaded now is asked for again once it is needed, and reported then.
        await inputs.load(one).catch(() => undefined)
      }
    }
    void next()
    return () => {
      isOver = true
    }
  }, [inputs, key])
}
