// The bundles of the command line are scripts, and `bin/bundles.js` runs them. A script cannot import modules by itself
// unless it uses an experimental part of Node, so it is given a function that does.
import type { Plugin } from "rolldown"
import { parseAst } from "rolldown/parseAst"

export const importsByFunction: Plugin = {
  name: "imports-by-function",
  renderChunk(code) {
    const starts = importsIn(parseAst(code)).toSorted((left, right) => left - right)
    const ends = [...starts.map((start) => start + "import".length), 0]
    const parts = [...starts, code.length].map((start, at) => code.slice(ends.at(at - 1), start))
    return parts.join("$import")
  },
}

/** Where each `import(…)` begins. */
function importsIn(node: unknown): readonly number[] {
  if (Array.isArray(node)) return node.flatMap(importsIn)
  if (typeof node !== "object" || node === null) return []
  const inside = Object.values(node).flatMap(importsIn)
  return "type" in node && node.type === "ImportExpression" && "start" in node
    ? [Number(node.start), ...inside]
    : inside
}
