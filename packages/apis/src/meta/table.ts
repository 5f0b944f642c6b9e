import { f, items, struct } from '@orch/schema';
import { ListMeta } from './list-meta.ts';
import { RawExtension } from './raw.ts';

export const TableColumnDefinition = struct(
  'meta.v1.TableColumnDefinition',
  'Describes one column of a table.',
  {
    name: f.string(1, { doc: 'Heading.', presence: 'always' }),
    type: f.string(2, { doc: 'Type of the cells, as in OpenAPI.', presence: 'always' }),
    format: f.string(3, {
      doc: 'Further detail of the type; `name` marks the column that identifies the row.',
      presence: 'always',
    }),
    description: f.string(4, { doc: 'Description of the column.', presence: 'always' }),
    priority: f.int32(5, {
      doc: '0 for columns that are always shown; others are shown in wide output.',
      presence: 'always',
    }),
  },
);

export const TableRowCondition = struct('meta.v1.TableRowCondition', 'Marks a row as special.', {
  type: f.string(1, { doc: 'Type of the mark, such as Completed.', presence: 'always' }),
  status: f.string(2, { doc: 'Whether it holds.', presence: 'always' }),
  reason: f.string(3, { doc: 'Machine-readable reason, in CamelCase.' }),
  message: f.string(4, { doc: 'Human-readable details.' }),
});

export const TableRow = struct('meta.v1.TableRow', 'One object of a table.', {
  cells: f.list(1, items.json, { doc: 'One value per column.', presence: 'always' }),
  conditions: f.list(2, TableRowCondition, { doc: 'Marks of the row.' }),
  object: f.struct(3, RawExtension, {
    doc: 'The object of the row, or the requested part of it.',
    presence: 'pointer',
  }),
});

export const Table = struct(
  'meta.v1.Table',
  'Objects in the format of a table, for clients that do not know their kind.',
  {
    metadata: f.struct(1, ListMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    columnDefinitions: f.list(2, TableColumnDefinition, {
      doc: 'The columns, in order.',
      presence: 'always',
    }),
    rows: f.list(3, TableRow, { doc: 'The objects.', presence: 'always' }),
  },
  { typeMeta: true },
);
