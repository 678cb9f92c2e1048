// The signs of the page. Each stands beside a word, so none is spoken.

const PATHS = {
  included: "M3 8.5l3.2 3.2L13 4.8",
  truncated: "M4 4l8.5 6.5M4 12l8.5-6.5M3.6 2.6a1.6 1.6 0 1 0 .01 0M3.6 10.6a1.6 1.6 0 1 0 .01 0",
  unchanged: "M3 6h10M3 10h10",
  ended: "M3 8h10M9 4.5 13 8l-4 3.5",
  withheld: "M8 2a6 6 0 1 0 .01 0M3.8 3.8l8.4 8.4",
  dropped: "M8 2.5v9M4 8l4 4 4-4",
  unused: "M8 2.5a5.5 5.5 0 1 0 .01 0",
  warning: "M8 2 15 14H1zM8 6.5v3.5M8 12v.4",
} as const

export type SignName = keyof typeof PATHS

export function Sign({ name }: { readonly name: SignName }) {
  return (
    <svg class="sign" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
    </svg>
  )
}
