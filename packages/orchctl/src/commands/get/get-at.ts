import { UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { hidesManagedFields, objectText, withoutManagedFields } from '../../print/object-text.ts';
import type { OutputFormat } from '../../print/output-format.ts';
import { styleOf } from '../../print/style.ts';
import { StyledTable } from '../../print/styled-table.ts';
import { headerCells, rowCells } from '../../print/table-rows.ts';
import { momentOf } from '../history/moment.ts';
import { fromHistory, namedObject } from '../history/read-history.ts';
import { tableOptions } from './print-tables.ts';
import type { GetFlags } from './request.ts';

/** Prints one object as it was at a moment. */
export async function getAt(invocation: Invocation<GetFlags>, format: OutputFormat): Promise<number> {
  const { flags, words, io, signal } = invocation;
  const { filename, watch, watchOnly, allNamespaces, subresource } = flags;
  if (filename.length > 0 || watch || watchOnly || allNamespaces || subresource !== '')
    throw new UsageError('--at is for one object, which is named as TYPE NAME or TYPE/NAME');
  const moment = momentOf('at', flags.at, io.env.clock.now());
  const session = await invocation.session();
  const target = await namedObject(words, session);
  const history = session.client.history(target.resource, target.namespace);
  if (format.kind !== 'table') {
    const object = await fromHistory(history.at(target.name, moment, signal));
    const shown =
      flags.showManagedFields || !hidesManagedFields(format) ? object : withoutManagedFields(object);
    const text = objectText(format, { objects: [shown], isList: false }, !flags.noHeaders);
    io.out.write(text);
    return 0;
  }
  const table = await fromHistory(history.tableAt(target.name, moment, signal));
  const options = tableOptions(
    invocation,
    { ...target, names: [target.name] },
    { isWide: format.isWide, isMixed: false },
  );
  const cells = rowCells(table, table.columns, options);
  const style = styleOf(io, invocation.globals, format);
  const styled = new StyledTable(headerCells(table.columns, options), style);
  styled.print(io.out, cells, { hasHeader: !flags.noHeaders });
  return 0;
}
