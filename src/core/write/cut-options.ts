// What every way of cutting a text needs: its limit, how to count and write it, and how to refer to the rest.
import type { TextPart } from "../model/content.ts"
import type { Counter } from "../model/counter.ts"
import type { CutMarker } from "../model/profile.ts"
import type { Reader } from "../view/reader.ts"
import type { Written } from "./write.ts"

export interface CutOptions {
  readonly limit: number
  readonly counter: Counter
  /** Puts the parts into their envelope and counts them. */
  readonly write: (parts: readonly TextPart[]) => Written | undefined
  /** How the model can read what was left out. */
  readonly reader: Reader | undefined
  /** The profile's own text for what was left out. */
  readonly marker?: CutMarker
}
