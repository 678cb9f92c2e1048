import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { generateDocs } from "../../scripts/generate-docs.ts"

const pages = [...(await generateDocs())]

test.each(pages)("%s is what `npm run docs` writes", (path, content) => {
  expect(readFileSync(path, "utf8")).toBe(content)
})
