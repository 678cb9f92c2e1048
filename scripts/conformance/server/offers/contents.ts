// The smallest real image and sound, for offers that must have one.

/** One red pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="

/** No samples at all. */
export const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="

export function textContent(text: string) {
  return { type: "text" as const, text }
}

export function said(text: string) {
  return { content: [textContent(text)] }
}
