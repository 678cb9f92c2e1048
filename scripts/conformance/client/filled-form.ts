// A person who takes what a form suggests, and says yes to everything else.
import type {
  FormField,
  FormValue,
  ServerAnswer,
  ServerQuestion,
} from "../../../src/tools/server-question.ts"

export function filledIn(question: ServerQuestion): ServerAnswer {
  if (question.kind === "page") return { action: "accept", content: {} }
  return {
    action: "accept",
    content: Object.fromEntries(question.fields.map((field) => [field.name, fieldValue(field)])),
  }
}

function fieldValue(field: FormField): FormValue {
  switch (field.kind) {
    case "text":
      return field.default ?? "text"
    case "number":
      return field.default ?? field.least ?? 1
    case "yes-no":
      return field.default ?? true
    case "choice": {
      const chosen = field.default ?? field.options.slice(0, 1).map(({ value }) => value)
      return field.isMany ? chosen : (chosen[0] ?? "")
    }
  }
}
