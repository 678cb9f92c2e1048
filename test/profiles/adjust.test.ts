import { describe, expect, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import { compile } from "../../src/core/compile/compiler.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import { type Adjustment, adjustProfile, roleOf } from "../../src/profiles/adjust.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { file } from "../core/generate.ts"

function adjusted(adjustment: Adjustment, files: readonly ReturnType<typeof file>[] = []) {
  const { profile, diagnostics } = adjustProfile(incipit, adjustment)
  const audience = { trust: "full", situation: "dm", mode: "full" } as const
  const { plan, text } = compile(
    profile,
    {
      agent: { id: "main", files, tools: [], extensions: [] },
      session: { id: "s", files: [], audience },
      turn: { id: "t", now: 0, timeZone: "UTC" },
    },
    { counter: o200k },
  )
  const ids = plan.entries
    .filter(({ spans, kind }) => kind === "section" && spans.length > 0)
    .map(({ id }) => id)
  return { ids, text, findings: diagnostics.map(sentence) }
}

describe("prompt.sections", () => {
  test("switches a section off", () => {
    expect(adjusted({ sections: { soul: "off", clock: false } }).ids).toEqual(["base"])
  })

  test("replaces a section's text, which keeps its place", () => {
    const { ids, text } = adjusted({ sections: { soul: { text: "  Be quick.\n" } } })
    expect(ids).toEqual(["base", "soul", "clock"])
    expect(text).toContain("<soul>\nBe quick.\n</soul>\n")
  })

  test("replaces a turn section's text, which stays in the tail", () => {
    const { ids, text } = adjusted({ sections: { clock: { text: "It is always noon." } } })
    expect(ids).toEqual(["base", "soul", "clock"])
    expect(
      text.endsWith("<turn-context>\n<clock>\nIt is always noon.\n</clock>\n\n</turn-context>\n\n"),
    ).toBe(true)
  })

  test("adds a section after another, or at the end of the stable ones", () => {
    const sections = { motto: { text: "Keep the light." }, oath: { text: "I will.", after: "base" } }
    expect(adjusted({ sections }).ids).toEqual(["base", "oath", "soul", "motto", "clock"])
  })

  test("takes the text from a workspace file", () => {
    const own = file(roleOf("style"), "STYLE.md", "Short words.", "familiar")
    expect(adjusted({ sections: { style: { file: "STYLE.md" } } }, [own]).text).toContain(
      "<style>\nShort words.\n</style>\n",
    )
  })

  test("reports an on_change that sections of that pace cannot have, and leaves it out", () => {
    const { ids, findings } = adjusted({
      sections: {
        soul: { onChange: "always" },
        clock: { onChange: "wait" },
        motto: { text: "Keep the light.", onChange: "step" },
        base: { onChange: "rebuild" },
      },
    })
    expect(ids).toEqual(["base", "soul", "motto", "clock"])
    expect(findings).toEqual([
      'The section "soul" cannot have the on_change "always"; for this section, use append, wait, rebuild. The setting was ignored.',
      'The section "motto" cannot have the on_change "step"; for this section, use append, wait, rebuild. The setting was ignored.',
      'The section "clock" cannot have the on_change "wait"; for this section, use turn, step, always. The setting was ignored.',
    ])
  })

  test("reports unknown sections, with the nearest known one", () => {
    expect(adjusted({ sections: { sould: "off" }, order: ["clok"] }).findings).toEqual([
      'incipit.yaml names the section "sould", which the profile incipit does not have. Did you mean "soul"?',
      'incipit.yaml names the section "clok", which the profile incipit does not have. Did you mean "clock"?',
    ])
  })
})

test("prompt.order puts sections first, within their pace", () => {
  expect(adjusted({ order: ["clock", "soul"] }).ids).toEqual(["soul", "base", "clock"])
})

test("a sealed profile stays as it is, with a diagnostic", () => {
  const sealed: Profile = { ...incipit, sealed: true }
  const { profile, diagnostics } = adjustProfile(sealed, { sections: { soul: "off" }, order: ["clock"] })
  expect(profile).toBe(sealed)
  expect(diagnostics.map(sentence)).toEqual([
    'prompt.sections changes "soul", but the profile incipit is sealed. The setting was ignored.',
    'prompt.sections changes "clock", but the profile incipit is sealed. The setting was ignored.',
  ])
})

describe("unusual settings", () => {
  test("a custom section may follow one that comes later in the list", () => {
    const sections = {
      oath: { text: "I will.", after: "motto" },
      motto: { text: "Keep the light.", after: "base" },
    }
    expect(adjusted({ sections }).ids).toEqual(["base", "motto", "oath", "soul", "clock"])
  })

  test("`after` moves a section of the profile too", () => {
    expect(adjusted({ sections: { base: { after: "soul" } } }).ids).toEqual(["soul", "base", "clock"])
  })

  test("a missing target of `after` is reported, and the section stays", () => {
    const { ids, findings } = adjusted({ sections: { motto: { text: "Keep it.", after: "sould" } } })
    expect(ids).toEqual(["base", "soul", "motto", "clock"])
    expect(findings).toEqual([
      'incipit.yaml names the section "sould", which the profile incipit does not have. Did you mean "soul"?',
    ])
  })

  test("an invalid id is reported as such", () => {
    expect(adjusted({ sections: { "Bad Id": { text: "x" } } }).findings).toEqual([
      '"Bad Id" in prompt.sections is not a valid section id. Use letters, digits, "-", "_" and "/".',
    ])
  })

  test("a section that is named twice in the order appears once", () => {
    expect(adjusted({ order: ["soul", "soul"] }).ids).toEqual(["soul", "base", "clock"])
  })
})
