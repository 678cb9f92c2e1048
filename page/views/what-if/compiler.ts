// The compiler beside the page: sends inputs and settings to the worker, and takes its answers. A comparison that was
// overtaken by a newer one is not answered.
import type { Report } from "../../../src/core/read/report.ts"
import type { WhatIfInput } from "../../../src/serve/page/what-if/what-if-shown.ts"
import type { ProfileName } from "./worker/profile-names.ts"
import type { Compared, FromWorker, ToWorker, WhatIfSettings } from "./worker/protocol.ts"
import { startWorker } from "./worker-address.ts"

/** Whether the worker compiled the same bytes as the server. */
export interface Checked {
  readonly isSame: boolean
  /** Why it compiled nothing. */
  readonly problem: string | undefined
}

export interface Asked {
  readonly real: string
  readonly changed: string
  readonly settings: WhatIfSettings | undefined
}

export interface PageCompiler {
  /** Resolves once the worker has compiled it and compared the bytes. */
  take(key: string, input: WhatIfInput): Promise<Checked>
  forget(key: string): void
  /** Resolves with what went wrong as text. Never resolves if a newer comparison is asked for before. */
  compare(asked: Asked): Promise<Compared | string>
  sectionText(key: string, section: string): Promise<string>
  /** The prompt that another bundled profile makes of an input. */
  report(key: string, profile: ProfileName): Promise<Report>
  close(): void
}

export function createPageCompiler(onBroken: (problem: string) => void): PageCompiler {
  const worker = startWorker()
  const checks = new Map<string, (checked: Checked) => void>()
  const texts = new Map<number, (text: string) => void>()
  const reports = new Map<number, PromiseWithResolvers<Report>>()
  let newest: { readonly id: number; readonly done: (answer: Compared | string) => void } | undefined
  let ids = 0
  const send = (message: ToWorker) => worker.postMessage(message)
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === "checked") {
      const { key, ...checked } = data
      checks.get(key)?.(checked)
      checks.delete(key)
    } else if (data.kind === "section-text") {
      texts.get(data.id)?.(data.text)
      texts.delete(data.id)
    } else if (data.kind === "report") {
      reports.get(data.id)?.resolve(data.report)
      reports.delete(data.id)
    } else if (reports.has(data.id)) {
      if (data.kind === "failed") reports.get(data.id)?.reject(new Error(data.problem))
      reports.delete(data.id)
    } else if (data.id === newest?.id) newest.done(data.kind === "failed" ? data.problem : data.compared)
  })
  worker.addEventListener("error", ({ message }) =>
    onBroken(message === "" ? "The compiler could not be loaded. Load the page again." : message),
  )
  return {
    take(key, input) {
      return new Promise((resolve) => {
        checks.set(key, resolve)
        send({ kind: "input", key, input })
      })
    },
    forget: (key) => send({ kind: "forget", key }),
    compare(asked) {
      ids += 1
      const id = ids
      return new Promise((done) => {
        newest = { id, done }
        send({ kind: "compare", id, ...asked })
      })
    },
    sectionText(key, section) {
      ids += 1
      const id = ids
      return new Promise((resolve) => {
        texts.set(id, resolve)
        send({ kind: "section-text", id, key, section })
      })
    },
    report(key, profile) {
      ids += 1
      const asked = Promise.withResolvers<Report>()
      reports.set(ids, asked)
      send({ kind: "report", id: ids, key, profile })
      return asked.promise
    },
    close: () => worker.terminate(),
  }
}
