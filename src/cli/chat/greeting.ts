// What a chat says when it opens: the agent and its model, the conversation that goes on, and notices that were not seen.
import { plural } from "../../base/text/figures.ts"
import { offlineText } from "../views/offline-text.ts"
import type { Page } from "../views/page.ts"
import { wrap } from "../views/widths.ts"
import type { ChatContext } from "./chat-context.ts"
import { visible } from "./screen/visible.ts"
import { noticeLines } from "./turn-view.ts"

/** `dim`: lines that matter less. */
export async function greeting(
  { agent, talk }: Pick<ChatContext, "agent" | "talk">,
  page: Page,
  dim: (text: string) => readonly string[],
): Promise<readonly string[]> {
  const { columns } = page
  const known = (await agent.sessions(talk.from)).find(({ id }) => id === talk.session)
  const unseen = (await agent.notices(talk.from)).filter(({ isNew }) => isNew)
  const continued =
    known === undefined
      ? []
      : wrap(
          `continuing "${visible(known.title)}", ${plural(known.turns, "turn")}; /new starts another`,
          columns,
        )
  return [
    ...wrap(`${visible(agent.name)} · ${agent.model.id} · /help for commands`, columns),
    ...(agent.model.isOffline ? dim(offlineText(agent.model)) : []),
    ...continued,
    ...unseen.flatMap(({ text }) => ["", ...noticeLines(text, page)]),
  ]
}
