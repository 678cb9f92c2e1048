// A file that came with a message.

/** An image or a document, as it is stored with a message. */
export interface MessageFile {
  readonly mediaType: string
  /** base64 */
  readonly data: string
  readonly name?: string
}
