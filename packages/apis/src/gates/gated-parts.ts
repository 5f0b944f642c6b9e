import type { IncludesPart, ServedType } from '../lifecycle.ts';
import type { Subresource, TableDefinition } from '../resource-type.ts';

/**
 * Rows without the subresources and table columns whose feature gate is closed. A column with a release and a gate is
 * there from that release on, and before it where the gate is open; a subresource needs both.
 */
export const withOpenParts = (rows: readonly ServedType[], parts: GatedParts): readonly ServedType[] =>
  rows.map((row) => {
    const subresources = openSubresources(row.subresources, parts.openGates);
    const table = row.table === undefined ? undefined : openTable(row.table, parts.includes);
    if (subresources === row.subresources && table === row.table) return row;
    return { ...row, subresources, ...(table === undefined ? {} : { table }) };
  });

export interface GatedParts {
  readonly openGates: ReadonlySet<string>;
  /** Which parts the release serves: `fieldServedIn`. */
  readonly includes: IncludesPart;
}

function openSubresources(
  subresources: readonly Subresource[],
  openGates: ReadonlySet<string>,
): readonly Subresource[] {
  const open = subresources.filter(({ gate }) => gate === undefined || openGates.has(gate));
  return open.length === subresources.length ? subresources : open;
}

function openTable(table: TableDefinition, includes: IncludesPart): TableDefinition {
  const shown = table.columns.map(includes);
  if (!shown.includes(false)) return table;
  return {
    ...table,
    columns: table.columns.filter((_column, i) => shown[i]),
    cells: (object, names) => table.cells(object, names).filter((_cell, i) => shown[i]),
  };
}
