// The secrets among variables, by value: of the process, of a server's environment, of headers.
import { isSecretName, isSecretVariable } from "./secret-name.ts"

export type Variables = Readonly<Record<string, string | undefined>>

/** Also counts the variables that are named, whatever they are called. */
export function secretsAmong(variables: Variables, named: readonly string[] = []): readonly string[] {
  return Object.entries(variables).flatMap(([name, value = ""]) => {
    const isSecret = named.includes(name) || isSecretVariable(name, value)
    return isSecret && !isPlace(name, value) ? [value, ...passwordsIn(value)] : []
  })
}

/** What is sent along to be let in: all headers but those that say what is sent. */
export function secretsInHeaders(headers: Variables): readonly string[] {
  return Object.entries(headers).flatMap(([name, value = ""]) =>
    PLAIN_HEADERS.test(name) ? [] : [value, ...value.split(/\s+/)],
  )
}

const PLAIN_HEADERS = /^(?:accept|content|user-agent|host|cache-control|connection|origin)/i

/** The password of an address, as it stands there and as it is meant. */
export function passwordsIn(value: string): readonly string[] {
  if (!URL.canParse(value)) return []
  const { password } = new URL(value)
  return password === "" ? [] : [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Where a secret is kept is none itself, and stands in many texts. A key may begin with a slash, but has no folders. */
function isPlace(name: string, value: string): boolean {
  const hasPath = /^(?:~|\.{1,2})?\/(?:[\w.@+ -]+\/)+[\w.@+ -]*$|^[A-Za-z]:\\/.test(value)
  return hasPath && !(isSecretName(name) && /^[A-Za-z0-9/+=]{40,}$/.test(value))
}
