// What is changed, and where it is kept: what is short is in the address, so that a link shows the same; texts that were
// edited and the message stay in this page.
import { signal } from "@preact/signals"
import { MODES, type Mode } from "../../../src/core/model/mode.ts"
import type { WhatIfAsked, WhatIfChanges } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { go, type Place, type PlaceChange, place } from "../../shell/place.ts"
import type { WhatIfSettings } from "./worker/protocol.ts"

/** Names in the address. */
export const SHORT = [
  "agent",
  "person",
  "stranger",
  "situation",
  "mode",
  "budget",
  "model",
  "time",
  "off",
  "on",
] as const

/** Texts that were edited: of files by path, of sections by id. */
export interface Edits {
  readonly files: Readonly<Record<string, string>>
  readonly sections: Readonly<Record<string, string>>
}

const NO_EDITS: Edits = { files: {}, sections: {} }

export const edits = signal<Edits>(NO_EDITS)
/** Undefined: the message of the real prompt. */
export const message = signal<string | undefined>(undefined)

export function setEdit(kind: keyof Edits, name: string, text: string | undefined): void {
  const { [name]: _was, ...rest } = edits.value[kind]
  edits.value = { ...edits.value, [kind]: text === undefined ? rest : { ...rest, [name]: text } }
}

/** Changes the address without a stop for "back": settings change with each step of a slider. */
export function set(change: PlaceChange): void {
  go(change, { replace: true })
}

export function resetAll(): void {
  set(Object.fromEntries(SHORT.map((name) => [name, null])))
  resetTexts()
  message.value = undefined
}

export function resetTexts(): void {
  edits.value = NO_EDITS
}

export function isChanged(at: Place): boolean {
  const { files, sections } = edits.value
  const isEdited = Object.keys(files).length + Object.keys(sections).length > 0
  return isEdited || message.value !== undefined || SHORT.some((name) => at[name] !== undefined)
}

/** For whom the changed prompt is. */
export function askedIn(at: Place): WhatIfAsked {
  const user = at.stranger === undefined ? at.person : null
  return {
    ...(at.agent !== undefined && { agent: at.agent }),
    ...(user !== undefined && { user }),
    ...(at.situation !== undefined && { situation: at.situation }),
    ...(isMode(at.mode) && { mode: at.mode }),
  }
}

function isMode(mode: string | undefined): mode is Mode {
  return MODES.some((known) => known === mode)
}

export function namesIn(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(",").filter((name) => name !== "")
}

/** Switches a section; `isOn` is how it is in the real prompt. */
export function switchSection(
  id: string,
  { to, isOn }: { readonly to: boolean; readonly isOn: boolean },
): void {
  const without = (list: string | undefined) => namesIn(list).filter((name) => name !== id)
  const { off, on } = place.value
  const [isOff, isOnAgain] = [!to && isOn, to && !isOn]
  set({
    off: [...without(off), ...(isOff ? [id] : [])].join(","),
    on: [...without(on), ...(isOnAgain ? [id] : [])].join(","),
  })
}

export function settingsIn(at: Place): WhatIfSettings {
  const sections: Record<string, "off" | "on" | { readonly text: string }> = {}
  for (const [id, text] of Object.entries(edits.value.sections)) sections[id] = { text }
  for (const id of namesIn(at.on)) sections[id] ??= "on"
  for (const id of namesIn(at.off)) sections[id] = "off"
  return {
    ...{ now: numberIn(at.time), model: at.model, head: numberIn(at.budget) },
    ...{ sections, files: edits.value.files },
  }
}

/** What of it a patch can hold. */
export function changesIn(at: Place): WhatIfChanges {
  const { files, sections, head, model } = settingsIn(at)
  return {
    ...{ files, sections },
    ...(head !== undefined && { head }),
    ...(model !== undefined && { model }),
  }
}

export function hasPatch({ files = {}, sections = {}, head, model }: WhatIfChanges): boolean {
  return Object.keys(files).length + Object.keys(sections).length > 0 || (head ?? model) !== undefined
}

/** Whole and not negative, or undefined. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined
}
