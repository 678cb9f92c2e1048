// `incipit completions`: a script that completes commands, flags and their choices, generated from the command table.
import { IncipitError } from "../../base/error.ts"
import type { Invocation } from "./invocation.ts"
import type { Command, ListedFlag } from "./table/command.ts"
import { COMMAND_TABLE, COMMANDS, GROUPS } from "./table/commands.ts"

export const SHELLS = COMMAND_TABLE.completions.words[0].choices
type Shell = (typeof SHELLS)[number]

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export async function run({ words, terminal }: Invocation<"completions">): Promise<number> {
  const shell = SHELLS.find((known) => known === words[0])
  if (shell === undefined)
    throw new IncipitError(
      "bad-argument",
      `completions exist for ${SHELLS.join(", ")}, not for "${words[0]}"`,
    )
  terminal.exact(SCRIPTS[shell](COMMANDS))
  return 0
}

/** First words: single commands, and each group once. */
function topNames(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(" ", 1)[0] ?? ""))]
}

/** First words with further commands under them, whether or not they are commands themselves. */
function groupNames(commands: readonly Command[]): readonly string[] {
  return topNames(commands).filter((name) => inGroup(commands, name).length > 0)
}

function inGroup(commands: readonly Command[], group: string): readonly string[] {
  return commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
}

/** What a flag takes: one of its choices, a folder, a file, or any text. */
function completionKind({ value, choices }: ListedFlag): "none" | "choices" | "folder" | "file" | "text" {
  if (value === undefined) return "none"
  if (choices !== undefined) return "choices"
  if (value === "DIR") return "folder"
  return value === "FILE" ? "file" : "text"
}

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map(({ name, flags, words }) => {
    const values = flags.flatMap((flag) => bashValue(flag))
    const names = flags.map((flag) => `--${flag.name}`).join(" ")
    const others = [...inGroup(commands, name), ...words.flatMap(({ choices = [] }) => choices)].join(" ")
    const files = words.some(({ choices }) => choices === undefined) ? ' $(compgen -f -- "$word")' : ""
    return `    "${name}")
      case "$before" in
${values.map((line) => `        ${line}`).join("\n")}
      esac
      if [ "\${word:0:1}" = "-" ]; then COMPREPLY=($(compgen -W "${names}" -- "$word"))
      else COMPREPLY=($(compgen -W "${others}" -- "$word")${files}); fi ;;`
  })
  const groups = groupNames(commands)
    .filter((group) => !commands.some(({ name }) => name === group))
    .map(
      (group) =>
        `    "${group}") COMPREPLY=($(compgen -W "${inGroup(commands, group).join(" ")}" -- "$word")) ;;`,
    )
  return `# incipit completions bash > ~/.local/share/bash-completion/completions/incipit
_incipit() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${topNames(commands).join(" ")} help" -- "$word"))
    return
  fi
  case " ${groupNames(commands).join(" ")} " in
    *" $command "*) [ "$COMP_CWORD" -gt 2 ] && [ "\${COMP_WORDS[2]:0:1}" != "-" ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command" in
${[...cases, ...groups].join("\n")}
  esac
}
complete -F _incipit incipit
`
}

function bashValue(flag: ListedFlag): readonly string[] {
  const name = `--${flag.name})`
  const kind = completionKind(flag)
  if (kind === "choices")
    return [`${name} COMPREPLY=($(compgen -W "${flag.choices?.join(" ")}" -- "$word")); return ;;`]
  if (kind === "folder") return [`${name} COMPREPLY=($(compgen -d -- "$word")); return ;;`]
  if (kind === "file") return [`${name} COMPREPLY=($(compgen -f -- "$word")); return ;;`]
  return kind === "text" ? [`${name} return ;;`] : []
}

function zshScript(commands: readonly Command[]): string {
  const tops = topNames(commands).map((name) => `    '${name}:${shellQuoted(helpOf(commands, name))}'`)
  const cases = commands.map(({ name, flags, words }) => {
    const choices = words.flatMap((word) => word.choices ?? [])
    const rest = choices.length > 0 ? `'*:word:(${choices.join(" ")})'` : "'*:file:_files'"
    const specs = flags.map((flag) => `'--${flag.name}[${shellQuoted(flag.help)}]${zshValue(flag)}'`)
    return `    '${name}') _arguments ${[...specs, rest].join(" ")} ;;`
  })
  return `#compdef incipit
# incipit completions zsh > "\${fpath[1]}/_incipit"
_incipit() {
  local -a commands; commands=(
${tops.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi
  local command="$words[2]"
  case " ${groupNames(commands).join(" ")} " in
    *" $command "*)
      if (( CURRENT == 3 )); then
        case "$command" in
${groupNames(commands)
  .map((group) => `          ${group}) compadd ${inGroup(commands, group).join(" ")} ;;`)
  .join("\n")}
        esac
      elif [[ "$words[3]" != -* ]]; then command="$command $words[3]"; fi ;;
  esac
  shift words; (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
_incipit "$@"
`
}

function zshValue(flag: ListedFlag): string {
  const kind = completionKind(flag)
  if (kind === "choices") return `:${flag.value}:(${flag.choices?.join(" ")})`
  if (kind === "folder") return `:${flag.value}:_files -/`
  if (kind === "file") return `:${flag.value}:_files`
  return kind === "text" ? `:${flag.value}:` : ""
}

function fishScript(commands: readonly Command[]): string {
  const tops = topNames(commands).map(
    (name) =>
      `complete -c incipit -n __fish_use_subcommand -f -a ${name} -d '${shellQuoted(helpOf(commands, name))}'`,
  )
  const seconds = groupNames(commands).flatMap((group) =>
    inGroup(commands, group).map(
      (name) =>
        `complete -c incipit -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${inGroup(commands, group).join(" ")}' -f -a ${name}`,
    ),
  )
  const choices = commands.flatMap(({ name, words }) =>
    words.flatMap(({ choices: all = [] }) =>
      all.length === 0 ? [] : [`complete -c incipit -n '${fishSeen(name)}' -f -a '${all.join(" ")}'`],
    ),
  )
  const flags = commands.flatMap(({ name, flags: all }) =>
    all.map(
      (flag) =>
        `complete -c incipit -n '${fishSeen(name)}' -l ${flag.name}${fishValue(flag)} -d '${shellQuoted(flag.help)}'`,
    ),
  )
  return `# incipit completions fish > ~/.config/fish/completions/incipit.fish
${[...tops, ...seconds, ...choices, ...flags].join("\n")}
`
}

function fishSeen(name: string): string {
  return name
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ")
}

function fishValue(flag: ListedFlag): string {
  const kind = completionKind(flag)
  if (kind === "choices") return ` -x -a '${flag.choices?.join(" ")}'`
  if (kind === "folder") return " -x -a '(__fish_complete_directories)'"
  if (kind === "file") return " -r -F"
  return kind === "text" ? " -x" : ""
}

function helpOf(commands: readonly Command[], name: string): string {
  return GROUPS[name] ?? commands.find((command) => command.name === name)?.help ?? ""
}

/** For single quotes, and for brackets in zsh. */
function shellQuoted(text: string): string {
  return text.replaceAll("'", "").replaceAll(/[[\]:]/g, " ")
}
