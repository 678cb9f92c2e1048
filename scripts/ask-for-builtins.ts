// Rewrites how a chunk of the command line gets Node's own modules. An `import` reads everything that such a module has,
// and some of it loads more when it is read: with `node:util` come worker threads. Asking for the module does not.
import { isBuiltin } from "node:module"

/** One statement, as a minified chunk has it: a default, a namespace, names, or nothing but the module. */
const IMPORT = /import(?:(?: ([\w$]+))?,?(?:\*as ([\w$]+) ?|\{([^}]*)\}| )from)?"([^"]+)";/y

/** Only the statements at the beginning are imports; what looks like one later is text. */
export function askForBuiltins(code: string): string {
  let [others, asked, end] = ["", "", 0]
  for (;;) {
    IMPORT.lastIndex = end
    const found = IMPORT.exec(code)
    if (found === null) return others + asked + code.slice(end)
    const [statement, whole, all, names, from = ""] = found
    end = IMPORT.lastIndex
    if (isBuiltin(from))
      asked += declarations([whole, all, names && `{${names.replaceAll(" as ", ":")}}`], from)
    else others += statement
  }
}

/** `globalThis`, because a chunk may itself declare `process`. */
function declarations(targets: readonly (string | undefined)[], from: string): string {
  return targets
    .filter((target) => target)
    .map((target) => `const ${target}=globalThis.process.getBuiltinModule("${from}");`)
    .join("")
}
