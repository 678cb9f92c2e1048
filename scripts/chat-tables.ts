// Generates the tables of the chat guide from those that the chat itself uses.
import { KEYS } from "../src/cli/chat/commands/help.ts"
import { SLASH_COMMANDS } from "../src/cli/chat/commands/slash.ts"

export function keysTable(): string {
  const rows = KEYS.map(([keys, help]) => `| ${keys.replaceAll(/!+cmd/g, "`$&`")} | ${help} |`)
  return ["| keys | meaning |", "|---|---|", ...rows].join("\n")
}

export function slashTable(): string {
  const rows = SLASH_COMMANDS.flatMap(({ name, help, forms = [{ words: "", help }] }) =>
    forms.map((form) => `| \`${`/${name} ${form.words}`.trim()}\` | ${form.help} |`),
  )
  return ["| command | what it does |", "|---|---|", ...rows].join("\n")
}
