// A table of what things cost. On narrow screens it leaves out what can be missed.
import type { ComponentChildren } from "preact"
import { visibleName } from "../visible-text.ts"
import "./money.css"

export interface Column {
  readonly title: string
  readonly kind?: "figure" | "share"
  /** Only where there is room. */
  readonly isWide?: boolean
  /** What is below needs no title on the screen. */
  readonly isSpoken?: boolean
}

export interface MoneyTableProps {
  readonly caption: string
  readonly columns: readonly Column[]
  /** Bodies of the table. */
  readonly children: ComponentChildren
}

export function MoneyTable({ caption, columns, children }: MoneyTableProps) {
  return (
    <table class="money-table">
      <caption class="spoken">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, kind, isWide, isSpoken }) => (
            <th key={title} scope="col" class={classOf(kind, isWide)}>
              {isSpoken === true ? <span class="spoken">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  )
}

function classOf(kind: Column["kind"], isWide = false): string {
  const own = kind === "share" ? "money-share" : (kind ?? "")
  return isWide ? `${own} money-wide` : own
}

/** What qualifies the figures. */
export function Notes({ notes }: { readonly notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} class="small quiet">
      {visibleName(note)}
    </p>
  ))
}
