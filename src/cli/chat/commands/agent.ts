// Chat commands that query or change the agent: skills, memory, sessions, notices, the model.

import { byCodePoint } from "../../../base/order.ts"
import { plural } from "../../../base/text/figures.ts"
import type { MemoryStatus } from "../../../memory/memory.ts"
import { localTime } from "../../../record/ask/zone.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import { painter } from "../../views/colour.ts"
import { searchView, storesView } from "../../views/memory-view.ts"
import { offlineText } from "../../views/offline-text.ts"
import { isNarrow } from "../../views/page.ts"
import type { ChatContext } from "../chat-context.ts"
import { table } from "../screen/lines.ts"
import { visible } from "../screen/visible.ts"
import { viewTurn } from "../turn-view.ts"
import { contextView } from "./context.ts"

export async function context({ talk, view, agent }: ChatContext): Promise<readonly string[]> {
  if (talk.prompt === undefined) return ["no prompt yet"]
  return contextView(talk.prompt.plan, { ...view, hasCache: agent.model.rule.lookup !== "none" })
}

export async function skills(chat: ChatContext): Promise<readonly string[]> {
  const found = await chat.agent.skills(chat.talk.from)
  const rows = found
    .toSorted((a, b) => byCodePoint(a.name, b.name))
    .map(({ name, description, path }) => [
      visible(name),
      ...(isNarrow(chat.view) ? [] : [visible(path)]),
      visible(description),
    ])
  return rows.length === 0
    ? ["no skills"]
    : [...table(rows, chat.view.columns), plural(found.length, "skill")]
}

export async function prompts(chat: ChatContext): Promise<readonly string[]> {
  const found = chat.agent.prompts(chat.talk.from)
  if (found.length === 0) return ["no prompts; hooks can add folders of prompts (resources_discover)"]
  const rows = found
    .toSorted((a, b) => byCodePoint(a.name, b.name))
    .map(({ name, description }) => [`/${visible(name)}`, visible(description)])
  return [...table(rows, chat.view.columns), plural(found.length, "prompt")]
}

export async function memory(chat: ChatContext, words: readonly string[]): Promise<readonly string[]> {
  const { agent, talk, view } = chat

  const trust = talk.prompt?.plan.audience.trust ?? "public"
  await agent.memory.refresh()
  const status = agent.memory.status({ trust })
  if (words.length === 0 && isNarrow(chat.view)) return narrowStores(status, view.columns)
  if (words.length === 0) return storesView(status, view)
  const found = agent.memory.search(words.join(" "), { trust })
  const lines = searchView(found, trust, { colour: false }).map(visible)
  return found.reason === undefined ? lines : [...lines, visible(found.reason)]
}

function narrowStores({ stores }: MemoryStatus, columns: number): readonly string[] {
  const rows = stores.map(({ name, trust, files, fresh, changed }) => [
    visible(name),
    trust,
    plural(files, "file"),
    fresh ? "up to date" : `${changed} changed`,
  ])
  return table(rows, columns)
}

export async function sessions(chat: ChatContext, [word]: readonly string[]): Promise<readonly string[]> {
  const { agent, talk, view } = chat
  const known = await agent.sessions(talk.from)
  if (word !== undefined) {
    const found = known.filter(({ id }) => id.startsWith(word))
    const [one] = found
    if (one === undefined || found.length > 1)
      return [found.length > 1 ? `${word} matches several sessions` : `there is no session ${visible(word)}`]
    await chat.enter(one.id)
    return [`now in session ${one.id}: ${visible(one.title)}`]
  }
  if (known.length === 0) return ["no sessions yet; your first message starts one"]
  const rows = known.map(({ id, usedAt, turns, title }) => [
    `${id === talk.session ? "* " : "  "}${id}`,
    ...(isNarrow(chat.view) ? [] : [localTime(usedAt, view.timeZone), plural(turns, "turn")]),
    visible(title),
  ])
  return [...table(rows, view.columns), `${plural(known.length, "session")}; /sessions ID continues one`]
}

export async function notices({ agent, talk, view }: ChatContext): Promise<readonly string[]> {
  const paint = painter(view)
  const all = await agent.notices(talk.from)
  if (all.length === 0) return ["no notices"]
  return all.flatMap(({ at, text, isNew }) =>
    text.split("\n").map((line, index) => {
      const time = index === 0 ? `${localTime(at, view.timeZone)}  ` : "  "
      return `${paint("dim", time)}${isNew ? visible(line) : paint("dim", visible(line))}`
    }),
  )
}

export async function model(
  { agent, view }: ChatContext,
  [id]: readonly string[],
): Promise<readonly string[]> {
  if (id === undefined) {
    const { model: now } = agent
    return [
      `${now.id}, cache rule ${now.rule.id}`,
      ...(now.isOffline ? [asTyped(offlineText(now), view)] : []),
    ]
  }
  await agent.useModel(id)
  return [`${agent.model.id} answers from the next turn on`]
}

export async function compact(chat: ChatContext): Promise<readonly string[]> {
  const { agent, talk, view } = chat
  if (talk.session === undefined) return ["no conversation yet"]
  const turn = viewTurn(view.now())
  const lines: string[] = []
  await agent.compact(talk.session, (event) => {
    chat.take(event)
    lines.push(...turn.tell(event, view).filter((line) => line !== ""))
  })
  await chat.refresh()
  return lines.length > 0 ? lines : ["nothing to compact"]
}
