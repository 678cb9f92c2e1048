// A module of hooks: the tides of today, from data/tides.csv of the sample workspace, sent with the turn.
// Copy it to hooks/ of a workspace, name it in incipit.yaml (`hooks: [./hooks/tides.ts]`), `incipit hooks approve`.
import { readFile } from "node:fs/promises"
import type { HookDefinition } from "incipit/hooks"

const table = new URL("../data/tides.csv", import.meta.url)

export default {
  name: "tides",
  trust: "familiar",
  async before_agent_start({ turn }, { signal }) {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: turn.timeZone }).format(turn.now)
    const rows = (await readFile(table, { encoding: "utf8", signal })).split("\n")
    const lines = rows
      .filter((row) => row.startsWith(`${today},`))
      .map((row) => row.trim().split(","))
      .map(([_date, time, event, height]) => `- ${time} ${event}, ${height} m`)
    if (lines.length === 0) return
    return {
      edits: [{ kind: "add", section: { id: "tides", content: `Tides on ${today}:\n${lines.join("\n")}` } }],
    }
  },
} satisfies HookDefinition
