// `incipit models`: which model would answer and why, and what is set up for each provider. Never prints keys.
import { chooseModel, type ModelChoice } from "../../../agent/models/choose-model.ts"
import { missingKey, type Provider, providersOf, urlOf } from "../../../agent/models/providers.ts"
import { type Terms, termsOf } from "../../../agent/models/terms.ts"
import { waitingIn } from "../../../approval/approvable.ts"
import type { ToolFormat } from "../../../core/model/inputs.ts"
import { OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import { openWorkspace, type Workspace } from "../../../sources/workspace.ts"
import { toolFormatOf } from "../../../workspace/tool-format.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { homeFolder, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { fitCell, wrap } from "../../views/widths.ts"
import { effectiveSettings } from "./settings.ts"

interface ModelTerms {
  readonly id: string
  readonly toolFormat: ToolFormat
  readonly price: "known" | "estimated" | "free" | "unknown"
  /** Null if no rule covers the model. */
  readonly cacheRule: string | null
}

interface ProviderState {
  readonly name: string
  readonly key: "set" | "missing" | "none"
  /** The missing variables. */
  readonly needs?: string
  /** Its address, if the user chose one, and where that is set. */
  readonly url?: { readonly address: string; readonly from: string; readonly waits?: true }
  /** The model used if none is chosen; a custom provider has none. */
  readonly default?: ModelTerms
}

interface Models {
  /** The named model, where it is named, and its terms. */
  readonly model?: ModelTerms & { readonly from: string }
  readonly answers: ModelChoice
  readonly providers: readonly ProviderState[]
}

export async function run({ flags, terminal }: Invocation<"models">): Promise<number> {
  const workspace = openWorkspace(workspaceFolder(flags, terminal))
  const models = await modelsOf(flags, terminal, workspace)
  terminal.out(flags.json ? `${JSON.stringify(models, null, 2)}\n` : modelsView(models, terminal))
  printDiagnostics(workspace.diagnostics, terminal)
  return exitStatus(workspace.diagnostics, flags)
}

async function modelsOf(flags: FlagsOf<"models">, terminal: Terminal, workspace: Workspace): Promise<Models> {
  const { config } = workspace
  const { env } = terminal
  const named = effectiveSettings(flags, terminal, workspace).find(({ key }) => key === "model")
  const id = named === undefined ? undefined : String(named.value)
  const wanted = named?.from === "--model" ? id : undefined
  const waiting = waitingIn(workspace, homeFolder({}, terminal))
  const answers = chooseModel({ wanted, configured: id, env, config, waiting })
  const termsFor = async (model: string): Promise<ModelTerms> => {
    const { rule, price } = await termsOf(model, config, terminal.now())
    const cacheRule = rule.lookup === "none" ? null : rule.id
    return { id: model, toolFormat: toolFormatOf(model, config), price: knownPrice(price), cacheRule }
  }
  const stateOf = async (provider: Provider): Promise<ProviderState> => {
    const needs = missingKey(provider, env)
    const isFree = provider.keys.some((names) => names.length === 0)
    const { url, isSet } = urlOf(provider, env)
    const isHeld = waiting.some(({ kind, name }) => kind === "provider" && name === provider.name)
    const waits = isHeld ? ({ waits: true } as const) : {}
    const from = isSet ? provider.url?.variable : provider.url === undefined ? "incipit.yaml" : undefined
    return {
      name: provider.name,
      key: needs !== undefined ? "missing" : isFree ? "none" : "set",
      ...(needs !== undefined && { needs }),
      ...(from !== undefined &&
        url !== undefined && { url: { address: withoutPassword(url), from, ...waits } }),
      ...(provider.model !== undefined && { default: await termsFor(`${provider.name}/${provider.model}`) }),
    }
  }
  const providers = await Promise.all(providersOf(config).map(stateOf))
  const model = id === undefined ? undefined : { ...(await termsFor(id)), from: named?.from ?? "" }
  return { ...(model && { model }), answers, providers }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//")
}

function knownPrice(price: Terms["price"]): ModelTerms["price"] {
  if (price === null) return "unknown"
  if (price.input === 0) return "free"
  return price.estimated ? "estimated" : "known"
}

const HEADS = ["provider", "key", "tools", "price", "cache rule", "default model"] as const

function modelsView({ model, answers, providers }: Models, terminal: Terminal): string {
  const paint = painter(terminal)
  const rows = providers.map(({ name, key, default: own }) => [
    name,
    key,
    own?.toolFormat ?? "-",
    own?.price ?? "-",
    own === undefined ? "-" : (own.cacheRule ?? "unknown"),
    own?.id.slice(name.length + 1) ?? "-",
  ])
  const widths = HEADS.map((head, at) => Math.max(head.length, ...rows.map((row) => (row[at] ?? "").length)))
  const used = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) =>
        fitCell(cell, at === row.length - 1 ? Math.max(8, terminal.columns - used) : (widths[at] ?? 0)),
      )
      .join("  ")
      .trimEnd()
  const notes = providers.flatMap(({ name, needs, url }) => [
    ...(needs === undefined ? [] : [`${name} needs ${needs}`]),
    ...(url === undefined ? [] : [`${name} is at ${url.address} (${url.from})`]),
    ...(url?.waits
      ? [
          asTyped(
            `${name} is not used until you approve its address: incipit hooks approve ${name}`,
            terminal,
          ),
        ]
      : []),
  ])
  const lines = [
    ...(model === undefined ? ["no model is set"] : modelLines(model)),
    ...(answers.kind === "model"
      ? [`${answers.id} will answer: ${answers.why}`]
      : [`the offline model will answer: ${asTyped(answers.why, terminal)}`, OFFLINE_CALLS]),
    "",
    paint("bold", line(HEADS)),
    ...rows.map(line),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ]
  return `${lines.flatMap((text) => wrappedLines(text, terminal.columns)).join("\n")}\n`
}

function modelLines({
  id,
  from,
  toolFormat,
  price,
  cacheRule,
}: NonNullable<Models["model"]>): readonly string[] {
  const rule = cacheRule === null ? "no cache rule" : `cache rule ${cacheRule}`
  return [`${id} is set by ${from}: ${toolFormat} tools, price ${price}, ${rule}`]
}

/** Wraps sentences with an indent; rows of the table fit unchanged. */
function wrappedLines(text: string, columns: number): readonly string[] {
  if (text.length <= columns || text.includes("  ")) return [text]
  const [first = "", ...rest] = wrap(text, columns - 2)
  return [first, ...rest.map((line) => `  ${line}`)]
}
