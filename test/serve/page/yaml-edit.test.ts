// Single changes of a YAML text, in the forms in which people write it: every other byte stays.
import { expect, test } from "vitest"
import { editedYaml, type YamlEdit } from "../../../src/serve/page/what-if/yaml-edit.ts"

const OFF = { keys: ["prompt", "sections", "soul"], value: "off" }
const HEAD = { keys: ["budget", "head"], value: 9000 }
const ON = { keys: ["prompt", "sections", "soul"], value: undefined }
const TEXT = { keys: ["prompt", "sections", "soul", "text"], value: "One.\nTwo: #3" }

test.each<readonly [name: string, before: string, edit: YamlEdit, after: string]>([
  ["nothing there", "", OFF, "prompt:\n  sections:\n    soul: off\n"],
  ["only comments", "# Mine.\n", HEAD, "# Mine.\nbudget:\n  head: 9000\n"],
  ["no last line end", "model: a/b", HEAD, "model: a/b\nbudget:\n  head: 9000\n"],
  ["a comment beside it", "model:  a/b # why\n", { keys: ["model"], value: "c/d" }, "model:  c/d # why\n"],
  ["quotes", "model: 'a/b'\nx: 1\n", { keys: ["model"], value: "c/d" }, "model: c/d\nx: 1\n"],
  ["an empty flow map", "budget: {}\n", HEAD, "budget: { head: 9000 }\n"],
  ["a flow map", "budget: {window: 1} # all\n", HEAD, "budget: {window: 1, head: 9000} # all\n"],
  ["a flow map in lines", "budget: {\n  window: 1,\n}\n", HEAD, "budget: {\n  window: 1, head: 9000,\n}\n"],
  ["a value without text", "prompt:\nmodel: a/b\n", OFF, "prompt:\n  sections:\n    soul: off\nmodel: a/b\n"],
  [
    "four columns",
    "prompt:\n    context: all\n\n# The model.\nmodel: a/b\n",
    OFF,
    "prompt:\n    context: all\n    sections:\n        soul: off\n\n# The model.\nmodel: a/b\n",
  ],
  [
    "a section with settings",
    "prompt:\n  sections:\n    soul:\n      priority: low # for now\n    rules: off\n",
    OFF,
    "prompt:\n  sections:\n    soul: off\n    rules: off\n",
  ],
  [
    "a text in a map",
    "prompt:\n  sections:\n    soul: { priority: low }\n",
    TEXT,
    'prompt:\n  sections:\n    soul: { priority: low, text: "One.\\nTwo: #3" }\n',
  ],
  [
    "a text in the place of a word",
    "prompt:\n  sections:\n    soul: off\n    rules: off\n",
    TEXT,
    "prompt:\n  sections:\n    soul:\n      text: |-\n        One.\n        Two: #3\n    rules: off\n",
  ],
  [
    "a text in the place of a text",
    "prompt:\n  sections:\n    soul:\n      text: |\n        Old.\n\n        Older.\n      priority: low\n",
    TEXT,
    "prompt:\n  sections:\n    soul:\n      text: |-\n        One.\n        Two: #3\n      priority: low\n",
  ],
  ["the only one", "prompt: { sections: { soul: off } }\nmodel: a/b\n", ON, "model: a/b\n"],
  [
    "one of several",
    "prompt:\n  sections:\n    # The tone.\n    soul: off\n    rules: off # later\n",
    ON,
    "prompt:\n  sections:\n    # The tone.\n    rules: off # later\n",
  ],
  [
    "the first of a flow map",
    "prompt: { sections: { soul: off, rules: off } }\n",
    ON,
    "prompt: { sections: { rules: off } }\n",
  ],
  [
    "the last of a flow map",
    "prompt: { sections: { rules: off, soul: off } }\n",
    ON,
    "prompt: { sections: { rules: off } }\n",
  ],
  ["a block map", "a: 1\nbudget:\n  window: 2\n", HEAD, "a: 1\nbudget:\n  window: 2\n  head: 9000\n"],
  [
    "an alias",
    "x: &b { window: 1 }\nbudget: *b\n",
    { keys: ["model"], value: "a/b" },
    "x: &b { window: 1 }\nbudget: *b\nmodel: a/b\n",
  ],
])("%s", (_name, before, edit, after) => {
  expect(editedYaml(before, [edit])).toBe(after)
})
