// About what extends an agent: skills, workflows, plans and hooks.
import { type At, didYouMean, error, hint, type In, warning } from "./kind.ts"

export const EXTENSION_DIAGNOSTICS = {
  "skill-without-description": warning((d: In & { readonly listed?: true }) =>
    d.listed === true
      ? "the skill has no description, so its first line is listed instead. Say in its frontmatter what it does and when to use it."
      : "the skill has no description, so the model could not know when to use it. It was left out.",
  ),
  "skill-without-name": hint(
    (d: In & { readonly name: string }) =>
      `the skill has no name, so it is listed by its folder's name, "${d.name}". The standard requires one, and some programs refuse the skill.`,
  ),
  "skill-description-long": warning(
    (d: At & { readonly characters: number; readonly limit: number }) =>
      `the skill's description has ${d.characters} characters and the standard allows ${d.limit}. Some programs refuse the skill, and every session pays for it.`,
  ),
  "skill-field-unknown": hint(
    (d: At & { readonly keys: string }) =>
      `the standard for skills doesn't define ${d.keys}, and strict programs refuse such a skill. Such fields belong under metadata.`,
  ),
  "skill-name-invalid": hint(
    (d: At & { readonly name: string; readonly problem: string }) =>
      `the skill's name "${d.name}" ${d.problem}. It is listed anyway.`,
  ),
  "skill-name-taken": warning(
    (d: In & { readonly name: string; readonly by: string }) =>
      `is not listed, because ${d.by} has a skill "${d.name}" already`,
  ),
  "bad-workflow": error((d: At & { readonly problem: string }) => d.problem),
  "workflow-name-taken": warning(
    (d: In & { readonly by: string }) => `is ignored because ${d.by} has the same workflow name`,
  ),
  "workflow-missing": warning(
    (_d: In) => "is in progress, but the workflow no longer exists. Its position is kept.",
  ),
  "bad-plan": error(
    (d: In & { readonly problem: string }) => `is not a valid plan: ${d.problem}. It was left out.`,
  ),
  "plan-edited": warning((_d: In) => "was edited after it was approved. Approve it again."),
  "hook-missing": error(
    (d: In) =>
      `not found. It is named under hooks${/^\.{0,2}[/\\]/.test(d.path) ? "" : ", so there must be a package of that name; to name a file, begin with ./"}.`,
  ),
  "hook-named-twice": hint((_d: In) => "is named twice under hooks. It runs once."),
  "hook-imports-outside": error(
    (d: In & { readonly target: string }) =>
      `imports ${d.target}, which is outside its folder. It was not loaded.`,
  ),
  "hook-not-loaded": error((d: In & { readonly reason: string }) => `cannot be loaded: ${d.reason}`),
  "hook-exports-nothing": warning(
    (_d: In) => "exports no hook, neither as its default nor by name. It does nothing.",
  ),
  "unknown-hook": warning(
    (d: In & { readonly name: string; readonly nearest?: string }) =>
      `exports "${d.name}", which isn't a hook${didYouMean(d.nearest)}`,
  ),
  "waits-for-approval": hint(
    (d: In & { readonly what: string; readonly name: string }) =>
      `the ${d.what} ${d.name} is not used until you approve it: incipit hooks approve`,
  ),
} as const
