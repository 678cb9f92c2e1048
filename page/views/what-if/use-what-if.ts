// Keeps the comparison up to date: loads the inputs that the settings need, has them compiled beside the page, and loads
// in advance what may be asked for next.
import { useEffect, useRef, useState } from "preact/hooks"
import type { WhatIfAsked } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { problemText } from "../../data/ask.ts"
import { info } from "../../data/info.ts"
import { place } from "../../shell/place.ts"
import { type Checked, createPageCompiler, type PageCompiler } from "./compiler.ts"
import { createInputs, type Inputs, type LoadedInput } from "./inputs.ts"
import { askedIn, message, settingsIn } from "./settings.ts"
import type { Compared } from "./worker/protocol.ts"

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
  const [round, setRound] = useState(0)
  const parts = useRef<{ readonly compiler: PageCompiler; readonly inputs: Inputs } | undefined>(undefined)
  useEffect(() => {
    const compiler = createPageCompiler((problem) => setState((was) => ({ ...was, problem })))
    const inputs = createInputs(compiler)
    parts.current = { compiler, inputs }
    setRound((before) => before + 1)
    return () => {
      inputs.close()
      compiler.close()
      parts.current = undefined
    }
  }, [])
  const asked = askedIn(place.value)
  const said = useSettled(message.value)
  const settings = settingsIn(place.value)
  const base = place.value.same === undefined ? {} : asked
  const wanted: Wanted = { base, next: { ...asked, ...(said !== undefined && { message: said }) } }
  const isSaid = said === message.value
  const key = JSON.stringify([wanted, settings, message.value, round])
  useEffect(() => {
    const { current } = parts
    if (current === undefined) return undefined
    let isOver = false
    const fail = (error: unknown) => {
      if (!isOver) setState((was) => ({ ...was, problem: problemText(error), of: key }))
    }
    bothInputs(current.inputs, wanted).then(([real, changed]) => {
      if (isOver) return
      const checked = checkedBoth(real, changed)
      // Until the server has read the message, the worker has it in place of the one before.
      const changes = {
        ...settings,
        ...(isSaid ? {} : { message: message.value ?? real.input.turn.message }),
      }
      current.compiler.compare(
        { real: real.key, changed: changed.key, settings: checked.isSame ? changes : undefined },
        (answer) => {
          if (isOver) return
          setState((was) =>
            typeof answer === "string"
              ? { ...was, real, changed, checked, of: key, problem: answer }
              : { real, changed, checked, compared: answer, of: key, problem: undefined },
          )
        },
      )
    }, fail)
    return () => {
      isOver = true
    }
  }, [key])
  const hasCompared = state.compared !== undefined
  usePrefetch(hasCompared ? parts.current?.inputs : undefined, `${JSON.stringify(asked)} ${round}`, asked)
  return {
    ...{ real: state.real, changed: state.changed, compared: state.compared, checked: state.checked },
    isCurrent: state.of === key && state.problem === undefined,
    problem: state.of === key ? state.problem : undefined,
    compiler: parts.current?.compiler,
    reload() {
      parts.current?.inputs.clear()
      setRound((before) => before + 1)
    },
  }
}

interface Wanted {
  readonly base: WhatIfAsked
  readonly next: WhatIfAsked
}

function bothInputs(inputs: Inputs, { base, next }: Wanted): Promise<readonly [LoadedInput, LoadedInput]> {
  return Promise.all([inputs.load(base), inputs.load(next)])
}

function checkedBoth(real: LoadedInput, changed: LoadedInput): Checked {
  return real.checked.isSame ? changed.checked : real.checked
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
