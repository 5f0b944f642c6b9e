export type { IncludeObject, RowSource } from './row.ts';
export { SliceWriter } from './slice-writer.ts';
export { TableWriter } from './table.ts';
