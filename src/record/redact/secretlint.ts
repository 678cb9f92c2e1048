// Applies the rules of secretlint, which others maintain. Loads them with the first text.
import type { Finding } from "./mark.ts"

const RULES = "@secretlint/secretlint-rule-preset-recommend"

export async function foundByRules(text: string): Promise<readonly Finding[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ])
  const rules = [{ id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } }]
  const { messages } = await lintSource({
    // Text must not be able to switch the rules off. The replacement has the same length, so that ranges stay valid.
    source: {
      content: text.replaceAll(/secretlint-/gi, "secretlint_"),
      filePath: "text",
      ext: "",
      contentType: "text",
    },
    options: { config: { rules: [{ id: RULES, rule: creator, rules }] }, noPhysicFilePath: true },
  })
  return messages.map(({ range: [from, to], ruleId }) => ({ from, to, kind: kindOf(ruleId) }))
}

/** `@secretlint/secretlint-rule-aws` becomes `aws`. */
function kindOf(ruleId: string): string {
  const name = ruleId.replace(/^.*secretlint-rule-/, "").replace(/[^a-z0-9-]/g, "")
  return name === "" ? "secret" : name.slice(0, 60)
}
