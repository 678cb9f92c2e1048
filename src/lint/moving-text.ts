// Finds text in a file that changes automatically: each change invalidates the cache of everything after it. A date
// that is part of the content ("since 1887", "as of June 2026", "added 2026-06-12 10:42") doesn't change, however
// exact. Code shows a format and is ignored.
import type { Diagnostic } from "../base/diagnostic.ts"
import { fenceLines } from "../base/text/fence.ts"
import type { SourceFile } from "../core/model/source.ts"

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
const DATE = `(?:\\d{4}-\\d{2}-\\d{2}|\\d{4}/\\d{1,2}/\\d{1,2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2}(?:st|nd|rd|th)? ${MONTH} \\d{4}|${MONTH} (?:\\d{1,2}(?:st|nd|rd|th)?,? )?\\d{4})`
/** Markdown emphasis and a colon may come between the words and the date. */
const MARKS = "[\\s*_:(]{1,8}"
const TIME = "\\d{4}-\\d{2}-\\d{2}(?:T| |, | at )\\d{2}:\\d{2}"
/** What may precede the first word of a line. Excludes headings: a heading with a time starts a log entry. */
const BEGIN = "^[\\s>*_([<!-]{0,12}"

/** The first match in a line is reported. */
const KINDS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    // A date alone is set by the person who edits the file, and the edit itself invalidates the cache anyway.
    what: "the time of its last change",
    pattern: new RegExp(
      `\\blast (?:updated|update|modified|changed|edited)${MARKS}(?:(?:on|at|by)${MARKS})?(?:${DAY},? )?${DATE}(?:T| |, | at )\\d{1,2}:\\d{2}`,
      "iu",
    ),
  },
  {
    what: "the date on which it was generated",
    pattern: new RegExp(
      `\\b(?:generated|last (?:synced|refreshed|built))${MARKS}(?:(?:on|at|by)${MARKS})?(?:${DAY},? )?${DATE}`,
      "iu",
    ),
  },
  {
    what: "today's date",
    pattern: new RegExp(
      `(?<!\\b(?:if|when|whenever|whether|unless|that|suppose|say) )\\b(?:today(?:['’]s date)?|(?:the )?current (?:date|time)(?: and time)?)(?: is|${MARKS})${MARKS}?(?:(?:on|the) )?(?:${DAY}|${DATE}|\\d{1,2}:\\d{2}|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH})`,
      "iu",
    ),
  },
  {
    what: "the time when it was written",
    pattern: new RegExp(
      `${BEGIN}(?:(?:session|run|conversation|status|snapshot|report) )?(?:timestamp|time|now|started|updated|synced|refreshed|built|exported|as of)${MARKS}(?:(?:on|at)${MARKS})?${TIME}`,
      "iu",
    ),
  },
  {
    what: "the time when it was written",
    pattern: new RegExp(
      `${BEGIN}${TIME}(?::\\d{2}(?:\\.\\d{1,9})?)?\\s?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?[\\s*_)>-]{0,12}$`,
      "iu",
    ),
  },
  {
    what: "a counter",
    pattern: /\b(?:run|build|session|turn|iteration|heartbeat|conversation) ?(?:#|no\. ?|number )\d/iu,
  },
  // Seconds or milliseconds since 1970, from 2017 to 2033, and not part of a longer name or number.
  { what: "a Unix time", pattern: /(?<![\w.+:/#@-])1[5-9]\d{8}(?:\d{3})?(?![\w-]|\.\d)/u },
]

export function movingText(file: SourceFile): readonly Diagnostic[] {
  const { path, trust: needs, firstLine } = file
  const lines = file.text.split("\n")
  const inFence = fenceLines(lines, "any")
  return lines.flatMap((line, offset) => {
    const what = inFence[offset] ? undefined : movingIn(line)
    return what === undefined
      ? []
      : [{ code: "moving-text-in-file", path, line: firstLine + offset, what, needs } as const]
  })
}

function movingIn(line: string): string | undefined {
  const prose = line.replace(/`[^`]+`/g, "`")
  return KINDS.find(({ pattern }) => pattern.test(prose))?.what
}
