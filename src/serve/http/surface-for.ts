// Which surface answers a path.

/** The surface with the longest prefix of the path. */
export function surfaceFor<S extends { readonly prefix: string }>(
  path: string,
  surfaces: readonly S[],
): S | undefined {
  const fitting = surfaces.filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}
