// The table of diagnostics (a table; exempt from the line limit): errors, warnings and hints about the input, as data.
// Every code has its level, its data and its sentence. They are never thrown: the rest of the input still works.
import type { Pace } from "./pace.ts"
import type { Trust } from "./trust.ts"

/**
 * `error`: something that was asked for is not in the prompt, a provider would refuse the request, or text reaches
 * people who may not see it. `warning`: the prompt differs from what its author probably expects. `hint`: it could be
 * shorter, cheaper or more portable.
 */
export const LEVELS = ["error", "warning", "hint"] as const
export type DiagnosticLevel = (typeof LEVELS)[number]

interface Kind<D> {
  readonly level: DiagnosticLevel
  readonly sentence: (data: D) => string
}

function error<D>(sentence: (data: D) => string): Kind<D> {
  return { level: "error", sentence }
}

function warning<D>(sentence: (data: D) => string): Kind<D> {
  return { level: "warning", sentence }
}

function hint<D>(sentence: (data: D) => string): Kind<D> {
  return { level: "hint", sentence }
}

interface In {
  readonly path: string
}

interface At extends In {
  readonly line: number
}

const DIAGNOSTICS = {
  "required-over-budget": error(
    (d: { readonly fit: "head" | "tail"; readonly budget: number; readonly tokens: number }) =>
      `The required sections take ${d.tokens} tokens, more than the ${d.fit} budget of ${d.budget}. They are sent whole and everything else is dropped. Raise budget.${d.fit}, or lower the priority of a section.`,
  ),
  "section-dropped": warning(
    (d: { readonly id: string; readonly overBy: number }) =>
      `The section "${d.id}" was dropped: it is ${d.overBy} tokens too long for the room that was left.`,
  ),
  "section-cut": warning(
    (d: { readonly id: string; readonly from: number; readonly to: number }) =>
      `The section "${d.id}" was truncated from ${d.from} to ${d.to} tokens to fit.`,
  ),
  "on-change-without-effect": warning(
    (d: { readonly id: string; readonly onChange: string; readonly use: string }) =>
      `The section "${d.id}" cannot have the on_change "${d.onChange}"; for this section, use ${d.use}. The setting was ignored.`,
  ),
  "no-cache-rule": hint(
    (d: { readonly model: string }) =>
      `No cache rule is known for the model "${d.model}", so requests get no cache marks. Check its name, or add a rule: cache.rules in incipit.yaml, the option rule in code.`,
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
  "moving-text": warning(
    (d: { readonly id: string; readonly block: number; readonly offset: number; readonly tokens: number }) =>
      `This layout puts "${d.id}", which changes with every turn, into the head. From there on, ${d.tokens} tokens and the whole conversation are never read from the cache.`,
  ),
  "source-unavailable": warning(
    (d: In & { readonly reason: string }) =>
      `cannot be read right now (${d.reason}). It counts as unchanged, not as deleted.`,
  ),
  "update-not-sent": warning(
    (d: { readonly id: string; readonly tokens: number }) =>
      `The section "${d.id}" changed, but the change takes ${d.tokens} tokens and the tail has no room for it. The next turn tries again.`,
  ),
  "file-too-large": error(
    (d: In & { readonly bytes: number; readonly limit: number }) =>
      `has ${d.bytes} bytes; files of up to ${d.limit} bytes are read. It was left out.`,
  ),
  "not-a-regular-file": warning((_d: In) => "is not a regular file. It was left out."),
  "foreign-file": warning(
    (_d: In) =>
      "belongs to another user and is in a folder that anyone can write to. It was left out. Move it or change its owner.",
  ),
  "memory-link": warning(
    (_d: In) =>
      "is a link. Memory is read from real files and folders only, so it was left out. Move the files there.",
  ),
  "outside-roots": warning(
    (d: In & { readonly target: string }) =>
      `leads outside the folders that may be read, to ${d.target}. It was left out.`,
  ),
  "no-matching-files": warning((d: In & { readonly isGlob: boolean }) =>
    d.isGlob
      ? "matches no file."
      : "has no Markdown files. To read other files, use a glob that names them, such as *.txt.",
  ),
  "not-markdown": hint(
    (d: In & { readonly glob: string }) =>
      `is not Markdown, so it was left out. To read all files, use the glob ${d.glob}`,
  ),
  "folder-too-large": warning(
    (_d: In) => "has too many files or too deep folders to look through all of them. Use a narrower glob.",
  ),
  "file-gone": warning(
    (_d: In) => "cannot be found: it is a broken link, or was just deleted. It was left out.",
  ),
  "not-text": error(
    (_d: In) =>
      "contains NUL bytes, so it is a binary file or not in UTF-8. It was left out. Save it as UTF-8 text.",
  ),
  "key-without-effect": warning(
    (d: In & { readonly key: string }) =>
      `"${d.key}" has no effect in a section of several files. Give the file a section of its own, or set it in the options of files().`,
  ),
  "state-file": warning(
    (_d: In) => "belongs to the state of an agent, which is never sent. It was left out.",
  ),
  "invalid-utf8": warning((_d: In) => "is not valid UTF-8. Invalid bytes are sent as U+FFFD."),
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
  "unknown-key": warning(
    (d: At & { readonly key: string; readonly nearest?: string }) =>
      `unknown key "${d.key}"${didYouMean(d.nearest)}`,
  ),
  "not-of-an-agent": warning(
    (d: In & { readonly key: string }) =>
      `"${d.key}" is ignored here: an agent's own incipit.yaml can only set "model". Set it in the workspace's incipit.yaml.`,
  ),
  "renamed-key": warning(
    (d: At & { readonly was: string; readonly now: string }) =>
      `"${d.was}" is now written "${d.now}". The old form works in this version only.`,
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
  "unknown-section": warning(
    (d: { readonly id: string; readonly profile: string; readonly nearest?: string }) =>
      `incipit.yaml names the section "${d.id}", which the profile ${d.profile} does not have${didYouMean(d.nearest)}`,
  ),
  "legacy-files": hint(
    (d: In & { readonly target: string }) =>
      `is an old file that ${d.target} replaces. It is sent as part of the base; move its text to ${d.target}.`,
  ),
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
      `the standard for skills doesn't define ${d.keys}, and strict programs refuse such a skill. Move the fields under metadata.`,
  ),
  "skill-name-invalid": hint(
    (d: At & { readonly name: string; readonly problem: string }) =>
      `the skill's name "${d.name}" ${d.problem}. It is listed anyway.`,
  ),
  "skill-name-taken": warning(
    (d: In & { readonly name: string; readonly by: string }) =>
      `is not listed, because ${d.by} has a skill "${d.name}" already`,
  ),
  "file-shadowed": warning((d: In & { readonly by: string }) => `is ignored because ${d.by} takes its place`),
  "import-missing": warning(
    (d: At & { readonly target: string }) =>
      `imports ${d.target}, which does not exist. The line is sent as written.`,
  ),
  "import-outside": warning(
    (d: At & { readonly target: string }) =>
      `imports ${d.target}, which is outside the folders that may be read. The line is sent as written.`,
  ),
  "import-too-deep": warning(
    (d: At & { readonly target: string; readonly limit: number }) =>
      `imports ${d.target}, which is more than ${d.limit} imports deep. The line is sent as written.`,
  ),
  "import-cycle": warning(
    (d: At & { readonly target: string }) =>
      `imports ${d.target}, which imports this file. The line is sent as written.`,
  ),
  "too-many-files": warning(
    (d: In & { readonly limit: number }) => `has more than ${d.limit} files. The rest was not read.`,
  ),
  "invisible-characters": warning(
    (d: At & { readonly kinds: string; readonly count: number }) =>
      `has ${d.count} invisible characters (${d.kinds}), the first of them here`,
  ),
  "invisible-removed": warning(
    (d: At & { readonly kinds: string; readonly count: number }) =>
      `has ${d.count} invisible characters (${d.kinds}), the first of them here. They were removed.`,
  ),
  "looks-like-injection": warning(
    (d: At & { readonly phrase: string }) =>
      `says "${d.phrase}", which reads like a prompt injection. It was not removed; check it.`,
  ),
  "control-characters": warning(
    (d: At & { readonly count: number; readonly kinds: string }) =>
      `has ${d.count} control characters (${d.kinds}), the first of them here. They were removed.`,
  ),
  "escaped-characters": warning(
    (_d: At) => "a value contains escaped control characters or hidden text. They were removed.",
  ),
  "comment-not-closed": warning((_d: At) => "a comment begins with <!-- and has no -->. It is sent as text."),
  "nul-characters": warning(
    (d: At & { readonly count: number }) =>
      `has ${d.count} NUL characters, the first of them here. They were removed.`,
  ),
  "very-long-line": hint(
    (d: At & { readonly length: number }) =>
      `has a line of ${d.length} characters. Texts are truncated by whole lines, so it is sent whole or not at all.`,
  ),
  "duplicate-paragraph": hint(
    (d: At & { readonly other: string; readonly otherLine: number; readonly paragraphs: number }) =>
      `repeats ${d.other}:${d.otherLine}${morePlaces(d.paragraphs - 1)}. You pay for both.`,
  ),
  "moving-text-in-file": warning(
    (d: At & { readonly what: string }) =>
      `contains ${d.what}. Text that changes invalidates the cache of everything after it.`,
  ),
  "names-absent-tool": warning(
    (d: At & { readonly tool: string }) => `names the tool "${d.tool}", which is not available`,
  ),
  "unknown-frontmatter-key": warning(
    (d: At & { readonly key: string; readonly nearest?: string }) =>
      `unknown frontmatter key "${d.key}"${didYouMean(d.nearest)}`,
  ),
  secret: error(
    (d: At & { readonly kind: string }) =>
      `seems to contain a secret (${d.kind}), which would be sent to the model`,
  ),
  "past-codex-limit": hint(
    (d: In & { readonly together: number; readonly bytes: number; readonly limit: number }) =>
      `${d.together === 1 ? "" : "with the other AGENTS.md files, it "}has ${d.bytes} bytes. Codex reads the first ${d.limit} and ignores the rest.`,
  ),
  "chain-too-long": hint(
    (d: In & { readonly together: number; readonly tokens: number; readonly limit: number }) =>
      `${d.together === 1 ? "" : "with the other project context files, it "}takes ${d.tokens} tokens, more than ${d.limit}. Every session pays for them.`,
  ),
  leak: error(
    (d: In & { readonly situation: string; readonly trust: Trust }) =>
      `needs ${d.trust} trust but is sent in the situation "${d.situation}"`,
  ),
  "lock-differs": error(
    (d: In & { readonly change: string }) => `${d.change} since incipit.lock was written`,
  ),
  "over-budget": error(
    (d: { readonly tokens: number; readonly budget: number }) =>
      `The prompt takes ${d.tokens} tokens; ${d.budget} are allowed.`,
  ),
  "git-unavailable": warning(
    (d: In & { readonly reason: string }) => `git's state cannot be read (${d.reason})`,
  ),
  "too-many-breakpoints": error(
    (d: { readonly count: number; readonly allowed: number }) =>
      `The request has ${d.count} cache breakpoints and the provider allows ${d.allowed}. It would be refused.`,
  ),
  "breakpoint-not-allowed": error(
    (d: { readonly tier: string }) =>
      `The request has a cache breakpoint in its ${d.tier}, where the provider allows none. It would be refused.`,
  ),
  "breakpoint-without-effect": warning(
    (d: { readonly rule: string }) => `The request has a cache breakpoint, which ${d.rule} ignores.`,
  ),
  "breakpoints-ignored": warning(
    (d: { readonly count: number; readonly allowed: number }) =>
      `The request has ${d.count} cache breakpoints of its own and the provider uses ${d.allowed}. All but the last ${d.allowed} are ignored.`,
  ),
  "ttl-order": error(
    (d: { readonly ttl: string; readonly before: string }) =>
      `A cache breakpoint with a TTL of ${d.ttl} comes after one of ${d.before}. Put longer TTLs first, or the provider refuses the request.`,
  ),
  "unknown-ttl": error(
    (d: { readonly ttl: string; readonly known: string }) =>
      `A cache breakpoint has a TTL of ${d.ttl}; the provider offers ${d.known}.`,
  ),
  "empty-text-block": error(
    (d: { readonly tier: string }) =>
      `The request has an empty text block in its ${d.tier}. It would be refused.`,
  ),
  "late-system": error(
    (d: { readonly tokens: number }) =>
      `The request has ${d.tokens} tokens of system text after the conversation began. It would be refused.`,
  ),
  "below-minimum": hint(
    (d: { readonly tokens: number; readonly minimum: number; readonly rule: string }) =>
      `A prefix of ${d.tokens} tokens is not cached: ${d.rule} caches prefixes of ${d.minimum} tokens or more. It is sent at full price.`,
  ),
  "text-after-moving": warning(
    (d: { readonly tokens: number; readonly tier: string }) =>
      `${d.tokens} tokens are the same as in the previous call but come after ${d.tier} text that changed. They are not read from the cache.`,
  ),
  "tools-changed": warning(
    (d: { readonly tokens: number }) =>
      `The tools differ from the previous call, so the ${d.tokens} tokens that both calls share are cached again.`,
  ),
  "tools-reordered": warning(
    (d: { readonly tokens: number }) =>
      `The tools are in another order than in the previous call, so the ${d.tokens} tokens that both calls share are cached again.`,
  ),
  "setting-changed": warning(
    (d: { readonly name: string; readonly tier: string; readonly tokens: number }) =>
      `The setting ${d.name} differs from the previous call, so from the ${d.tier} on, the ${d.tokens} tokens that both calls share are cached again.`,
  ),
  "beyond-look-back": warning(
    (d: { readonly blocks: number; readonly lookBack: number }) =>
      `The previous call's last breakpoint is ${d.blocks} blocks back and the provider looks back ${d.lookBack}. The conversation is cached again.`,
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
  "no-files": hint(
    (_d: In) =>
      "has no instructions: no AGENTS.md, CLAUDE.md, SOUL.md or skills, here or in the working directory. The prompt has only the bundled texts; `incipit init` writes a first set of files.",
  ),
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
  "prompt-file-missing": error((_d: In) => "file not found. It is named under prompt.files."),
  "schedule-file-missing": error(
    (_d: In) => "file not found. The schedule runs it; until it exists, its name is sent as the message.",
  ),
  "native-left-out": warning(
    (d: { readonly format: string; readonly type: string; readonly count: number }) =>
      `${d.count === 1 ? `A part of the conversation (${d.type}) isn't` : `${d.count} parts of the conversation (${d.type}) aren't`} in the request: only the ${d.format} format can send ${d.count === 1 ? "it" : "them"}. Say in text what matters, or render with that format.`,
  ),
  "unknown-provider": error((d: { readonly problem: string }) => `The model in incipit.yaml: ${d.problem}`),
  "paths-without-effect": warning(
    (d: At & { readonly key: string }) =>
      `"${d.key}" has no effect here: workspace files are always sent. Put rules for paths into .claude/rules.`,
  ),
} as const

export type Code = keyof typeof DIAGNOSTICS

/**
 * Something that is wrong with the input but stops nothing; `sentence` puts it into words. `needs`: the trust required
 * to see it, so that a diagnostic about a hidden file is as hidden as the file. `others`: how many more files of the
 * folder have the same problem, when one diagnostic covers all of them.
 */
export type Diagnostic = {
  readonly [C in Code]: {
    readonly code: C
    readonly needs?: Trust
    readonly others?: number
  } & Parameters<(typeof DIAGNOSTICS)[C]["sentence"]>[0]
}[Code]

/** A diagnostic as one line for people: where, then what. */
export function sentence(diagnostic: Diagnostic): string {
  // The table's key and the diagnostic's code are the same, which the index type cannot express.
  const write = DIAGNOSTICS[diagnostic.code].sentence as (data: Diagnostic) => string
  const { others } = diagnostic
  const also = others === undefined ? "" : ` (the same in ${others} other files of the folder)`
  return `${place(diagnostic)}${write(diagnostic)}${also}`
}

export function levelOf({ code }: Diagnostic): DiagnosticLevel {
  return DIAGNOSTICS[code].level
}

function place(diagnostic: Diagnostic): string {
  if (!("path" in diagnostic)) return ""
  return "line" in diagnostic ? `${diagnostic.path}:${diagnostic.line}: ` : `${diagnostic.path}: `
}

function morePlaces(count: number): string {
  if (count === 0) return ""
  return count === 1
    ? ", and another paragraph is repeated too"
    : `, and ${count} more paragraphs are repeated too`
}

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? "" : `. Did you mean "${nearest}"?`
}

function listOr(names: readonly string[], otherwise: string): string {
  return names.length === 0 ? otherwise : `it lists ${names.join(", ")}`
}

export const CODES = Object.keys(DIAGNOSTICS).sort() as readonly Code[]
