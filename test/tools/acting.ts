// A folder with a workspace and a place outside of it, and a way to call the tools that act in it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Trust } from "../../src/base/trust.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { ACTING_TOOLS } from "../../src/tools/acting-tools.ts"
import { type Approval, type ApprovalRequest, ToolFailure, type ToolHost } from "../../src/tools/host.ts"
import type { ToolContext } from "../../src/tools/tool-context.ts"
import { owner } from "./ask.ts"
import { type AccessTo, accessTo } from "./open-access.ts"

export interface Acting {
  /** The workspace, which is the working directory too; a real path. */
  readonly root: string
  /** Beside it: not to be used. */
  readonly outside: string
  readonly touched: string[]
  readonly asked: ApprovalRequest[]
  write(path: string, text: string | Buffer): string
  read(path: string): string
  /** The answer, or `failed: ` with what the model is told. */
  call(name: string, input?: unknown, more?: Calling): Promise<string>
  remove(): void
}

export interface Calling extends Partial<ToolContext> {
  readonly trust?: Trust
  readonly access?: AccessTo
  readonly hosting?: Partial<ToolHost>
  readonly approve?: (request: ApprovalRequest) => Approval | Promise<Approval>
}

export function makeActing(): Acting {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-acting-")))
  const [root, outside] = [join(folder, "workspace"), join(folder, "outside")]
  mkdirSync(root)
  mkdirSync(outside)
  const touched: string[] = []
  const asked: ApprovalRequest[] = []
  return {
    ...{ root, outside, touched, asked },
    write(path, text) {
      const full = join(root, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text)
      return full
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    async call(name, input, { access, hosting, approve = agree, ...more } = {}) {
      const action = ACTING_TOOLS.find((item) => item.name === name)
      if (action === undefined) throw new Error(`no tool ${name}`)
      const files = accessTo(root, {
        ...(more.trust !== undefined && { trust: more.trust }),
        ...(more.situation !== undefined && { situation: more.situation }),
        touched: (path) => touched.push(path),
        ...access,
      })
      const host: ToolHost = {
        files,
        env: process.env,
        signal: new AbortController().signal,
        async approve(request) {
          asked.push(request)
          return approve(request)
        },
        tasks: { list: async () => [], write: unused },
        workflow: { current: async () => undefined, advance: unused },
        schedule: { list: async () => [], add: unused, remove: unused },
        texts: {
          instructions: unused,
          writeInstructions: unused,
          responsibilities: () => [],
          withoutResponsibility: unused,
          writeResponsibilities: unused,
        },
        notify: unused,
        delegate: unused,
        ...hosting,
      }
      const record = { flushIfFree: async () => true, health: unused, read: unused }
      const context: ToolContext = {
        ...owner,
        record,
        now: () => 0,
        timeZone: "UTC",
        counter: o200k,
        host,
        ...more,
      }
      try {
        return await action.run(input, context)
      } catch (error) {
        if (error instanceof ToolFailure) return `failed: ${error.message}`
        throw error
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function agree(): Approval {
  return "yes"
}

function unused(): never {
  throw new Error("not for this tool")
}
