// `/tools`: lists the model's tools, shows the last turn's results, and switches tools off and on for a session.
import { IncipitError } from "../../../base/error.ts"
import { nearest } from "../../../base/nearest.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { Entry } from "../../../core/model/plan.ts"
import { dollars } from "../../../record/ask/log.ts"
import { ttlOf } from "../../../render/cache/cache-rule.ts"
import { costOf } from "../../../render/cache/price.ts"
import { painter } from "../../views/colour.ts"
import type { ChatContext } from "../chat-context.ts"
import { table } from "../screen/lines.ts"
import { visible } from "../screen/visible.ts"
import { unfolded } from "../tool-line.ts"

export async function tools(
  chat: ChatContext,
  [verb, ...names]: readonly string[],
): Promise<readonly string[] | undefined> {
  if (verb === undefined) return toolTable(chat)
  if (verb === "last") return lastResults(chat)
  if ((verb !== "on" && verb !== "off") || names.length === 0) return undefined
  return switched(chat, verb, names)
}

/** The tools that the verb could change. */
export function toolNames(chat: ChatContext, [verb]: readonly string[]): readonly string[] {
  const active = activeTools(chat)
  return chat.agent
    .tools()
    .map(({ name }) => name)
    .filter((name) => active.has(name) === (verb === "off"))
}

/** The tools defined for the session, whoever may use them. */
function activeTools({ talk }: ChatContext): ReadonlySet<string> {
  return new Set(toolEntries(talk).map(({ id }) => id))
}

function toolEntries({ prompt }: ChatContext["talk"]): readonly Entry[] {
  return (prompt?.plan.entries ?? []).filter(({ kind }) => kind === "tool")
}

function toolTable({ talk, view, agent }: ChatContext): readonly string[] {
  const entries = toolEntries(talk)
  const described = new Map(talk.prompt?.tools.map(({ name, description }) => [name, description]))
  const isOff = (name: string) => !entries.some(({ id }) => id === name)
  const off = agent.tools().filter(({ name }) => isOff(name))
  const isHeld = ({ outcome }: Entry) => outcome.kind === "withheld"
  const held = entries.filter(isHeld).length
  const rows = [
    ...entries.map(({ id, tokens, outcome }) => [
      visible(id),
      outcome.kind === "withheld" ? "" : thousands(tokens),
      outcome.kind === "withheld" ? `needs ${outcome.needs} trust` : visible(described.get(id) ?? ""),
    ]),
    ...off.map(({ name }) => [visible(name), "off", ""]),
  ]
  const sum = entries.filter((entry) => !isHeld(entry)).reduce((all, { tokens }) => all + tokens, 0)
  const facts = [
    `${plural(entries.length - held, "tool")}, ${plural(sum, "token")}`,
    ...(held > 0 ? [`${held} withheld`] : []),
    ...(off.length > 0 ? [`${off.length} off`] : []),
  ]
  return [...table(rows, view.columns), facts.join(", ")]
}

function lastResults({ talk, view }: ChatContext): readonly string[] {
  if (talk.tools.length === 0) return ["no tool was used in the last turn"]
  return talk.tools.flatMap((use) => unfolded(use, view.columns, painter(view)))
}

async function switched(
  chat: ChatContext,
  verb: "on" | "off",
  names: readonly string[],
): Promise<readonly string[]> {
  const { agent, talk } = chat
  if (talk.session === undefined || talk.isNew)
    return ["tools are switched per session; send a message first"]
  const known = agent.tools().map(({ name }) => name)
  for (const name of names) checkName(name, known)
  const active = activeTools(chat)
  const isWanted = (name: string) => (names.includes(name) ? verb === "on" : active.has(name))
  const { rewrites } = await agent.setActiveTools(talk.session, known.filter(isWanted))
  await chat.refresh()
  const changed = names.filter((name) => active.has(name) === (verb === "off"))
  if (changed.length === 0)
    return [`no change: ${names.join(", ")} ${names.length > 1 ? "are" : "is"} already ${verb}`]
  return [
    `${verb} from the next message on: ${changed.join(", ")}`,
    rewrites > 0 ? rewriteText(chat, rewrites) : "nothing in the cache changes",
  ]
}

function checkName(name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const [near] = nearest(name, known)
  const hint = near === undefined ? "" : `; did you mean ${near}?`
  throw new IncipitError("bad-argument", `there is no tool "${name}"${hint}`)
}

/** The cached prefix comes after the tools, so all of it is sent again. */
function rewriteText({ agent, view }: ChatContext, tokens: number): string {
  const { rule, isOffline } = agent.model
  const isWritten = rule.lookup === "breakpoint"
  const write = { [ttlOf(rule, undefined).name]: isWritten ? tokens : 0 }
  const usage = { uncached: isWritten ? 0 : tokens, read: 0, write, output: 0 }
  const cost = isOffline ? null : costOf(usage, agent.model.price(view.now()))
  const money = cost === null ? "" : `, which costs about ${dollars(cost)}`
  return `the cached prefix begins with the tools, so ${plural(tokens, "token")} are cached again${money}`
}
