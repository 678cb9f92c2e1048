// The record of captured calls: private, redacted, and pruned like any other record. A call that is found twice, by the
// proxy and in a client's own files, is kept once.
import { makeStateFolder } from "../../files/own-folder.ts"
import type { CaptureFiles } from "../../files/paths.ts"
import { startUpkeep } from "../../record/keep/upkeep.ts"
import { createRedactor } from "../../record/redact/redactor.ts"
import { secretsAmong, type Variables } from "../../record/redact/secret-variables.ts"
import { createSecrets } from "../../record/redact/secrets.ts"
import { openRecord, type Recorder } from "../../record/write/record.ts"
import type { Price } from "../../render/cache/price.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { CapturedCall } from "../call.ts"
import { createSplitter } from "../split/splitter.ts"
import { STEP } from "./call-event.ts"
import { keepCall } from "./keep-call.ts"

export interface CapturesOptions {
  readonly files: CaptureFiles
  /** Secrets among these are never stored. */
  readonly variables: Variables
  readonly now: () => number
  readonly priceOf: (model: string, at: number) => Price | null
  readonly metadataOnly: boolean
}

export interface Captures {
  readonly recorder: Recorder
  readonly metadataOnly: boolean
  /** Returns false if the call is there already. */
  keep(call: CapturedCall): Promise<boolean>
  /** Values that must never be stored, from now on. */
  learn(secrets: readonly string[]): void
  close(): Promise<void>
}

export function openCaptures(options: CapturesOptions): Captures {
  const { files, variables, now, priceOf, metadataOnly } = options
  makeStateFolder(files.folder)
  const secrets = createSecrets(secretsAmong(variables))
  const redact = createRedactor({ secrets })
  const recorder = openRecord(files.record, { redact, text: secrets.redact })
  const upkeep = startUpkeep(files.record, { now })
  const splitter = createSplitter({ counter: o200k })
  /** Queued by this process, and maybe not written yet. */
  const queued = new Set<string>()
  return {
    recorder,
    metadataOnly,
    async keep(call) {
      const { id, model, at } = call
      if (queued.has(id) || (await recorder.read((store) => store.events.answer(id, STEP))) !== undefined)
        return false
      if (queued.has(id)) return false
      queued.add(id)
      keepCall(recorder, call, { price: priceOf(model, at), metadataOnly, splitter })
      return true
    },
    learn: (values) => secrets.learn(values),
    async close() {
      upkeep.stop()
      await upkeep.first
      await recorder.close()
    },
  }
}
