// Brings the text of what was chosen in a list into view: on a narrow screen, it is below the list.

export function showText(text: Element | null): void {
  if (text !== null && text.getBoundingClientRect().top > innerHeight - LEAST_SEEN_PX)
    text.scrollIntoView({ block: "start" })
}

const LEAST_SEEN_PX = 160
