// An agent from a prompt of `definePrompt`: the same sections, files and limits as in a chat. What its sections need is
// asked for every turn, and their texts are made by the code that makes those of a chat.
import { isDeepStrictEqual } from "node:util"
import type { PeopleLimit } from "../../approval/approved-people.ts"
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { checkKeys } from "../../core/compile/check-options.ts"
import type { Tool } from "../../core/model/inputs.ts"
import { feed } from "../../core/model/section-input.ts"
import type { PromptDefinition } from "../../prompt/chat-kit.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import { SESSION_TEXTS, TURN_TEXTS, writeTexts } from "../../prompt/definition.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"
import type { AgentOptions, InputQuestion, InputSource } from "./agent.ts"

/** What a prompt replaces. */
type Described = "workspace" | "agent" | "profile" | "prompt" | "inputs"

/** What `openAgent` takes with a prompt of `definePrompt`. `Session`, `Turn`: the inputs that its sections need. */
export type PromptAgentOptions<Session extends object, Turn extends object> = Omit<
  AgentOptions,
  Described
> & {
  /** Its sections are the prompt. Each of its tools must also be in `tools`, made with `defineTool`. */
  readonly prompt: DefinedPrompt<Session, Turn>
  readonly workspace?: undefined
  readonly agent?: undefined
  readonly profile?: undefined
} & InputsOption<NoInfer<Session>, NoInfer<Turn>>

type InputsOption<Session extends object, Turn extends object> = [keyof Session | keyof Turn] extends [never]
  ? { readonly inputs?: PromptInputSource<Session, Turn> }
  : { readonly inputs: PromptInputSource<Session, Turn> }

/**
 * What the sections of a prompt need: `session` for those of `perSession`, `turn` for those of `perTurn`, each only if
 * there is something to pass. Called for every turn and every preview, so they must have no effects. If one throws,
 * `send` rejects with the error and nothing is sent to the model; the message is retried from the queue.
 */
export type PromptInputSource<Session extends object, Turn extends object> = Asked<
  "session",
  InputQuestion,
  Session
> &
  Asked<"turn", InputQuestion & { readonly message: string }, Turn>

type Asked<Name extends string, Question, Inputs extends object> = [keyof Inputs] extends [never]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: Answer<Question, Inputs> }

type Answer<Question, Inputs> = (who: Question) => Inputs | Promise<Inputs>

/** The options of an agent, whatever describes it. */
export interface DescribedOptions extends AgentOptions {
  /** The prompt that `profile` is of. */
  readonly definition?: PromptDefinition
  /** For an agent that is served: limits who has which trust to what was approved. */
  readonly people?: PeopleLimit
}

/** The same options with a profile and its inputs in the place of the prompt. */
export function fromPrompt({ prompt, inputs, ...options }: GivenPrompt): DescribedOptions {
  checkAlone(options)
  const definition = definitionOf(prompt)
  checkRunnable(definition.agent.tools, options.tools ?? [])
  return { ...options, profile: definition.profile, definition, inputs: sourceFor(definition, inputs ?? {}) }
}

/** A prompt with any inputs. */
interface GivenPrompt extends Omit<AgentOptions, Described> {
  readonly prompt: Pick<DefinedPrompt<object, object>, "definition">
  readonly inputs?: AnySource
}

interface AnySource {
  readonly session?: Answer<InputQuestion, object> | undefined
  readonly turn?: Answer<InputQuestion & { readonly message: string }, object> | undefined
}

function sourceFor(definition: PromptDefinition, given: AnySource): InputSource {
  checkSource(definition, given)
  return {
    session: async (who) => {
      const inputs = checkInputs("session", (await given.session?.(who)) ?? {})
      return { ...inputs, ...feed(SESSION_TEXTS, writeTexts(definition, "session", inputs)) }
    },
    turn: async (who) => {
      const inputs = checkInputs("turn", (await given.turn?.(who)) ?? {})
      return feed(TURN_TEXTS, writeTexts(definition, "turn", inputs))
    },
  }
}

const OTHERS = ["workspace", "agent", "profile"]

/** The types exclude most mistakes from here on, but a program may be written in JavaScript. */
function checkAlone(options: object): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const [other] = given.map(([name]) => name).filter((name) => OTHERS.includes(name))
  if (other !== undefined)
    throw badOption(
      `openAgent has both the option prompt and the option ${other}; pass one of them: a prompt describes the whole agent`,
    )
}

function definitionOf(prompt: GivenPrompt["prompt"]): PromptDefinition {
  const given: unknown = prompt
  if (!isRecord(given) || !isRecord(given.definition))
    throw badOption("the option prompt of openAgent must be what definePrompt returns")
  const { definition } = prompt
  if (definition.counter.name !== o200k.name)
    throw badOption(
      `the prompt counts tokens with "${definition.counter.name}", but an agent counts with o200k; define it without a counter`,
    )
  return definition
}

/** What the model reads about a tool, and who may call it. */
const READ = ["description", "parameters", "promptSnippet", "promptGuidelines", "trust"] as const

/** A tool of the prompt that nobody runs, or another one of its name, would make the prompt say what isn't so. */
function checkRunnable(wanted: readonly Tool[], runnable: readonly RunnableTool[]): void {
  for (const tool of wanted) {
    const found = runnable.find(({ name }) => name === tool.name)
    if (found === undefined)
      throw badOption(
        `the prompt has the tool "${tool.name}", which openAgent cannot run; pass it in tools, made with defineTool`,
      )
    const other = READ.find((field) => !isDeepStrictEqual(tool[field], found[field]))
    if (other !== undefined)
      throw badOption(
        `the tool "${tool.name}" has another ${other} in the prompt than in tools; pass the same tool to both`,
      )
  }
}

/** A section that gets nothing would be left out, and nobody would know why. */
function checkSource({ sections }: PromptDefinition, given: AnySource): void {
  checkKeys("the option inputs of openAgent", Object.keys(given), ["session", "turn"])
  for (const [id, section] of Object.entries(sections)) {
    if (!("source" in section) || section.source.kind !== "function" || section.pace === "stable") continue
    const { pace, source } = section
    if (source.write.length > 0 && typeof given[pace] !== "function")
      throw badOption(
        `the section "${id}" needs inputs; pass openAgent a function that returns them as inputs.${pace}`,
      )
  }
}

function checkInputs(name: string, inputs: unknown): object {
  if (isRecord(inputs)) return inputs
  throw new IncipitError(
    "bad-input",
    `inputs.${name} of openAgent returned ${Array.isArray(inputs) ? "a list" : `a ${typeof inputs}`}; return an object with the inputs of the sections`,
  )
}

function badOption(problem: string): IncipitError {
  return new IncipitError("bad-option", problem)
}
