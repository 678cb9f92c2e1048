// Where redaction begins and ends: which names, values and lengths count, how findings become marks, and what plain data
// is looked into. Each limit is tested on both of its sides.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { encodingsOf } from "../../../src/record/redact/encodings.ts"
import { isRedacted, marked, type SecretSpan } from "../../../src/record/redact/mark.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { isSecretVariable } from "../../../src/record/redact/secret-name.ts"
import { passwordsIn, secretsAmong, secretsInHeaders } from "../../../src/record/redact/secret-variables.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { userPatterns } from "../../../src/record/redact/user-patterns.ts"
import { withoutSecrets } from "../../../src/tools/agent/shell-env.ts"

// Put together here, so that no scanner takes this file for a leak.
const GITHUB = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_")
const KEY = "[redacted:key]"

describe("marks", () => {
  const find = (from: number, to: number, kind: string): SecretSpan => ({ from, to, kind })

  test("spans that touch stay apart, and those that overlap become one, named after the longest", () => {
    const text = "0123456789"
    const shown = (...findings: readonly SecretSpan[]) => marked(text, findings)
    expect([
      shown(),
      shown(find(5, 8, "b"), find(0, 5, "a")),
      shown(find(0, 5, "a"), find(3, 9, "b")),
      shown(find(1, 9, "a"), find(3, 5, "b"), find(8, 10, "c")),
      shown(find(0, 5, "a"), find(2, 7, "b")),
      shown(find(2, 4, "a"), find(2, 6, "b")),
      shown(find(0, 4, "a"), find(1, 2, "b"), find(3, 6, "c"), find(6, 7, "d")),
    ]).toEqual([
      text,
      "[redacted:a][redacted:b]89",
      "[redacted:b]9",
      "0[redacted:a]",
      "[redacted:a]789",
      "01[redacted:b]6789",
      "[redacted:a][redacted:d]789",
    ])
  })

  test("what is in no span stays, in its order, and what is in one goes", () => {
    const finding = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 9 })).map(([from, length]) => ({
      from,
      to: from + length,
      kind: "x",
    }))
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 6 }), (findings) => {
        const text = String.fromCodePoint(...Array.from({ length: 40 }, (_, at) => 0x4e00 + at))
        const kept = [...text].filter((_, at) => !findings.some(({ from, to }) => from <= at && at < to))
        expect(marked(text, findings).replaceAll("[redacted:x]", "")).toBe(kept.join(""))
      }),
    )
  })

  test("only what a mark can say is a mark", () => {
    const marks = ["a", "own-2", "x".repeat(60), "", "x".repeat(61), "Own", "a b"]
    expect(marks.map((kind) => isRedacted(`see [redacted:${kind}].`))).toEqual([
      ...[true, true, true],
      ...[false, false, false, false],
    ])
  })
})

describe("variables", () => {
  test.each([
    ["API_KEY", true],
    ["mytoken", true],
    ["CLIENT_SECRET", true],
    ["DB_PASSWD", true],
    ["GPG_PASSPHRASE", true],
    ["PASSCODE", true],
    ["GOOGLE_CREDENTIALS", true],
    ["PRIVATE_DATA", true],
    ["SESSION_COOKIE", true],
    ["DB_PASS", true],
    ["PASS", true],
    ["X-Auth-Id", true],
    ["GITHUB_PAT", true],
    ["JWT", true],
    ["SENTRY_DSN", true],
    ["MYSQL_PWD", true],
    ["PWD", false],
    ["OLDPWD", false],
    ["AUTHOR", false],
    ["PATH", false],
    ["COMPASS", false],
    ["SSH_AUTH_SOCK", false],
  ])("%s holds a secret: %o", (name, isSecret) => {
    expect(isSecretVariable(name, "value")).toBe(isSecret)
  })

  test("an address with a password is a secret under any name, one with a user alone is none", () => {
    const isSecret = (value: string) => isSecretVariable("PLAIN", value)
    expect(["x://u:p@h", "x://:p@h", "x://u@h", "x://h:80/a@b", "u:p@h", "x://u: p@h"].map(isSecret)).toEqual(
      [true, true, false, false, false, false],
    )
  })

  test("a command gets the socket of the agent that keeps keys, and no key", () => {
    const env = { SSH_AUTH_SOCK: "agent-socket", API_KEY: "k", EMPTY: undefined, LANG: "C" }
    expect(withoutSecrets(env)).toEqual({ SSH_AUTH_SOCK: "agent-socket", LANG: "C" })
  })

  test("what is a path is none, unless its name says key and it looks like one", () => {
    const base64 = `/${"aB3/".repeat(9)}xyz`
    const found = (value: string | undefined, name = "MY_TOKEN") => secretsAmong({ [name]: value })
    expect(
      ["/run/key", "~/keys/a.json", "./a/b", "../a/b", "C:\\keys\\a", "/key", "run/secrets/key"].map(
        (value) => found(value),
      ),
    ).toEqual([[], [], [], [], [], ["/key"], ["run/secrets/key"]])
    expect([base64, base64.slice(1), base64.slice(0, 39)].map((value) => found(value).length)).toEqual([
      1, 1, 0,
    ])
    expect([secretsAmong({ PLAIN: base64 }, ["PLAIN"]), found(undefined)]).toEqual([[], [""]])
  })

  test("the password of an address is known as it is written and as it is meant", () => {
    expect(
      [
        "x://u:a%40b@h",
        "x://u:100%@h",
        "x://u@h",
        "x:u:p@h",
        "no address://",
        "x://u:p@h",
        "https:u:p@h",
      ].map(passwordsIn),
    ).toEqual([["a%40b", "a@b"], ["100%", "100%"], [], [], [], ["p", "p"], ["p", "p"]])
  })

  test("headers that say what is sent are no secrets, whatever their case", () => {
    const plain = ["Accept", "accept-language", "CONTENT-TYPE", "User-Agent", "Host", "Cache-Control"]
    const headers = Object.fromEntries([...plain, "Connection", "Origin"].map((name) => [name, "plain"]))
    expect(secretsInHeaders({ ...headers, "X-Accept": "one  two", Cookie: undefined })).toEqual([
      ...["one  two", "one", "two"],
      ...["", ""],
    ])
  })
})

describe("values", () => {
  const isLookedFor = (value: string) => createSecrets([value]).redact(`<${value}>`) !== `<${value}>`

  test.each([
    ["of eight characters", "ab-12345", "ab-1234"],
    ["of letters alone, from twenty on", "abcdefghijklmnopqrst", "abcdefghijklmnopqrs"],
    ["of digits alone, from twenty on", "12345678901234567890", "1234567890123456789"],
    ["of more than one sign", "aaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaaa"],
  ])("%s count", (_, counted, ignored) => {
    expect([isLookedFor(counted), isLookedFor(ignored), isLookedFor(` ${ignored} `)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test("a long line of a value counts by itself, a short one and the words of a block do not", () => {
    const [long, short] = ["a1".repeat(12), "b2".repeat(11)]
    const secrets = createSecrets([`-----BEGIN A LONG ENOUGH BLOCK-----\n${long}\n  ${short}3\nend`])
    expect(secrets.redact(`${long} ${short}3 -----BEGIN A LONG ENOUGH BLOCK-----`)).toBe(
      `${KEY} ${short}3 -----BEGIN A LONG ENOUGH BLOCK-----`,
    )
  })

  test("a value that is broken over lines counts from sixteen characters on", () => {
    const broken = (value: string) =>
      createSecrets([value]).redact(`${value.slice(0, 5)}\r\n\t ${value.slice(5)}`)
    expect([broken("0123456789abcde-"), broken("0123456789abcd-")]).toEqual([KEY, "01234\r\n\t 56789abcd-"])
  })

  test("of two values that begin alike the longer is taken out whole, whichever was known first", () => {
    const [short, long] = ["ab-123456", "ab-123456-and-more"]
    const secrets = createSecrets([short])
    secrets.learn([long])
    expect([secrets.redact(long), createSecrets([long, short]).redact(long)]).toEqual([KEY, KEY])
  })

  test("what a value's signs mean in a pattern does not matter", () => {
    const value = "a.b*c+d?(e)[f]{1}|^$\\"
    expect(createSecrets([value]).redact(`${value} aXb*c+d?(e)[f]{1}|^$\\`)).toBe(
      `${KEY} aXb*c+d?(e)[f]{1}|^$\\`,
    )
  })

  test.each([
    ["hexadecimal of capitals", Buffer.from("v-ö/12345").toString("hex").toUpperCase()],
    ["percent codes of small letters", encodeURIComponent("v-ö/12345").toLowerCase()],
  ])("%s", (_, encoded) => {
    expect(createSecrets(["v-ö/12345"]).redact(`<${encoded}>`)).toBe(`<${KEY}>`)
  })

  test.each([0, 1, 2])(
    "base64 of either alphabet, after %i bytes, is taken out to its last sign",
    (shift) => {
      const value = "ÿÿ?>~ÿ-¿¾?x"
      const secrets = createSecrets([value])
      for (const alphabet of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(`${"u".repeat(shift)}${value}`).toString(alphabet)
        const [, before = "", after = ""] = /^(.*)\[redacted:key\](.*)$/.exec(secrets.redact(encoded)) ?? []
        // A sign may belong to the value and to what stands beside it.
        expect([before.length, after]).toEqual([Math.ceil((shift * 8) / 6), expect.stringMatching(/^.?=*$/)])
      }
      expect(secrets.redact(Buffer.from(value).toString("base64url"))).toBe(KEY)
    },
  )

  test("a value with half of a pair is known like any other", () => {
    expect(createSecrets(["ab-1234\ud800"]).redact("<ab-1234\ud800>")).toBe(`<${KEY}>`)
  })

  test("no form of a value that counts is short enough to turn up by chance", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 8, maxLength: 40 }), (value) => {
        expect(encodingsOf(value).filter((form) => form.length < 8)).toEqual([])
      }),
    )
  })

  test("a text that broke off keeps seven characters of a value's beginning, and no more", () => {
    const secrets = createSecrets(["ab-1234567890"])
    expect(["ab-1234", "ab-12345"].map((end) => secrets.redactCut(`it is ${end}`))).toEqual([
      "it is ab-1234",
      "it is ",
    ])
  })

  test("in a stream a whole value is marked at once where no longer one can follow", () => {
    const stream = createSecrets(["ab-12345"]).stream()
    expect([stream.push("<ab-123"), stream.push("45"), stream.push(">"), stream.end()]).toEqual([
      ...["<", KEY, ">", ""],
    ])
  })

  test("in a stream all but the last character of the longest form is held back, and given at the end, once", () => {
    const value = "ab-12345"
    const stream = createSecrets([value]).stream()
    const longest = encodingsOf(value).toSorted((a, b) => b.length - a.length)[0] ?? ""
    expect([stream.push(longest.slice(0, -1)), stream.end(), stream.end()]).toEqual([
      "",
      longest.slice(0, -1),
      "",
    ])
  })

  test("data is looked into where it is plain, and is left alone where it has a class", () => {
    class Box {
      value = "ab-12345"
    }
    const bare: Record<string, unknown> = Object.assign(Object.create(null), { value: "ab-12345" })
    const [box, date, list] = [new Box(), new Date(0), ["x", ["y"]]]
    const secrets = createSecrets(["ab-12345"])
    const data = { box, date, list, bare, none: null, count: 1, when: undefined, deep: [["ab-12345"]] }
    const shown = secrets.within(data)
    expect(shown).toEqual({ ...data, bare: { value: KEY }, deep: [[KEY]] })
    expect([shown.box === box, shown.list === list, box.value]).toEqual([true, true, "ab-12345"])
    expect(createSecrets().within(data)).toBe(data)
    expect(secrets.within({ "ab-12345": 1 })).toEqual({ [KEY]: 1 })
  })
})

describe("the redactor", () => {
  test("texts are scanned in groups, and none loses a secret at its first or last place", async () => {
    const filler = (length: number) => "plain words ".repeat(Math.ceil(length / 12)).slice(0, length)
    const lengths = [49_900, 49_900, 120, 1, 100_000, 130_000, 60, 99_880, 30, 1]
    const texts = lengths.map((length, at) => `${GITHUB} ${at}${filler(length)} ${GITHUB}`)
    const [mark] = await createRedactor()([GITHUB])
    expect(await createRedactor()(texts)).toEqual(texts.map((text) => text.replaceAll(GITHUB, mark ?? "")))
  })

  test("a secret is taken out where a text tells scanners to look away", async () => {
    const role = ["AROA", "Q3EGRJ7BWZ5XKPTM"].join("")
    const offs = ["", "// secretlint-disable\n", "<!-- secretlint-disable -->\n", "secretlint-disable\n\n"]
    expect(await createRedactor()(offs.map((off) => `${off}${role}`))).toEqual(
      offs.map((off) => `${off}[redacted:aws]`),
    )
  })

  test("the same text twice, an empty one and one without a secret keep their places", async () => {
    const redact = createRedactor()
    const [long, secret] = ["plain ".repeat(60), `${"plain ".repeat(60)}${GITHUB}`]
    const expected = ["", long, secret, long, "short", secret].map((text) =>
      text.replace(GITHUB, "[redacted:github]"),
    )
    for (const _ of [1, 2]) expect(await redact(["", long, secret, long, "short", secret])).toEqual(expected)
  })

  test("a pattern takes out what it finds, and nothing where it finds an empty text", () => {
    expect(userPatterns(["x*(?=y)", "b+"])(["axxy y", "abb"])).toEqual([
      "a[redacted:own]y y",
      "a[redacted:own]",
    ])
  })

  test("a pattern of 500 characters is taken, and whoever gives a bad one is told what is wrong with it", () => {
    const refusal = (pattern: string) => {
      try {
        userPatterns([pattern])
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : undefined
      }
    }
    expect(["x".repeat(500), "x".repeat(501), "(", "a*"].map(refusal)).toEqual([
      undefined,
      `the pattern ${"x".repeat(80)} has more than 500 characters`,
      "the pattern ( is not a regular expression",
      "the pattern a* matches empty text",
    ])
  })
})
