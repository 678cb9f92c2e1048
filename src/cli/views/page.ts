// Where a view is shown. A view gets no more than this, so it can write nothing by itself.

export interface Page {
  /** Cells in a line. */
  readonly columns: number
  readonly colour: boolean
}
