// Runs a command line in this process, from the sources: fast, and without `dist/`. For commands that only read.
import { runLine } from "../../src/cli/command-line/run-line.ts"
import type { Terminal } from "../../src/cli/terminal.ts"
import type { Ran } from "./warm.ts"

export interface HereOptions
  extends Partial<Pick<Terminal, "columns" | "colour" | "home" | "env" | "timeZone">> {
  readonly cwd: string
  /** Milliseconds since 1970. */
  readonly now?: number
  readonly streams?: NonNullable<Terminal["streams"]>
}

const NOW = Date.UTC(2026, 10, 18, 12)

export async function incipitHere(args: readonly string[], options: HereOptions): Promise<Ran> {
  const written = { out: [] as string[], err: [] as string[] }
  const { now = NOW, ...place } = options
  const terminal: Terminal = {
    out: (text) => void written.out.push(text),
    exact: (text) => void written.out.push(text),
    err: (text) => void written.err.push(text),
    drained: async () => {},
    columns: 80,
    colour: false,
    home: undefined,
    env: {},
    timeZone: "UTC",
    now: () => now,
    stopped: async () => {},
    ...place,
  }
  const status = await runLine(args, { terminal, beforeAgent: () => {} })
  return { stdout: written.out.join(""), stderr: written.err.join(""), status }
}
