// Why somebody is not signed in to a server. The messages are for the person: one clear line.

/** A sign-in was refused, because something about it is not safe, or it failed. */
export class SignInFailed extends Error {
  override readonly name = "SignInFailed"
}

/** The server wants a sign-in that only the person can do. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded"

  constructor(server: string, why = "you are not signed in") {
    super(`${why}; run: incipit mcp login ${server}`)
  }
}
