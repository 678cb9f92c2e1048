// Claims runs of a schedule as an agent does: by receiving their messages.
import type { Firing } from "../../../src/agent/schedule/due-runs.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"

type Run = Pick<Firing, "entry" | "due"> & Partial<Firing>

export function claimer(store: AgentStore, { agent, takenBy }: { agent: string; takenBy: string }) {
  const key = { agent, who: "owner", situation: "system", trust: "full", mode: "full" } as const
  return async ({ entry, due, run = "", missed = 0 }: Run, turn: string): Promise<boolean> => {
    const { session } = await store.sessions.currentOrNew(key, `runs of ${agent}`)
    const taken = await store.inbox.receive(
      { id: turn, turn, session: session.id, message: { text: `${run}: missed ${missed}` }, takenBy },
      { scheduleRun: { agent, entry, due } },
    )
    return taken !== "taken"
  }
}
