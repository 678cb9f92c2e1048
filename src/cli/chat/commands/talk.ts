// Chat commands that change the user or the session, or end it.
import { plural } from "../../views/figures.ts"
import type { Desk } from "../desk.ts"
import { visible } from "../screen/visible.ts"

/** Switches to a session of that user: the most recent one, else a new one. */
export async function as(desk: Desk, [user]: readonly string[]): Promise<readonly string[]> {
  const { as: _now, ...from } = desk.talk.from
  desk.change({ from: user === undefined ? from : { ...from, as: user } })
  const [last] = await desk.agent.sessions(desk.talk.from)
  await desk.enter(last?.id)
  const trust = desk.talk.prompt?.plan.audience.trust
  const who = user === undefined ? "the owner" : visible(user)
  const isStranger = user !== undefined && !desk.agent.users().includes(user)
  return [
    `now talking as ${who}${isStranger ? ", who is not in incipit.yaml" : ""}, with ${trust} trust`,
    last === undefined
      ? "the next message starts their first session"
      : `continuing "${visible(last.title)}", ${plural(last.turns, "turn")}`,
  ]
}

export async function begin(desk: Desk): Promise<readonly string[]> {
  await desk.enter(undefined)
  return ["the next message starts a new session"]
}

export async function reload(desk: Desk): Promise<readonly string[]> {
  await desk.agent.reload()
  await desk.refresh()
  return ["workspace reloaded; the next turn rebuilds the prompt"]
}

export async function quit({ leave }: Desk): Promise<readonly string[]> {
  leave()
  return []
}
