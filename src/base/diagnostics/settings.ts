// About incipit.yaml, frontmatter and other data that people write, and about the people and places that it names.
import type { Trust } from "../trust.ts"
import { type At, didYouMean, error, hint, type In, warning } from "./kind.ts"

export const SETTING_DIAGNOSTICS = {
  "bad-frontmatter": error((d: At & { readonly problem: string }) => `invalid frontmatter: ${d.problem}`),
  "loose-frontmatter": warning(
    (d: At & { readonly problem: string }) =>
      `the frontmatter isn't valid YAML (${d.problem}), so it was read line by line. Put the value in quotes: stricter programs refuse it.`,
  ),
  "unknown-yaml-tag": warning(
    (d: At & { readonly tag: string }) =>
      `unknown YAML tag ${d.tag}. The value is read without it, and nothing is run.`,
  ),
  "bad-json": error((d: At & { readonly problem: string }) => `invalid: ${d.problem}`),
  "unknown-task": error((d: In & { readonly task: string }) => `has no task "${d.task}"`),
  "several-agents": warning(
    (d: In & { readonly agents: string }) =>
      `has several agents (${d.agents}), and none of them is "main". Name one with --agent.`,
  ),
  "unknown-trust": error(
    (d: In & { readonly value: string; readonly used: Trust }) =>
      `unknown trust "${d.value}". To be safe, "${d.used}" is used.`,
  ),
  "trust-below-store": warning(
    (d: In & { readonly asked: Trust; readonly least: Trust }) =>
      `asks for the trust "${d.asked}", but its store needs "${d.least}", which is used. To open the whole store, set memory.stores in incipit.yaml.`,
  ),
  "unknown-time-zone": warning(
    (d: In & { readonly value: string }) =>
      `"${d.value}" isn't a time zone, so the clock ignores it. Use a name such as Europe/Stockholm.`,
  ),
  "unknown-key": error(
    (d: At & { readonly key: string; readonly nearest?: string }) =>
      `unknown key "${d.key}"${didYouMean(d.nearest)}`,
  ),
  "tool-key-ignored": warning(
    (d: In & { readonly key: string; readonly tool: string; readonly more: number }) =>
      `"${d.key}" of the tool "${d.tool}"${d.more > 0 ? ` and ${d.more} more` : ""} is ignored: it is no part of a tool's definition that is known here.`,
  ),
  "tool-of-the-provider": hint(
    (d: In & { readonly tool: string }) =>
      `"${d.tool}" is a tool of the provider, which alone knows its definition. It is left out, and not counted.`,
  ),
  "not-of-an-agent": warning(
    (d: In & { readonly key: string }) =>
      `"${d.key}" is ignored here: an agent's own incipit.yaml cannot add rights. Set it in the workspace's incipit.yaml.`,
  ),
  "renamed-key": warning(
    (d: At & { readonly was: string; readonly now: string }) =>
      `"${d.was}" is now written "${d.now}". The old form works in this version only.`,
  ),
  "no-sandbox": warning((d: { readonly problem: string }) => d.problem),
  "unknown-frontmatter-key": warning(
    (d: At & { readonly key: string; readonly nearest?: string }) =>
      `unknown frontmatter key "${d.key}"${didYouMean(d.nearest)}`,
  ),
  "paths-without-effect": warning(
    (d: At & { readonly key: string }) =>
      `"${d.key}" has no effect here: workspace files are always sent. Put rules for paths into .claude/rules.`,
  ),
  "unknown-user": warning(
    (d: { readonly user: string; readonly known: readonly string[] }) =>
      `There is no user "${d.user}" in incipit.yaml (${listOr(d.known, "it lists none")}). The prompt is compiled for a stranger with public trust.`,
  ),
  "unknown-situation": warning(
    (d: { readonly situation: string; readonly known: readonly string[] }) =>
      `There is no situation "${d.situation}" (known: ${d.known.join(", ")}). Its ceiling is public.`,
  ),
  "overlay-missing": error(
    (d: In & { readonly situation: string }) =>
      `file not found. It is the overlay of the situation "${d.situation}".`,
  ),
  "schedule-file-missing": error(
    (_d: In) => "file not found. The schedule runs it; until it exists, its name is sent as the message.",
  ),
  "same-fallback": warning(
    (d: { readonly model: string }) =>
      `fallback_model is "${d.model}", the same as model, so it has no effect. Name another model.`,
  ),
  "unknown-provider": error((d: { readonly problem: string }) => `The model in incipit.yaml: ${d.problem}`),
} as const

function listOr(names: readonly string[], otherwise: string): string {
  return names.length === 0 ? otherwise : `it lists ${names.join(", ")}`
}
