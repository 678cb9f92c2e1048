// Where a view is shown. A view gets no more than this, so it can write nothing by itself.

export interface Page {
  /** Cells in a line. */
  readonly columns: number
  readonly colour: boolean
}

/** Whether tables keep only the columns that nothing else shows. */
export function isNarrow({ columns }: Pick<Page, "columns">): boolean {
  return columns < 60
}
