// About the prompt itself: budgets, sections, edits by hooks, and the base's placeholders.
import type { Pace } from "../pace.ts"
import { type At, didYouMean, error, hint, type In, warning } from "./kind.ts"

export const PROMPT_DIAGNOSTICS = {
  "required-over-budget": error(
    (d: { readonly fit: "head" | "tail"; readonly budget: number; readonly tokens: number }) =>
      `The required sections take ${d.tokens} tokens, more than the ${d.fit} budget of ${d.budget}. They are sent whole and everything else is dropped. Raise the budget (budget.${d.fit}), or lower the priority of a section.`,
  ),
  "section-dropped": warning(
    (d: { readonly id: string; readonly overBy: number }) =>
      `The section "${d.id}" was dropped: it is ${d.overBy} tokens too long for the room that was left.`,
  ),
  "section-cut": warning(
    (d: { readonly id: string; readonly from: number; readonly to: number }) =>
      `The section "${d.id}" was truncated from ${d.from} to ${d.to} tokens to fit.`,
  ),
  "over-budget": error(
    (d: { readonly tokens: number; readonly budget: number }) =>
      `The prompt takes ${d.tokens} tokens; ${d.budget} are allowed.`,
  ),
  "on-change-without-effect": warning(
    (d: { readonly id: string; readonly onChange: string; readonly use: string }) =>
      `The section "${d.id}" cannot have the on_change "${d.onChange}"; for this section, use ${d.use}. The setting was ignored.`,
  ),
  "update-not-sent": warning(
    (d: { readonly id: string; readonly tokens: number }) =>
      `The section "${d.id}" changed, but the change takes ${d.tokens} tokens and the tail has no room for it. The next turn tries again.`,
  ),
  "moving-text": warning(
    (d: { readonly id: string; readonly block: number; readonly offset: number; readonly tokens: number }) =>
      `This layout puts "${d.id}", which changes with every turn, into the head. From there on, ${d.tokens} tokens and the whole conversation are never read from the cache.`,
  ),
  "edit-bad-id": error(
    (d: { readonly by: string; readonly id: string }) =>
      `${d.by} adds a section with the invalid id "${d.id}". The edit was ignored.`,
  ),
  "edit-without-target": warning(
    (d: { readonly by: string; readonly id: string }) =>
      `${d.by} edits the section "${d.id}", which does not exist.`,
  ),
  "edit-of-slower-text": hint(
    (d: { readonly by: string; readonly id: string; readonly pace: Pace }) =>
      `${d.by} edits the ${d.pace} section "${d.id}" during a turn. The change is appended to the tail, so the cached head stays as it is.`,
  ),
  "edit-id-taken": warning(
    (d: { readonly by: string; readonly id: string }) =>
      `${d.by} adds a section "${d.id}", but that id is taken. The edit was ignored.`,
  ),
  "edit-of-sealed": warning(
    (d: { readonly by: string; readonly id: string; readonly profile: string }) =>
      `${d.by} edits the section "${d.id}", but the profile ${d.profile} is sealed. The edit was ignored.`,
  ),
  "profile-sealed": warning(
    (d: { readonly id: string; readonly profile: string }) =>
      `prompt.sections changes "${d.id}", but the profile ${d.profile} is sealed. The setting was ignored.`,
  ),
  "section-bad-id": error(
    (d: { readonly id: string }) =>
      `"${d.id}" in prompt.sections is not a valid section id. Use letters, digits, "-", "_" and "/".`,
  ),
  "section-file-missing": error(
    (d: In & { readonly id: string }) =>
      `file not found. prompt.sections names it as the text of the section "${d.id}".`,
  ),
  "unknown-section": warning(
    (d: { readonly id: string; readonly profile: string; readonly nearest?: string }) =>
      `incipit.yaml names the section "${d.id}", which the profile ${d.profile} does not have${didYouMean(d.nearest)}`,
  ),
  "template-syntax": error((d: At & { readonly problem: string }) => d.problem),
  "unknown-placeholder": warning(
    (d: At & { readonly name: string }) => `unknown placeholder "${d.name}". It is sent as written.`,
  ),
  "unknown-name": warning(
    (d: At & { readonly name: string }) =>
      `unknown name "${d.name}" in a statement. The text it encloses was left out.`,
  ),
  "turn-placeholder": warning(
    (d: At & { readonly name: string }) =>
      `"${d.name}" changes with every turn and would invalidate the cache from here on. It is sent in the tail instead.`,
  ),
  "faster-placeholder": warning(
    (d: In & { readonly name: string; readonly pace: Pace; readonly tokens: number }) =>
      `"${d.name}" is ${d.pace} text in the middle of the base. The ${d.tokens} tokens of base text after it are cached per session only.`,
  ),
} as const
