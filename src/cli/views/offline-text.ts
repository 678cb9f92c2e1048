// Why the offline model answers, how to change that, and what its calls cost: for every command that says so.
import type { Model } from "../../agent/models/model.ts"
import { OFFLINE_CALLS } from "../../record/prices/offline-calls.ts"
import { visible } from "../chat/screen/visible.ts"

export function offlineText(model: Pick<Model, "why" | "missing">): string {
  return `${reasonText(model)} ${OFFLINE_CALLS}`
}

function reasonText({ why, missing }: Pick<Model, "why" | "missing">): string {
  if (missing === undefined)
    return why === undefined
      ? "The offline model is answering."
      : `The offline model is answering: ${visible(why)}.`
  const { key, model } = missing
  return `No API key found, so the offline model is answering. Set ${visible(key)} to use ${visible(model)}.`
}
