// Templates: each construct, the lines it leaves behind, and text that only looks like a construct.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isSlot, type Part, type TextPart } from "../../../src/core/model/content.ts"
import { expandTemplate, type TemplateNames } from "../../../src/core/write/template.ts"
import { makePart } from "../make.ts"

const item = (name: string) =>
  new Map<string, TextPart>([
    ["name", { text: name, trust: "inner" }],
    ["instructions", { text: `use {{ TOOLS }} of ${name}` }],
  ])

const names: TemplateNames = {
  sections: new Map([
    ["TOOLS", "tools"],
    ["RULES", "rules"],
  ]),
  turn: new Set(["CLOCK"]),
  lists: new Map([
    ["extensions", [item("git"), item("web")]],
    ["nobody", []],
  ]),
}

/** An expansion in readable form, with slots as [id] and conditions as ?id?. */
function shown(parts: readonly Part[]): string {
  const one = (part: Part) =>
    `${(part.when ?? []).map((id) => `?${id}?`).join("")}${isSlot(part) ? `[${part.slot}]` : part.text}`
  return parts.map(one).join("|")
}

const expand = (text: string) => shown(expandTemplate(makePart(text), names).parts)

/** Each finding as "line: code name". */
function findings(text: string, firstLine = 1): readonly string[] {
  return (expandTemplate(makePart(text, firstLine), names).diagnostics ?? []).map((found) => {
    const line = "line" in found ? found.line : 0
    const what = "name" in found ? found.name : "problem" in found ? found.problem : ""
    return `${line}: ${found.code} ${what}`
  })
}

describe("constructs", () => {
  test("text without constructs stays the same part", () => {
    const part = makePart("plain { text } $& 100%")
    expect(expandTemplate(part, names).parts).toEqual([part])
  })

  test("a placeholder is a slot for its section", () => {
    expect(expand("a {{ TOOLS }} b {{RULES}}")).toBe("a |[tools]| b |[rules]")
  })

  test("an if makes its text depend on the section", () => {
    expect(expand("a {% if TOOLS %}b {{ TOOLS }}{% endif %} c")).toBe("a |?tools?b |?tools?[tools]| c")
  })

  test("an if on a list checks whether it has items", () => {
    expect(expand("{% if extensions %}some{% endif %}{% if nobody %}none{% endif %}.")).toBe("some|.")
  })

  test("a for walks a list; its values are texts with their own trust", () => {
    expect(expand("{% for e in extensions %}{{ e.name }};{% endfor %}")).toBe("git|;|web|;")
    const [first] = expandTemplate(makePart("{% for e in extensions %}{{ e.name }}{% endfor %}"), names).parts
    expect(first).toEqual({ text: "git", trust: "inner" })
  })

  test("a for over an empty list writes nothing", () => {
    expect(expand("a{% for e in nobody %}b{% endfor %}c")).toBe("a|c")
  })

  test("branches nest", () => {
    const text =
      "{% if TOOLS %}{% for e in extensions %}{% if RULES %}{{ e.name }}{% endif %}{% endfor %}{% endif %}"
    expect(expand(text)).toBe("?tools??rules?git|?tools??rules?web")
  })
})

describe("white space", () => {
  test("a statement alone on its line takes the line with it", () => {
    expect(expand("a\n{% if TOOLS %}\nb\n  {% endif %}  \nc\n")).toBe("a\n|?tools?b\n|c\n")
  })

  test("a statement next to text removes no white space", () => {
    expect(expand("a {% if TOOLS %}\nb\n{% endif %}c")).toBe("a |?tools?\nb\n|c")
  })

  test("a statement on the first and on the last line", () => {
    expect(expand("{% if TOOLS %}\na\n{% endif %}")).toBe("?tools?a\n")
  })

  test("a placeholder alone on its line leaves the newlines to the text around it", () => {
    expect(expand("a\n{{ TOOLS }}\nb")).toBe("a\n|[tools]|\nb")
  })
})

describe("unknown names", () => {
  test.each(["__proto__", "constructor", "toString", "NOPE", "e.name", "e"])(
    "{{ %s }} stays as written and is a finding",
    (name) => {
      const text = `one\ntwo {{ ${name} }} $& $1 three`
      expect(
        expandTemplate(makePart(text), names)
          .parts.map((part) => (isSlot(part) ? "" : part.text))
          .join(""),
      ).toBe(text)
      expect(findings(text, 5)).toEqual([`6: unknown-placeholder ${name}`])
    },
  )

  test("a field of a field is unknown too", () => {
    const text = "{% for e in extensions %}{{ e.name.length }}{% endfor %}"
    expect(expand(text)).toBe("{{ e.name.length }}|{{ e.name.length }}")
  })

  test("a placeholder in a loop is one diagnostic, however often the loop runs", () => {
    expect(findings("{% for e in extensions %}\n{{ NOPE }}\n{% endfor %}")).toEqual([
      "2: unknown-placeholder NOPE",
    ])
  })

  test("the text under an unknown condition is left out, with a diagnostic", () => {
    expect(expand("a{% if NOPE %}b{% endif %}c")).toBe("a|c")
    expect(findings("a\n{% if NOPE %}b{% endif %}c")).toEqual(["2: unknown-name NOPE"])
  })

  test("a loop over an unknown list is left out, with a diagnostic", () => {
    expect(expand("a{% for e in __proto__ %}b{% endfor %}c")).toBe("a|c")
    expect(findings("a{% for e in __proto__ %}b{% endfor %}c")).toEqual(["1: unknown-name __proto__"])
  })

  test("a turn placeholder is left to the tail, with a diagnostic", () => {
    expect(expand("It is {{ CLOCK }}.")).toBe("It is |.")
    expect(findings("\nIt is {{ CLOCK }}.")).toEqual(["2: turn-placeholder CLOCK"])
    expect(findings("{% if CLOCK %}x{% endif %}")).toEqual(["1: turn-placeholder CLOCK"])
  })

  test.each([
    "{{ TOOLS | upper }}",
    "{{ user-name }}",
    "{% else %}",
    "{% if a and b %}",
    "{% endfor %}",
    "{%- if TOOLS -%}",
  ])("%s cannot be parsed, stays as written and is a diagnostic", (text) => {
    expect(expand(`a\n${text} b`)).toBe(`a\n${text} b`)
    expect(findings(`a\n${text} b`)).toEqual([
      `2: template-syntax cannot parse "${text}"; it is sent as written`,
    ])
  })

  test("an end without a matching beginning stays text", () => {
    expect(expand("{% if TOOLS %}a{% endfor %}b{% endif %}c")).toBe("?tools?a{% endfor %}b|c")
  })

  test("an unclosed branch ends with the text, with a diagnostic where it began", () => {
    expect(expand("a\n{% if TOOLS %}\nb")).toBe("a\n|?tools?b")
    expect(findings("a\n{% if TOOLS %}\nb")).toEqual([
      '2: template-syntax "{% if %}" is never closed with "{% endif %}"',
    ])
  })

  test("diagnostics are as hidden as the file they are about", () => {
    const body = { ...makePart("{{ NOPE }}"), trust: "inner" as const }
    expect(expandTemplate(body, names).diagnostics).toEqual([
      { code: "unknown-placeholder", path: "NOTES.md", line: 1, name: "NOPE", needs: "inner" },
    ])
  })
})

describe("one pass", () => {
  test("a value that looks like a placeholder is text", () => {
    expect(expand("{% for e in extensions %}{{ e.instructions }}\n{% endfor %}")).toBe(
      "use {{ TOOLS }} of git|\n|use {{ TOOLS }} of web|\n",
    )
  })

  test("text and value together never form a new placeholder", () => {
    const lists = new Map([["xs", [new Map([["open", { text: "{{" }]])]]])
    const { parts } = expandTemplate(makePart("{% for x in xs %}{{ x.open }} TOOLS }}{% endfor %}"), {
      ...names,
      lists,
    })
    expect(shown(parts)).toBe("{{| TOOLS }}")
  })
})

describe("provenance", () => {
  test("each run has the lines that it covers", () => {
    const { parts } = expandTemplate(
      makePart("one\ntwo {{ TOOLS }} two\n{% if RULES %}\nfour\n{% endif %}\nsix", 11),
      names,
    )
    expect(parts.map((part) => (isSlot(part) ? part.slot : [part.text, linesOf(part)]))).toEqual([
      ["one\ntwo ", [11, 12]],
      "tools",
      [" two\n", [12, 12]],
      ["four\n", [14, 14]],
      ["six", [16, 16]],
    ])
  })

  test("each run matches its lines word for word, for any template", () => {
    const piece = fc.constantFrom(
      "a",
      "b\n",
      "\n",
      " ",
      "{{ TOOLS }}",
      "{{ NOPE }}",
      "{% if TOOLS %}",
      "{% endif %}",
      "{% for e in extensions %}",
      "{% endfor %}",
      "{{ e.name }}",
      "{{",
      "%}",
      "$&",
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const text = pieces.join("")
        const lines = text.split("\n")
        for (const part of expandTemplate(makePart(text), names).parts) {
          if (isSlot(part) || part.from === undefined) continue
          const [first, last] = linesOf(part)
          const covered = part.text.replace(/\n$/, "").split("\n")
          expect(last - first + 1).toBe(covered.length)
          for (const [at, line] of covered.entries()) expect(lines[first - 1 + at]).toContain(line)
        }
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })
})

function linesOf(part: TextPart): readonly [number, number] {
  return part.from?.kind === "file" ? part.from.lines : [0, 0]
}
