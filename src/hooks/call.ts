// Calls one hook, with a time limit, a signal and a host. A failure affects nothing else. The caller decides what to do
// with the result.
import { firstLine } from "../base/first-line.ts"
import { authoredMessage } from "./answers.ts"
import { frozenCopy } from "./frozen.ts"
import type { AuthoredMessage, CustomMessage, HookHost, HookName, NamedHooks } from "./hooks.ts"

/** Runs a function after some milliseconds, never immediately. Returns a function that cancels it. */
export type Timer = (run: () => void, ms: number) => () => void

export const realTimer: Timer = (run, ms) => {
  const id = setTimeout(run, ms)
  return () => clearTimeout(id)
}

/** What a module did wrong. */
export interface HookProblem {
  /** The module's name. */
  readonly name: string
  readonly hook: HookName
  readonly error: string
}

/** What calls need from the agent. */
export interface CallKit {
  /** How long a hook may take. Synchronous code cannot be interrupted. */
  readonly limitMs: number
  readonly timer: Timer
  readonly host: { sendMessage(message: AuthoredMessage, session: string | undefined): void | Promise<void> }
  readonly trouble: (problem: HookProblem) => void
}

export interface HookCall<T> {
  readonly module: NamedHooks
  readonly hook: HookName
  /** The running session, if there is one. */
  readonly session: string | undefined
  /** The turn's signal. */
  readonly signal: AbortSignal
  readonly run: (host: HookHost) => unknown
  /** Parses the result. Throws if it is invalid. */
  readonly read: (answer: unknown) => T
}

/** What the hook returns. Undefined if it fails, or if the turn is stopped. */
export async function callHook<T>(call: HookCall<T>, kit: CallKit): Promise<T | undefined> {
  const { module, hook, signal } = call
  const own = new AbortController()
  const fail = (error: string) => kit.trouble({ name: module.name, hook, error })
  const post = openPost(call, kit, fail)
  const host = { sendMessage: post.send, signal: AbortSignal.any([signal, own.signal]) }
  const outcome = await outcomeWithin(async () => call.read(frozenCopy(await call.run(host))), {
    ...kit,
    signal,
  })
  if (outcome.kind === "answered") {
    await post.open()
    return outcome.value
  }
  post.close()
  own.abort()
  if (outcome.kind === "failed") fail(outcome.error)
  return undefined
}

export type Outcome<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "stopped" }

interface CallLimits {
  readonly limitMs: number
  readonly timer: Timer
  readonly signal?: AbortSignal
}

/** Waits for some work until the time limit or an abort. Ignores its later result. */
export function outcomeWithin<T>(
  work: () => Promise<T>,
  { limitMs, timer, signal }: CallLimits,
): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome<T>) => {
      callOff()
      signal?.removeEventListener("abort", stop)
      resolve(outcome)
    }
    const stop = () => end({ kind: "stopped" })
    const callOff = timer(() => end({ kind: "failed", error: `took longer than ${limitMs} ms` }), limitMs)
    if (signal?.aborted) return stop()
    signal?.addEventListener("abort", stop)
    work().then(
      (value) => end({ kind: "answered", value }),
      (error) => end({ kind: "failed", error: firstLine(error) }),
    )
  })
}

/** Messages are held until the hook has succeeded, then sent at once. */
function openPost<T>({ module, session: running }: HookCall<T>, kit: CallKit, fail: (error: string) => void) {
  let state: "waiting" | "open" | "closed" = "waiting"
  const letters: (() => Promise<void>)[] = []
  let delivered = Promise.resolve()
  const send = (message: CustomMessage, session: string | undefined = running) => {
    if (state === "closed") return
    let authored: AuthoredMessage
    try {
      authored = authoredMessage(frozenCopy(message), module)
    } catch (error) {
      // Thrown from the hook's own timer, it would end the process.
      return fail(`sendMessage: ${firstLine(error)}`)
    }
    const deliver = async () => kit.host.sendMessage(authored, session)
    if (state === "open") post(deliver)
    else letters.push(deliver)
  }
  /** One after another. Nobody waits for a message that is sent after the hook has returned. */
  const post = (deliver: () => Promise<void>) => {
    delivered = delivered.then(deliver).catch((error: unknown) => fail(`sendMessage: ${firstLine(error)}`))
  }
  return {
    send,
    async open() {
      state = "open"
      for (const deliver of letters) post(deliver)
      await delivered
    },
    close() {
      state = "closed"
    },
  }
}
