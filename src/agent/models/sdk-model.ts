// A model as the AI SDK takes it.
import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Model } from "./model.ts"

export function sdkModel(
  { language }: Pick<Model, "language">,
  fetch?: typeof globalThis.fetch,
): LanguageModelV4 {
  // `SdkLanguageModel` stands for exactly this type, in public types.
  return language(fetch) as LanguageModelV4
}
