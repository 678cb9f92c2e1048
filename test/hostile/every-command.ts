// Every command in one hostile folder: what each did wrong, by its command line. Commands that only read share the
// folder; one that writes gets a fresh one, and is judged by what it is there to write.
import { INVOCATIONS, type Invocation } from "./invocations.ts"
import { snapshot, troubles } from "./judged.ts"
import { makePlace, type Place, type Trick } from "./place.ts"
import type { Traced } from "./strace.ts"
import { watched } from "./watched.ts"

export type Found = Readonly<Record<string, readonly string[]>>

/** As many at once as a small machine runs well. */
const AT_ONCE = 3

export async function tryInvocations(
  tricks: readonly Trick[],
  invocations: readonly Invocation[],
): Promise<Found> {
  const shared = await makePlace(tricks)
  const before = snapshot(shared)
  const found: Array<readonly [string, readonly string[]]> = []
  const waiting = [...invocations]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      found.push([next.args.join(" "), await tried(next, tricks, shared)])
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    found.push(["afterwards", changes(before, snapshot(shared))])
  } finally {
    await shared.close()
  }
  return Object.fromEntries(found.filter(([, texts]) => texts.length > 0))
}

async function tried(
  invocation: Invocation,
  tricks: readonly Trick[],
  shared: Place,
): Promise<readonly string[]> {
  const place = invocation.writes === undefined ? shared : await makePlace(tricks)
  try {
    const env = Object.assign({}, ...tricks.map((trick) => trick.env?.(place) ?? {}))
    const ended = await watched({ ...invocation, place, env })
    const events = invocation.listens ? ended.events.filter((event) => !isListening(event)) : ended.events
    return troubles({ ...ended, events }, place, invocation.writes?.(place) ?? [])
  } finally {
    if (place !== shared) await place.close()
  }
}

function isListening(event: Traced): boolean {
  if (event.kind !== "address") return false
  return event.call === "listen" || (event.call === "bind" && event.text.includes('"127.0.0.1"'))
}

function changes(before: readonly string[], after: readonly string[]): readonly string[] {
  const [was, is] = [new Set(before), new Set(after)]
  const gone = before.filter((line) => !is.has(line)).map((line) => `was, and is no more: ${line}`)
  return [...gone, ...after.filter((line) => !was.has(line)).map((line) => `is now: ${line}`)]
}

export const ALL: readonly Invocation[] = Object.values(INVOCATIONS).flat()
/** One form of each command. */
export const ONE_EACH: readonly Invocation[] = Object.values(INVOCATIONS).flatMap((forms) =>
  forms.slice(0, 1),
)
