// `incipit price`: what a change would cost a running session now and per day, and what waiting saves.
import { resolve } from "node:path"
import { type Terms, termsOf } from "../../../agent/models/terms.ts"
import { IncipitError } from "../../../base/error.ts"
import { inCountedTokens } from "../../../core/fit/budget.ts"
import { PLANNED_LAYOUT } from "../../../render/cache/cache-layouts.ts"
import { type Change, priceOfChange, priceOfSwitch } from "../../../render/cache/change-price.ts"
import { budgetOf } from "../../../sources/config/budget.ts"
import { cacheTtl } from "../../../sources/config/defaults.ts"
import { gatherSkills } from "../../../sources/skills/skills.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { flagName } from "../../command-line/table/flag.ts"
import { readTools } from "../../command-line/tools-file.ts"
import type { Terminal } from "../../terminal.ts"
import { type PriceResult, priceView } from "../../views/price-view.ts"
import { gatherPriced } from "./priced.ts"
import type { Input } from "./resolve.ts"

const KINDS = [
  "edit",
  "addTool",
  "removeTool",
  "addSkill",
  "switch",
] as const satisfies readonly (keyof FlagsOf<"price">)[]

export async function run({ flags, terminal }: Invocation<"price">): Promise<number> {
  const wanted = wantedChange(flags)
  const { input, terms } = await gatherPriced(flags, terminal)
  const result = await priced(wanted, { input, terms, flags, terminal })
  terminal.out(flags.json ? `${JSON.stringify(priceReport(result), null, 2)}\n` : priceView(result, terminal))
  printDiagnostics(input.diagnostics, terminal)
  return exitStatus(input.diagnostics, flags)
}

type Kind = (typeof KINDS)[number]

/** The one flag that names the change, and its value. */
interface Wanted {
  readonly kind: Kind
  readonly value: string
}

function wantedChange(flags: FlagsOf<"price">): Wanted {
  const wanted = KINDS.flatMap((kind) => (flags[kind] === undefined ? [] : [{ kind, value: flags[kind] }]))
  const [first, second] = wanted
  if (first !== undefined && second === undefined) return first
  const known = KINDS.map((kind) => `--${flagName(kind)}`).join(", ")
  throw new IncipitError("bad-argument", `give exactly one change: ${known}`)
}

/** What the command was asked with. */
interface PriceContext {
  readonly input: Input
  readonly terms: Terms
  readonly flags: FlagsOf<"price">
  readonly terminal: Terminal
}

async function priced({ kind, value }: Wanted, context: PriceContext): Promise<PriceResult> {
  const { input, terms, flags, terminal } = context
  const conversation = conversationOf(flags, input)
  const callsADay = flags.calls
  // Given in the model's tokens, as a provider counts them; texts are counted in o200k and scaled.
  const counted = inCountedTokens(conversation, input.budget.ratio ?? { factor: 1, exact: true })
  const options = optionsOf(input, terms, counted)
  if (kind === "switch") {
    if (value.toLowerCase() === terms.model.toLowerCase())
      throw new IncipitError("bad-argument", `--switch: ${value} is already the model`)
    const next = await termsOf(value, input.workspace.config, terminal.now())
    const session = { ...input.session, model: value }
    const budget = budgetOf(input.workspace.config, input.profile, { model: value })
    const price = priceOfSwitch(options, { session, budget, rule: next.rule, price: next.price })
    return { what: `Switching to ${value}`, terms, conversation, callsADay, price }
  }
  const { what, change } = changeOf(kind, value, context)
  return { what, terms, conversation, callsADay, price: priceOfChange(change, options) }
}

/** The head takes room too, but is not compiled yet. */
function conversationOf(flags: FlagsOf<"price">, { budget }: Input): number {
  const { conversation } = flags
  const room = budget.window - budget.reserve
  if (conversation <= room) return conversation
  throw new IncipitError(
    "bad-argument",
    `--conversation ${conversation} does not fit: the window has room for ${room} tokens`,
  )
}

function optionsOf(input: Input, { rule, price }: Terms, conversation: number) {
  const { profile, agent, session, turn, budget, workspace } = input
  const ttl = cacheTtl(workspace.config)
  return {
    profile,
    layout: PLANNED_LAYOUT,
    rule,
    price,
    counter: o200k,
    agent,
    session,
    turn,
    budget,
    ttl,
    conversation,
  }
}

function changeOf(
  kind: Exclude<Kind, "switch">,
  value: string,
  { input, flags, terminal }: PriceContext,
): { readonly what: string; readonly change: Change } {
  const path = resolve(terminal.cwd, value)
  switch (kind) {
    case "edit": {
      const { adds } = flags
      const file = shownFile(value, input)
      return { what: `Editing ${file} (+${adds} tokens)`, change: { edits: [{ path: file, adds }] } }
    }
    case "addTool": {
      const { tools: add, diagnostics } = readTools(path, input.profile)
      printDiagnostics(diagnostics, terminal)
      const names = add.map(({ name }) => name).join(", ")
      return { what: `Adding the tool ${names}`, change: { tools: { add, remove: [] } } }
    }
    case "removeTool": {
      if (!input.agent.tools.some(({ name }) => name === value))
        throw new IncipitError(
          "not-found",
          `there is no tool "${value}"; use --tools to name the file that defines it`,
        )
      return { what: `Removing the tool ${value}`, change: { tools: { add: [], remove: [value] } } }
    }
    case "addSkill": {
      const { skills } = gatherSkills([{ path, shown: value, roots: [path], isOwn: true }])
      if (skills.length === 0) throw new IncipitError("not-found", `there is no SKILL.md in ${value}`)
      return { what: `Adding the skill ${skills.map(({ name }) => name).join(", ")}`, change: { skills } }
    }
  }
}

/** The file's displayed path, whether it was given relative to the workspace or to the working directory. */
function shownFile(value: string, { agent, session }: Input): string {
  const files = [...agent.files, ...session.files]
  const found =
    files.find(({ path }) => path === value) ?? files.find(({ path }) => path.endsWith(`/${value}`))
  if (found !== undefined) return found.path
  const skills = [...(agent.skills ?? []), ...(session.skills ?? [])]
  if (skills.some(({ path }) => path === value || path.endsWith(`/${value}`)))
    throw new IncipitError(
      "bad-argument",
      `${value} is a skill: the prompt has only its name and description, and the model reads the rest when it uses the skill`,
    )
  const known = files.map(({ path }) => path).join(", ") || "none"
  throw new IncipitError("not-found", `${value} is not in this prompt (its files: ${known})`)
}

function priceReport({ what, terms, conversation, callsADay, price }: PriceResult) {
  return { simulated: true, what, model: terms.model, conversation, callsADay, ...price }
}
