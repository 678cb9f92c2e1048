// Texts for the tokenizer's tests and benchmark, the same in every run: files of installed packages, and generated
// prose and data in many scripts. Nothing is downloaded.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const MODULES = fileURLToPath(new URL("../../node_modules/", import.meta.url))

/** README and CHANGELOG files of the installed packages, concatenated: more than a megabyte. */
export function markdownText(): string {
  return packageFiles(["README.md", "readme.md", "CHANGELOG.md"]).join("\n\n")
}

/** Licenses, manifests, type declarations and sources of installed packages. */
export function sourceText(): string {
  const files = packageFiles(["LICENSE", "package.json", "index.d.ts", "index.js"])
  return [...files, ...SOURCES.map((path) => readFileSync(`${MODULES}${path}`, "utf8"))].join("\n")
}

const SOURCES = [
  "@types/node/fs.d.ts",
  "@types/node/crypto.d.ts",
  "zod/v4/core/schemas.js",
  "commander/lib/command.js",
]

function packageFiles(names: readonly string[]): string[] {
  return packageNames()
    .flatMap((name) => names.map((file) => `${MODULES}${name}/${file}`))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"))
}

function packageNames(): string[] {
  const names = readdirSync(MODULES).sort()
  return names.flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(`${MODULES}${name}`)
          .map((inner) => `${name}/${inner}`)
          .sort()
      : [name],
  )
}

/** A small seeded generator (xorshift) of numbers from 0 up to but excluding `below`. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** At least `length` characters, with each piece picked by the generator. */
export function generate(
  length: number,
  pick: (random: (below: number) => number) => string,
  seed = 1,
): string {
  const random = seeded(seed)
  let text = ""
  while (text.length < length) text += pick(random)
  return text
}

const WORDS: readonly (readonly string[])[] = [
  ["система", "Подсказка", "не", "ПРИМЕР", "слово", "и", "что-то", "ещё", "«цитата»", "№5"],
  ["السلام", "عليكم", "مُحَمَّد", "نظام", "و", "كلمة", "١٢٣٤", "العَرَبِيَّة", "؟", "لا"],
  ["नमस्ते", "दुनिया", "हिन्दी", "में", "क्षेत्र", "१२३", "।", "प्रणाली", "शब्द", "और"],
  ["สวัสดี", "ชาวโลก", "ภาษาไทย", "๑๒๓", "ระบบ", "คำ", "ๆ", "น้ำ", "ไม่", "เป็น"],
  ["系统提示", "编译器", "，", "。", "你好世界", "第12章", "漢字", "「引用」", "的", "ＡＢＣ"],
  ["こんにちは", "システム", "プロンプト", "ー", "、", "です", "カタカナ", "ひらがな", "ｶﾅ", "々"],
  ["안녕하세요", "시스템", "프롬프트", "한국어", "입니다", "을", "그리고", "각", "ㄱㄴ", "."],
  ["Ελληνικά", "σύστημα", "ΛΕΞΗ", "Đường", "tiếng", "Việt", "naïve", "Straße", "Ǆungla", "ǅ"],
  ["👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🧑🏿‍🚀", "😀😀", "™", "𝔘𝔫𝔦"],
  [
    "e\u0301",
    "Z\u0351\u036b\u0343",
    "A\u030a\u0327",
    "o\u0308\u0304",
    "\u0301x",
    "x\u20dd",
    "ﬁ",
    "Å",
    "ö",
    "n\u0303",
  ],
]

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Prose in many scripts, emoji, combining marks, base64, code and JSON, in lines of moderate length. */
export function mixedText(length: number): string {
  return generate(length, (random) => {
    const kind = random(WORDS.length + 3)
    if (kind < WORDS.length) return `${sentence(WORDS[kind] ?? [], random)}\n`
    if (kind === WORDS.length) return `${generate(60, (r) => BASE64[r(64)] ?? "", random(1e6) + 1)}==\n\n`
    if (kind === WORDS.length + 1)
      return `${JSON.stringify({ id: random(1e9), "a'b": [random(99), null, "\t\\"] })}\r\n`
    return `  if (x_${random(99)} !== ${random(1e5)}) { return "it's"; } // we'll SEE, THEY'RE ok\n\t\t\n`
  })
}

function sentence(words: readonly string[], random: (below: number) => number): string {
  const gaps = [" ", " ", " ", "", ", ", "  "]
  return Array.from(
    { length: 4 + random(10) },
    () => `${words[random(words.length)]}${gaps[random(6)]}`,
  ).join("")
}
