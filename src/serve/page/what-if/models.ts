// The models that a prompt can be compiled and priced for in the page: the agent's own, those of incipit.yaml, and those
// with a price of ours.
import { termsOf } from "../../../agent/models/terms.ts"
import { PRICE_OVERRIDES } from "../../../record/prices/price-overrides.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { toolFormatOf } from "../../../workspace/tool-format.ts"
import { realModel } from "../../api/compile/workspace-prompt.ts"
import type { WhatIfModel } from "./what-if-shown.ts"

const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, "anthropic"],
  [/^gpt-/, "openai"],
]

export async function modelsFor(
  current: string | undefined,
  config: Config,
  now: number,
): Promise<readonly WhatIfModel[]> {
  const own = [current && realModel(current), config.model, config.fallback_model].filter(
    (id): id is string => id !== undefined && id !== "",
  )
  const known = PRICE_OVERRIDES.flatMap(({ model }) => {
    const maker = MAKERS.find(([names]) => names.test(model))?.[1]
    return maker === undefined ? [] : [`${maker}/${model}`]
  })
  const ids = [...new Set([...own, ...known])]
  return Promise.all(
    ids.map(async (id): Promise<WhatIfModel> => {
      const { rule, price } = await termsOf(id, config, now)
      return { id, toolFormat: toolFormatOf(id, config), rule, price, isConfigured: own.includes(id) }
    }),
  )
}
