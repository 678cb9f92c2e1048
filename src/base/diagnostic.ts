// Findings about the input, as data. One table holds every code with its data and its sentence. Findings are never
// thrown: the rest of the input still works.
import type { Pace } from "./pace.ts"
import type { Trust } from "./trust.ts"

interface In {
  readonly path: string
}

const SENTENCES = {
  "required-over-budget": (d: {
    readonly fit: "head" | "tail"
    readonly budget: number
    readonly tokens: number
  }) =>
    `required text alone takes ${d.tokens} tokens, more than the ${d.fit}'s budget of ${d.budget}; it is kept whole and everything else is left out. Raise budget.${d.fit}, or give a section a need below required.`,
  "section-dropped": (d: { readonly id: string; readonly overBy: number }) =>
    `there was no room for the section "${d.id}": it is ${d.overBy} tokens too long for what was left`,
  "section-cut": (d: { readonly id: string; readonly from: number; readonly to: number }) =>
    `the section "${d.id}" was cut from ${d.from} to ${d.to} tokens to fit`,
  "edit-bad-id": (d: { readonly by: string; readonly id: string }) =>
    `${d.by} adds a section "${d.id}", which cannot be an id; the edit was left out`,
  "edit-without-target": (d: { readonly by: string; readonly id: string }) =>
    `${d.by} edits the section "${d.id}", which does not exist`,
  "edit-of-slower-text": (d: { readonly by: string; readonly id: string; readonly pace: Pace }) =>
    `${d.by} edits the ${d.pace} section "${d.id}" during a turn; it is told as an update in the tail, the head keeps its bytes`,
  "edit-id-taken": (d: { readonly by: string; readonly id: string }) =>
    `${d.by} adds a section "${d.id}", but there is one already; the edit was left out`,
  "edit-of-sealed": (d: { readonly by: string; readonly id: string; readonly profile: string }) =>
    `${d.by} edits the section "${d.id}", but the profile ${d.profile} is sealed; the edit was left out`,
  "profile-sealed": (d: { readonly id: string; readonly profile: string }) =>
    `prompt.sections changes "${d.id}", but the profile ${d.profile} is sealed; it stays as it is`,
  "section-bad-id": (d: { readonly id: string }) =>
    `prompt.sections has a section "${d.id}", which cannot be an id: use letters, digits, "-", "_" and "/"`,
  "section-file-missing": (d: In & { readonly id: string }) =>
    `is to be the section "${d.id}" (prompt.sections), but there is no such file`,
  "template-syntax": (d: In & { readonly line: number; readonly problem: string }) => d.problem,
  "unknown-placeholder": (d: In & { readonly line: number; readonly name: string }) =>
    `unknown placeholder "${d.name}"; it stays in the text as written`,
  "unknown-name": (d: In & { readonly line: number; readonly name: string }) =>
    `unknown name "${d.name}" in a statement; what it encloses was left out`,
  "turn-placeholder": (d: In & { readonly line: number; readonly name: string }) =>
    `"${d.name}" changes with every turn and would void the cache of all that follows; it is told in the tail instead`,
  "faster-placeholder": (d: In & { readonly name: string; readonly pace: Pace; readonly tokens: number }) =>
    `"${d.name}" is ${d.pace} text in the middle of the base: the ${d.tokens} tokens of base text after it are cached per session only`,
  "moving-text": (d: {
    readonly id: string
    readonly block: number
    readonly offset: number
    readonly tokens: number
  }) =>
    `this layout puts "${d.id}", which changes with every turn, into the head: from there on ${d.tokens} tokens, and the whole conversation, are never read from the cache`,
  "source-unavailable": (d: In & { readonly reason: string }) =>
    `cannot be read now (${d.reason}); it counts as unchanged, not as gone`,
  "update-not-told": (d: { readonly id: string; readonly tokens: number }) =>
    `"${d.id}" changed, but telling it takes ${d.tokens} tokens and the tail has no room; it is tried again next turn`,
  "file-too-large": (d: In & { readonly bytes: number; readonly limit: number }) =>
    `has ${d.bytes} bytes, more than the ${d.limit} that are read; it was left out`,
  "not-a-regular-file": (_d: In) => "is not a regular file; it was left out",
  "foreign-file": (_d: In) =>
    "belongs to another user and is in a folder that anybody can write to; it was left out. Move it or change its owner.",
  "memory-link": (_d: In) =>
    "is a link; memory is read from real files and folders only, so it was left out. Move the files there.",
  "outside-roots": (d: In & { readonly target: string }) =>
    `leads outside the workspace, to ${d.target}; it was left out`,
  "invalid-utf8": (_d: In) => "is not valid UTF-8; what could not be read stands as U+FFFD",
  "bad-frontmatter": (d: In & { readonly line: number; readonly problem: string }) =>
    `there is a mistake in the frontmatter: ${d.problem}`,
  "loose-frontmatter": (d: In & { readonly line: number; readonly problem: string }) =>
    `the frontmatter isn't valid YAML (${d.problem}), so it was read line by line. Put the value in quotes: stricter programs refuse it.`,
  "unknown-yaml-tag": (d: In & { readonly line: number; readonly tag: string }) =>
    `has the YAML tag ${d.tag}, which means nothing here; its value is read without it, and nothing is run`,
  "bad-json": (d: In & { readonly line: number; readonly problem: string }) =>
    `cannot be understood: ${d.problem}`,
  "unknown-task": (d: In & { readonly task: string }) => `has no task "${d.task}"`,
  "several-agents": (d: In & { readonly agents: string }) =>
    `has several agents (${d.agents}) and none of them is "main"; name one with --agent`,
  "unknown-trust": (d: In & { readonly value: string; readonly used: Trust }) =>
    `unknown trust "${d.value}"; "${d.used}" is used, the safe side`,
  "trust-below-store": (d: In & { readonly asked: Trust; readonly least: Trust }) =>
    `is opened to "${d.asked}", but its store needs "${d.least}", so that holds. To open the whole store, set memory.stores in incipit.yaml.`,
  "unknown-time-zone": (d: In & { readonly value: string }) =>
    `"${d.value}" isn't a time zone, so the clock ignores it. Use a name such as Europe/Stockholm.`,
  "unknown-key": (d: In & { readonly line: number; readonly key: string; readonly nearest?: string }) =>
    `unknown key "${d.key}"${d.nearest === undefined ? "" : `; did you mean "${d.nearest}"?`}`,
  "not-of-an-agent": (d: In & { readonly key: string }) =>
    `"${d.key}" is ignored here: of an agent's own incipit.yaml only "model" counts. Set it in the workspace's incipit.yaml.`,
  "unknown-user": (d: { readonly user: string; readonly known: readonly string[] }) =>
    `no user "${d.user}" in incipit.yaml (${listOr(d.known, "it names none")}); the prompt is made for a stranger with public trust`,
  "unknown-situation": (d: { readonly situation: string; readonly known: readonly string[] }) =>
    `there is no situation "${d.situation}" (there are ${d.known.join(", ")}); its ceiling is public`,
  "overlay-missing": (d: In & { readonly situation: string }) =>
    `is the overlay of the situation "${d.situation}", but there is no such file`,
  "unknown-section": (d: { readonly id: string; readonly profile: string; readonly nearest?: string }) =>
    `incipit.yaml speaks of the section "${d.id}", which the profile ${d.profile} does not have${d.nearest === undefined ? "" : `; did you mean "${d.nearest}"?`}`,
  "legacy-files": (d: In & { readonly target: string }) =>
    `is from before there was a ${d.target}; it stands in the base, and can be moved there`,
  "skill-without-description": (d: In & { readonly listed?: true }) =>
    d.listed === true
      ? "the skill has no description, so its first line is listed instead. Say in its frontmatter what it does and when to use it."
      : "has no description, so nobody could tell when to use it; it was left out",
  "skill-without-name": (d: In & { readonly name: string }) =>
    `the skill has no name, so it is listed as "${d.name}", like its folder. The standard requires one, and some programs refuse the skill.`,
  "skill-description-long": (
    d: In & { readonly line: number; readonly characters: number; readonly limit: number },
  ) =>
    `the skill's description has ${d.characters} characters and the standard allows ${d.limit}: some programs refuse the skill, and every session pays for it`,
  "skill-field-unknown": (d: In & { readonly line: number; readonly keys: string }) =>
    `the standard for skills doesn't know ${d.keys}, and strict programs refuse such a skill. Move the fields under metadata.`,
  "skill-name-invalid": (
    d: In & { readonly line: number; readonly name: string; readonly problem: string },
  ) => `the skill's name "${d.name}" ${d.problem}; it is listed all the same`,
  "skill-name-taken": (d: In & { readonly name: string; readonly by: string }) =>
    `there is a skill "${d.name}" before it, in ${d.by}; this one is not listed`,
  "file-shadowed": (d: In & { readonly by: string }) => `is not read, because ${d.by} takes its place`,
  "import-missing": (d: In & { readonly line: number; readonly target: string }) =>
    `imports ${d.target}, which is not there; the line stays as written`,
  "import-outside": (d: In & { readonly line: number; readonly target: string }) =>
    `imports ${d.target}, which is outside of what may be read; the line stays as written`,
  "import-too-deep": (d: In & { readonly line: number; readonly target: string; readonly limit: number }) =>
    `imports ${d.target}, more than ${d.limit} files deep; the line stays as written`,
  "import-cycle": (d: In & { readonly line: number; readonly target: string }) =>
    `imports ${d.target}, which is being read already; the line stays as written`,
  "too-many-files": (d: In & { readonly limit: number }) =>
    `has more than ${d.limit} files; the rest was not read`,
  "invisible-characters": (
    d: In & { readonly line: number; readonly kinds: string; readonly count: number },
  ) => `has ${d.count} invisible characters (${d.kinds}), the first here`,
  "invisible-removed": (d: In & { readonly line: number; readonly kinds: string; readonly count: number }) =>
    `had ${d.count} invisible characters (${d.kinds}), the first here; they were taken out`,
  "looks-like-injection": (d: In & { readonly line: number; readonly phrase: string }) =>
    `says "${d.phrase}", which reads like an attempt to take over; it was kept, have a look`,
  "control-characters": (d: In & { readonly line: number; readonly count: number; readonly kinds: string }) =>
    `had ${d.count} control characters (${d.kinds}), the first here; they were taken out`,
  "escaped-characters": (_d: In & { readonly line: number }) =>
    "a value brings in control characters or hidden text by an escape; they were taken out",
  "comment-not-closed": (_d: In & { readonly line: number }) =>
    "a comment is opened with <!-- and never closed with -->; it is sent as text",
  "nul-characters": (d: In & { readonly line: number; readonly count: number }) =>
    `has ${d.count} NUL characters, the first here; they were taken out`,
  "very-long-line": (d: In & { readonly line: number; readonly length: number }) =>
    `has a line of ${d.length} characters; cuts keep whole lines, so it can only be kept or dropped`,
  "duplicate-paragraph": (
    d: In & {
      readonly line: number
      readonly other: string
      readonly otherLine: number
      readonly paragraphs: number
    },
  ) => `says the same as ${d.other}:${d.otherLine}${morePlaces(d.paragraphs - 1)}. Both are paid for.`,
  "moving-text-in-file": (d: In & { readonly line: number; readonly what: string }) =>
    `has ${d.what}: text that changes by itself voids the cache of everything after it`,
  "names-absent-tool": (d: In & { readonly line: number; readonly tool: string }) =>
    `speaks of the tool "${d.tool}", which is not registered`,
  "unknown-frontmatter-key": (
    d: In & { readonly line: number; readonly key: string; readonly nearest?: string },
  ) => `unknown frontmatter key "${d.key}"${d.nearest === undefined ? "" : `; did you mean "${d.nearest}"?`}`,
  secret: (d: In & { readonly line: number; readonly kind: string }) =>
    `looks like it holds a secret (${d.kind}); the model would be told`,
  "past-codex-limit": (
    d: In & { readonly together: number; readonly bytes: number; readonly limit: number },
  ) =>
    `${d.together === 1 ? "" : "with the other AGENTS.md files it "}has ${d.bytes} bytes. Codex reads the first ${d.limit} and leaves out the rest.`,
  "chain-too-long": (
    d: In & { readonly together: number; readonly tokens: number; readonly limit: number },
  ) =>
    `${d.together === 1 ? "" : "with the other files of project context it "}takes ${d.tokens} tokens, more than ${d.limit}. Every session pays for them.`,
  leak: (d: In & { readonly situation: string; readonly trust: Trust }) =>
    `needs ${d.trust} trust and reaches the situation "${d.situation}"`,
  "lock-differs": (d: In & { readonly change: string }) => `${d.change} since incipit.lock was written`,
  "over-budget": (d: { readonly tokens: number; readonly budget: number }) =>
    `the prompt takes ${d.tokens} tokens, more than the ${d.budget} that are allowed`,
  "git-unavailable": (d: In & { readonly reason: string }) => `the state of git cannot be told (${d.reason})`,
  "too-many-breakpoints": (d: { readonly count: number; readonly allowed: number }) =>
    `has ${d.count} cache breakpoints and the provider takes ${d.allowed}: it would refuse the request`,
  "breakpoint-not-allowed": (d: { readonly tier: string }) =>
    `has a cache breakpoint in the ${d.tier}, where the provider takes none: it would refuse the request`,
  "breakpoint-without-effect": (d: { readonly rule: string }) =>
    `has a cache breakpoint, which ${d.rule} does not know: it is ignored`,
  "breakpoints-ignored": (d: { readonly count: number; readonly allowed: number }) =>
    `has ${d.count} cache breakpoints of its own and the provider takes ${d.allowed}: all but the last ${d.allowed} are ignored`,
  "ttl-order": (d: { readonly ttl: string; readonly before: string }) =>
    `a breakpoint of ${d.ttl} stands after one of ${d.before}; longer lifetimes come first, or the provider refuses the request`,
  "unknown-ttl": (d: { readonly ttl: string; readonly known: string }) =>
    `a breakpoint asks for a lifetime of ${d.ttl}, and the provider knows ${d.known}`,
  "empty-text-block": (d: { readonly tier: string }) =>
    `has an empty block in the ${d.tier}: the provider would refuse the request`,
  "late-system": (d: { readonly tokens: number }) =>
    `has ${d.tokens} tokens of system text after the conversation began: the provider would refuse the request`,
  "below-minimum": (d: { readonly tokens: number; readonly minimum: number; readonly rule: string }) =>
    `a prefix of ${d.tokens} tokens is below the ${d.minimum} from which ${d.rule} caches: it is sent at full price, without an error`,
  "text-after-moving": (d: { readonly tokens: number; readonly tier: string }) =>
    `${d.tokens} tokens are the same as in the call before but stand after ${d.tier} text that changed: they are not read from the cache`,
  "tools-changed": (d: { readonly tokens: number }) =>
    `the tools are not those of the call before: the ${d.tokens} tokens that both calls have are cached anew`,
  "tools-reordered": (d: { readonly tokens: number }) =>
    `the tools are those of the call before in another order: the ${d.tokens} tokens that both calls have are cached anew`,
  "setting-changed": (d: { readonly name: string; readonly tier: string; readonly tokens: number }) =>
    `the setting ${d.name} is not that of the call before: from the ${d.tier} on, the ${d.tokens} tokens that both calls have are cached anew`,
  "beyond-look-back": (d: { readonly blocks: number; readonly lookBack: number }) =>
    `the last breakpoint of the call before is ${d.blocks} blocks back and the provider looks ${d.lookBack} back: the conversation is cached anew`,
  "bad-workflow": (d: In & { readonly line: number; readonly problem: string }) => d.problem,
  "workflow-name-taken": (d: In & { readonly by: string }) =>
    `is not read, because ${d.by} is the workflow of that name`,
  "workflow-missing": (_d: In) => "is under way, but there is no such workflow now; its place is kept",
  "bad-plan": (d: In & { readonly problem: string }) => `is no plan: ${d.problem}; it was left out`,
  "plan-edited": (_d: In) => "was changed by hand after it was approved; it has to be approved again",
  "no-files": (_d: In) =>
    "has no instructions: no AGENTS.md, CLAUDE.md, SOUL.md or skills, here or in the working directory. The prompt has only the bundled texts; `incipit init` writes a first set of files.",
  "hook-missing": (d: In) =>
    `is named under hooks, but there is no such ${/^\.{0,2}[/\\]/.test(d.path) ? "file" : "package; a file is named with ./ before it"}`,
  "hook-named-twice": (_d: In) => "is named twice under hooks; it runs once",
  "hook-imports-outside": (d: In & { readonly target: string }) =>
    `imports ${d.target}, which is outside of the folder that it may come from; it is not loaded`,
  "hook-not-loaded": (d: In & { readonly reason: string }) => `cannot be loaded: ${d.reason}`,
  "hook-exports-nothing": (_d: In) => "exports no hook, neither as its default nor by name; it does nothing",
  "unknown-hook": (d: In & { readonly name: string; readonly nearest?: string }) =>
    `exports "${d.name}", which is no hook${d.nearest === undefined ? "" : `; did you mean "${d.nearest}"?`}`,
  "waits-for-approval": (d: In & { readonly what: string; readonly name: string }) =>
    `the ${d.what} ${d.name} is used once you approve it: incipit hooks approve`,
  "prompt-file-missing": (_d: In) => "is named under prompt.files, but there is no such file",
  "schedule-file-missing": (_d: In) =>
    "is what the schedule runs, but there is no such file; its name would be sent as the message",
  "unknown-provider": (d: { readonly problem: string }) => `the model of incipit.yaml: ${d.problem}`,
  "paths-without-effect": (d: In & { readonly line: number; readonly key: string }) =>
    `"${d.key}" changes nothing here: files of the workspace are sent from the start. Keep rules for paths in .claude/rules.`,
} as const

export type Code = keyof typeof SENTENCES

/**
 * `needs`: the trust required to see the finding, so that a finding about a hidden file is as hidden as the file.
 * `others`: how many more files of the folder have the same finding, when one finding covers all of them.
 */
export type Diagnostic = {
  readonly [C in Code]: {
    readonly code: C
    readonly needs?: Trust
    readonly others?: number
  } & Parameters<(typeof SENTENCES)[C]>[0]
}[Code]

/** One line for people: where, then what. */
export function sentence(diagnostic: Diagnostic): string {
  // The table's key and the diagnostic's code are the same, which the index type cannot express.
  const write = SENTENCES[diagnostic.code] as (data: Diagnostic) => string
  const { others } = diagnostic
  const also = others === undefined ? "" : ` (and so for ${others} other files of the folder)`
  return `${place(diagnostic)}${write(diagnostic)}${also}`
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

function listOr(names: readonly string[], otherwise: string): string {
  return names.length === 0 ? otherwise : `it has ${names.join(", ")}`
}

export const CODES = Object.keys(SENTENCES).sort() as readonly Code[]
