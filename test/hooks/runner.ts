// A runner with a timer that a test moves by hand, and what it told; and the events that it is given.
import type { Trust } from "../../src/base/trust.ts"
import type { Agent, Session, Turn } from "../../src/core/model/inputs.ts"
import { view } from "../../src/core/view/view.ts"
import type { HookProblem } from "../../src/hooks/call.ts"
import type { AuthoredMessage, Hooks, NamedHooks } from "../../src/hooks/hooks.ts"
import { createHookRunner } from "../../src/hooks/run.ts"

export const turn: Turn = { id: "t1", now: Date.UTC(2026, 5, 16, 7), timeZone: "UTC", message: "hello" }
const agent: Agent = { id: "main", files: [], tools: [], extensions: [] }

export function sessionOf(trust: Trust = "full") {
  const session: Session = { id: "s1", audience: { trust, situation: "dm", mode: "full" }, files: [] }
  return view(agent, session)
}

export function startEvent(systemPrompt: string, trust?: Trust) {
  const seen = sessionOf(trust)
  return { agent: seen.agent, session: seen.session, turn, systemPrompt }
}

export interface Bench {
  readonly runner: ReturnType<typeof createHookRunner>
  readonly troubles: HookProblem[]
  readonly sent: [AuthoredMessage, string | undefined][]
  /** Lets the time limit of every hook that runs pass. */
  readonly pass: () => void
  /** Time limits that were neither reached nor called off. */
  readonly running: () => number
}

export function benchOf(hooks: readonly NamedHooks[]): Bench {
  const troubles: HookProblem[] = []
  const sent: [AuthoredMessage, string | undefined][] = []
  const timers = new Set<() => void>()
  const runner = createHookRunner({
    hooks,
    limitMs: 500,
    timer: (run) => {
      timers.add(run)
      return () => timers.delete(run)
    },
    host: { sendMessage: (message, session) => void sent.push([message, session]) },
    trouble: (problem) => void troubles.push(problem),
  })
  const pass = () => {
    for (const run of [...timers]) run()
  }
  return { runner, troubles, sent, pass, running: () => timers.size }
}

export function named(name: string, hooks: Hooks, trust?: Trust): NamedHooks {
  return { name, hooks, ...(trust && { trust }) }
}

export const never = (): AbortSignal => new AbortController().signal

/** Hooks as JavaScript may write them, which no type checker has seen. */
export function untyped(hooks: Record<string, unknown>): Hooks {
  return hooks as Hooks
}
