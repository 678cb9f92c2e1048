// Finds secret values among variables: of the process, of a server's environment, of headers.
import { isSecretName, isSecretVariable } from "./secret-name.ts"

export type Variables = Readonly<Record<string, string | undefined>>

/** Includes the `named` variables, whatever their names look like. */
export function secretsAmong(variables: Variables, named: readonly string[] = []): readonly string[] {
  return Object.entries(variables).flatMap(([name, value = ""]) => {
    const isSecret = named.includes(name) || isSecretVariable(name, value)
    return isSecret && !isPlace(name, value) ? [value, ...passwordsIn(value)] : []
  })
}

/** Headers that authenticate: all except those that describe the content. */
export function secretsInHeaders(headers: Variables): readonly string[] {
  return Object.entries(headers).flatMap(([name, value = ""]) =>
    PLAIN_HEADERS.test(name) ? [] : [value, ...value.split(/\s+/)],
  )
}

const PLAIN_HEADERS = /^(?:accept|content|user-agent|host|cache-control|connection|origin)/i

/** The password in a URL, as written and decoded. */
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

/**
 * The path of a secret is not secret itself, and occurs in many texts. A key may begin with a slash, but has no
 * folders.
 */
function isPlace(name: string, value: string): boolean {
  const hasPath = /^(?:~|\.{1,2})?\/(?:[\w.@+ -]+\/)+[\w.@+ -]*$|^[A-Za-z]:\\/.test(value)
  return hasPath && !(isSecretName(name) && /^[A-Za-z0-9/+=]{40,}$/.test(value))
}
