// The queue as lines: each message with its id, who sent it, how often it was tried and why it waits.
import type { QueuedMessage } from "../../agent/inbox/message/queued-message.ts"
import { plural } from "../../base/text/figures.ts"
import { escapeHidden } from "../../record/ask/log.ts"
import { painter } from "./colour.ts"
import type { Page } from "./page.ts"
import { fitCell, wrap } from "./widths.ts"

export interface QueuePage extends Page {
  readonly timeZone: string
  readonly now: () => number
}

export function queueLines(queued: readonly QueuedMessage[], page: QueuePage): readonly string[] {
  const paint = painter(page)
  return queued.flatMap((message, at) => [
    ...(at === 0 ? [] : [""]),
    paint("bold", fitCell(`${message.turn}  ${shown(message.text)}`, page.columns).trimEnd()),
    ...indented(
      `from ${senderText(message)}, ${timeText(message.at, page)}; ${whenText(message, page)}`,
      page,
    ),
    ...(message.error === undefined ? [] : indented(`last error: ${shown(message.error)}`, page)),
  ])
}

function indented(text: string, { columns }: Page): readonly string[] {
  return wrap(text, columns - INDENT.length).map((line) => `${INDENT}${line}`)
}

const INDENT = "  "

function senderText({ from: { as, channel, sender } }: QueuedMessage): string {
  const who = as ?? sender
  if (channel !== undefined) return shown(who === undefined ? channel : `${who} on ${channel}`)
  return who === undefined ? "the owner" : shown(who)
}

function whenText({ attempts, notBefore, behind }: QueuedMessage, page: QueuePage): string {
  const tried = attempts === 0 ? "interrupted" : `tried ${plural(attempts, "time")}`
  if (behind !== undefined) return `${tried}; waits for ${behind}, which came before it`
  return notBefore === undefined ? `${tried}; due now` : `${tried}; next try ${timeText(notBefore, page)}`
}

/** With the day if it is another one. */
function timeText(at: number, { timeZone, now }: QueuePage): string {
  const parts = (ms: number) =>
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
      .format(ms)
      .split(" ")
  const [day = "", time = ""] = parts(at)
  return day === parts(now())[0] ? time : `${day} ${time}`
}

/** One line, as it may come from anybody. */
function shown(text: string): string {
  return escapeHidden(text.trim().replaceAll(/\s+/g, " "))
}
