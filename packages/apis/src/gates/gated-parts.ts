import type { IncludesPart, ServedType } from '../lifecycle.ts';
import type { Subresource, TableDefinition } from '../resource-type.ts';

/**
 * Resource definitions without the subresources and table columns whose feature gate is disabled, and with the format of
 * names that gates decide. A column with a release and a gate is present from that release on, and before it if the gate is
 * enabled; a subresource needs both.
 */
export const withOpenParts = (types: readonly ServedType[], parts: GatedParts): readonly ServedType[] =>
  types.map((type) => {
    const subresources = openSubresources(type.subresources, parts.openGates);
    const table = type.table === undefined ? undefined : openTable(type.table, parts.includes);
    const nameFormat = openNameFormat(type, parts.includes);
    if (subresources === type.subresources && table === type.table && nameFormat === type.nameFormat)
      return type;
    return { ...type, subresources, nameFormat, ...(table === undefined ? {} : { table }) };
  });

export interface GatedParts {
  readonly openGates: ReadonlySet<string>;
  /** Reports which parts the release serves: `fieldServedIn`. */
  readonly includes: IncludesPart;
}

function openNameFormat({ nameFormat, gatedNameFormat }: ServedType, includes: IncludesPart): string {
  if (gatedNameFormat === undefined) return nameFormat;
  return includes(gatedNameFormat) ? gatedNameFormat.format : gatedNameFormat.otherwise;
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
