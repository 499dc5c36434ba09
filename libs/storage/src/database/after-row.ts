/** Where a page of a list begins, whose rows are in the order of their making: right after this row. */
export interface AfterRow {
  readonly createdAt: Date;
  readonly id: string;
}
