// Why something is not in a prompt, in sentences. What would change that is for whoever shows it: a command has flags, a
// program has inputs.
import { reasonOf } from "../../base/system-error.ts"
import type { MissingFact, UnusedReason } from "../view/unused.ts"

/** One or two sentences. */
export function unusedText(why: UnusedReason): string {
  switch (why.kind) {
    case "no-file":
      return noFileText(why)
    case "empty":
      return why.paths.length === 1
        ? `${why.paths[0]} has no text to send.`
        : `${listed(why.paths, "and")} have no text to send.`
    case "no-field":
      return `${why.path} has no ${listed(why.fields, "or")}.`
    case "unavailable":
      return `${why.path} cannot be read right now: ${reasonOf(why.problem)}.`
    case "in-another":
      return why.path.endsWith(".md")
        ? `${why.path} is read for the section ${why.section}.`
        : `What is in ${why.path} is listed in the section ${why.section}.`
    case "replaced":
      return `${why.by} takes its place.`
    case "not-placed":
      return `${why.path} doesn't place it with ${listed(why.placeholders, "or")}.`
    case "not-relevant":
      return `Nothing in ${why.path} has to do with the message.`
    case "no-extensions":
      return "No MCP server or other extension gives instructions."
    case "unsure":
      return "What the message asks for isn't clear enough to say."
    case "switched-off":
      return "It is switched off in prompt.sections."
    case "depends":
      return `It belongs to ${listed(why.on, "and")}, which isn't in the prompt.`
    case "removed":
      return `${why.by} removed it.`
    case "refused-edit":
      return `The edit was refused (${why.code}).`
    case "added-later":
      return "It was added after this version of the prompt began."
    case "next-turn":
      return "It changed during the turn, and is sent with the next one."
    case "built-nothing":
      return "Its own code returned no text for this prompt."
    case "stored":
      return why.text
    default:
      return audienceText(why)
  }
}

type Rest = Extract<
  UnusedReason,
  {
    kind:
      | "about-owner"
      | "as-text"
      | "in-definitions"
      | "input-off"
      | "manual-only"
      | "mode"
      | "needs-tools"
      | "no-fact"
      | "no-tools"
      | "not-configured"
      | "not-fed"
      | "nothing-fed"
      | "other-audience"
      | "other-channel"
  }
>

/** Reasons that lie in who is talking, how, and with which tools and inputs. */
function audienceText(why: Rest): string {
  switch (why.kind) {
    case "other-audience":
      return `${why.path ?? "It"} is only for the ${why.of} ${listed(why.only, "or")}; this one is ${why.is}.`
    case "other-channel":
      return `It is only for ${listed(why.only, "or")}, and ${why.is === "" ? "no channel is set" : `this channel is ${why.is}`}.`
    case "mode":
      return `The mode ${why.mode} leaves it out.`
    case "no-tools":
      return "No tools are registered."
    case "needs-tools":
      return needsToolsText(why)
    case "in-definitions":
      return IN_DEFINITIONS[why.what]
    case "as-text":
      return "Written into the prompt, because the model has no tool calling."
    case "manual-only":
      return `Only a person can start ${why.count === 1 ? "the only skill" : `the ${why.count} skills`} (disable-model-invocation).`
    case "not-fed":
      return `A running agent fills it (input "${why.input}").`
    case "nothing-fed":
      return `The input "${why.input}" has nothing for this turn.`
    case "input-off":
      return `The input "${why.input}" switches it off.`
    case "no-fact":
      return NO_FACT[why.fact]
    case "about-owner":
      return `${why.path} is about the owner, and this is someone else.`
    case "not-configured":
      return `incipit.yaml doesn't set ${why.setting}.`
  }
}

const IN_DEFINITIONS: Readonly<Record<Extract<UnusedReason, { kind: "in-definitions" }>["what"], string>> = {
  tools: "The request has the tools' definitions, and no tool adds a line to its own.",
  guidelines: "None of the registered tools has guidelines.",
  "call-format": "The model calls tools natively, so it needs no instructions for that.",
}

const NO_FACT: Readonly<Record<MissingFact, string>> = {
  background: "Somebody reads the answer: this isn't a run in the background.",
  channel: "The message comes from no channel.",
  directory: "There is no working directory.",
  documentation: "No installed pi was found, so it isn't known where its documentation is.",
  environment: "Nothing is known about the machine.",
  git: "The working directory isn't in a Git repository, or its state wasn't read.",
  message: "There is no message.",
  person: "It is read for a person with a name, and this one has none.",
  "plan-mode": "The agent isn't in plan mode.",
  task: "The conversation isn't about a task.",
}

function noFileText({
  role,
  looked,
  upFrom,
  nearest,
  setting,
}: Extract<UnusedReason, { kind: "no-file" }>): string {
  if (looked.length === 0)
    return setting === undefined
      ? `No file was given for it (role "${role}").`
      : `incipit.yaml names none in ${setting}.`
  const where = upFrom === undefined ? "" : ` in ${upFrom} or the folders above it`
  const missing = `There is no ${listed(looked, "or")}${where}.`
  return nearest === undefined ? missing : `${missing} Did you mean ${nearest}?`
}

function needsToolsText({ tools, least, idle }: Extract<UnusedReason, { kind: "needs-tools" }>): string {
  if (idle === undefined) {
    return least === 1
      ? `No tool is registered that it is about (${listed(tools, "or")}).`
      : `It needs ${least} of the tools ${listed(tools, "and")}.`
  }
  const what = idle.count === 1 ? `1 ${idle.what} isn't` : `${idle.count} ${idle.what}s aren't`
  return `${what} listed, because no tool can open ${idle.count === 1 ? "it" : "them"} (${listed(tools, "or")}).`
}

function listed(items: readonly string[], word: "and" | "or"): string {
  const last = items.at(-1) ?? ""
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${word} ${last}`
}
