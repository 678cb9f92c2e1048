// Whether a name that a caller, a database or a model gives is safe as the name of one file, on every system and in every
// place where it is shown.

/** A plain name: nothing that a file system, a shell or a URL could read as more than one name, or as another one. */
export function isPlainName(name: string): boolean {
  return (
    /^[^\p{Cc}\p{Cs}\\/:*?"<>|%~\u202a-\u202e\u2066-\u2069]{1,255}$/u.test(name) &&
    !name.startsWith(".") &&
    !/[. ]$/.test(name) &&
    name === name.normalize("NFC")
  )
}
