// Adds the MCP server to a client's own settings, or removes it: shows the change, asks, and writes it.
import { IncipitError } from "../../../../base/error.ts"
import { exact } from "../../../chat/screen/visible.ts"
import { asTyped } from "../../../command-line/as-typed.ts"
import type { FlagsOf } from "../../../command-line/invocation.ts"
import { isAgreed, questionWriter } from "../../../command-line/look-menu.ts"
import { print } from "../../../command-line/print.ts"
import type { Terminal } from "../../../terminal.ts"
import { wrap } from "../../../views/widths.ts"
import type { McpClientName, Scope } from "../mcp-clients.ts"
import { SCOPES } from "../mcp-clients.ts"
import { CLIENT_SETTINGS, type ClientSettings } from "./client-settings.ts"
import { neededVariables, serverCommand } from "./server-command.ts"
import { type Change, snippetOf, withoutServer, withServer } from "./server-entry.ts"
import { readSettingsFile, type SettingsFile, settingsPath, writeSettingsFile } from "./settings-file.ts"
import { shownChange } from "./shown-change.ts"

interface Asked {
  readonly client: McpClientName
  readonly flags: FlagsOf<"mcp">
  readonly terminal: Terminal
}

/** Everything about one client that does not depend on what its file says. */
interface Setting extends Asked {
  readonly settings: ClientSettings
  readonly scope: Scope
}

export async function install(asked: Asked): Promise<number> {
  const setting = settingOf(asked)
  const { settings } = setting
  const { command, entry } = entryOf(setting)
  const file = fileOf(setting)
  const change = withServer(file, settings, entry)
  if (change.kind === "same") {
    say(setting, { file, change: "none", command }, [
      `Incipit is already there: ${exact(file.path)} needs no change.`,
    ])
    return 0
  }
  const verb = change.kind === "added" ? "adds Incipit" : "changes the entry of Incipit"
  const question = `This ${verb} for ${settings.label}, ${WHERE[setting.scope]}:`
  if (!(await isWritten(setting, { file, change, question }))) return 2
  say(setting, { file, change: change.kind, command }, [
    `${change.kind === "added" ? "Added Incipit to" : "Updated Incipit in"} ${exact(file.path)}.`,
    ...wrapped(settings.next[setting.scope], setting),
    ...hints(setting, command),
  ])
  return 0
}

export async function remove(asked: Asked): Promise<number> {
  const setting = settingOf(asked)
  const { settings, scope } = setting
  const file = fileOf(setting)
  const change = withoutServer(file, settings)
  if (change.kind === "same") {
    say(setting, { file, change: "none" }, [
      `Incipit isn't in ${exact(file.path)}, so there is nothing to remove.`,
      ...elsewhere(setting),
    ])
    return 0
  }
  const question = `This removes Incipit for ${settings.label}, ${WHERE[scope]}:`
  if (!(await isWritten(setting, { file, change, question }))) return 2
  say(setting, { file, change: change.kind }, [`Removed Incipit from ${exact(file.path)}.`])
  return 0
}

/** Prints what to add, and where. */
export function printSnippet(asked: Asked): number {
  const setting = settingOf(asked)
  const { settings, scope, flags, terminal } = setting
  const { command, entry } = entryOf(setting)
  const path = settingsPath(settings, scope, terminal)
  const snippet = snippetOf(settings, entry)
  if (flags.json) {
    print(setting, { client: setting.client, scope, path, command, snippet }, () => [])
    return 0
  }
  const place = `For ${settings.label}, ${WHERE[scope]}, this goes into ${exact(path)}. If the file has other servers, add only the entry.`
  for (const line of [...wrapped(place, setting), ""]) terminal.err(`${line}\n`)
  terminal.out(snippet)
  return 0
}

const WHERE: Readonly<Record<Scope, string>> = { project: "in this folder", user: "in all your folders" }

function settingOf(asked: Asked): Setting {
  const settings = CLIENT_SETTINGS[asked.client]
  return { ...asked, settings, scope: asked.flags.scope ?? settings.scope }
}

function entryOf(setting: Setting) {
  const command = serverCommand(setting)
  const { settings, terminal } = setting
  const variables = settings.namesVariables ? neededVariables(terminal) : []
  return { command, entry: settings.entry(command, variables) }
}

function fileOf({ settings, scope, terminal }: Setting): SettingsFile {
  return readSettingsFile(settingsPath(settings, scope, terminal), scope, terminal)
}

interface Writing {
  readonly file: SettingsFile
  readonly change: Exclude<Change, { kind: "same" }>
  /** Above the diff. */
  readonly question: string
}

/** Shows the change and writes it after a yes. */
async function isWritten(setting: Setting, { file, change, question }: Writing): Promise<boolean> {
  const { scope, flags, terminal, client } = setting
  const write = flags.yes ? (line: string) => terminal.err(`${line}\n`) : questionWriter(terminal)
  const diff = await shownChange(file, change.text, terminal)
  for (const line of [question, "", ...diff, ""]) write(line)
  const nobody = () =>
    new IncipitError(
      "bad-argument",
      `nothing was written, because there is no terminal to ask on. To write it without a question, add --yes; \`incipit mcp --print ${client}\` prints what to add by hand`,
    )
  if (!flags.yes && !(await isAgreed(terminal, { question: "Write this?", looks: [], nobody }))) {
    terminal.err("Nothing was written.\n")
    return false
  }
  writeSettingsFile(file, change.text, scope)
  return true
}

interface Said {
  readonly file: SettingsFile
  readonly change: "none" | "added" | "updated" | "removed"
  readonly command?: readonly string[]
}

function say(setting: Setting, { file, change, command }: Said, lines: readonly string[]): void {
  const { client, scope } = setting
  print(setting, { client, scope, path: file.path, change, command }, () => lines)
}

function wrapped(text: string, { terminal }: Setting): readonly string[] {
  return wrap(text, Math.min(80, terminal.columns))
}

/** What may surprise later. */
function hints(setting: Setting, [program, script = ""]: readonly string[]): readonly string[] {
  if (program === "incipit") return []
  if (/[\\/]_npx[\\/]/.test(script)) return wrapped(IN_CACHE, setting)
  return setting.scope === "project" ? wrapped(OF_THIS_MACHINE, setting) : []
}

const IN_CACHE =
  "The command is the copy in npm's cache, which npm may delete. To keep it, install Incipit and run this again: docs/guide/install.md."
const OF_THIS_MACHINE =
  "The command has paths of this machine, so don't share the file. With `incipit` on the path, the entry works everywhere: docs/guide/install.md."

/** Somebody who installed it for all folders looks in this one first. */
function elsewhere(setting: Setting): readonly string[] {
  const others = SCOPES.filter((scope) => scope !== setting.scope).map((scope) => ({ ...setting, scope }))
  return others.flatMap((other) =>
    isIn(other)
      ? wrapped(
          asTyped(
            `It is in the other scope: \`incipit mcp --remove ${other.client} --scope ${other.scope}\`.`,
            other.terminal,
          ),
          other,
        )
      : [],
  )
}

/** A file that cannot be read has nothing to remove. */
function isIn(setting: Setting): boolean {
  try {
    return withoutServer(fileOf(setting), setting.settings).kind !== "same"
  } catch (error) {
    if (error instanceof IncipitError) return false
    throw error
  }
}
