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
    description: f.string(4, { doc: 'What the column shows.', presence: 'always' }),
    priority: f.int32(5, {
      doc: '0 for columns that are always shown; higher ones need more room.',
      presence: 'always',
    }),
  },
);

export const TableRowCondition = struct('meta.v1.TableRowCondition', 'Marks a row as special.', {
  type: f.string(1, { doc: 'Which mark, such as Completed.', presence: 'always' }),
  status: f.string(2, { doc: 'Whether it holds.', presence: 'always' }),
  reason: f.string(3, { doc: 'One CamelCase word for programs: why it is so.' }),
  message: f.string(4, { doc: 'Details for people.' }),
});

export const TableRow = struct('meta.v1.TableRow', 'One object of a table.', {
  cells: f.list(1, items.json, { doc: 'One value per column.', presence: 'always' }),
  conditions: f.list(2, TableRowCondition, { doc: 'Marks of the row.' }),
  object: f.struct(3, RawExtension, {
    doc: 'The object that the row shows, as much of it as was asked for.',
    presence: 'pointer',
  }),
});

export const Table = struct(
  'meta.v1.Table',
  'Objects in the form of a table, so that clients can show kinds they know nothing about.',
  {
    metadata: f.struct(1, ListMeta, {
      doc: 'Name, labels and the other data that every object carries.',
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
