import type { Table } from '@orch/client';
import { ApiError } from '@orch/machinery';
import type { Invocation } from '../../cli/command.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import type { TextOutput } from '../../io.ts';
import { sortValues } from '../../print/sort-by.ts';
import { type Style, styleOf } from '../../print/style.ts';
import { StyledTable } from '../../print/styled-table.ts';
import { headerCells, rowCells, type TableOptions } from '../../print/table-rows.ts';
import { allPages } from '../../resources/all-pages.ts';
import { plainTables } from './plain-tables.ts';
import type { GetFlags, GetPart, GetRequest } from './request.ts';

/** Prints the tables of all parts, each after an empty line when there are several. */
export async function printTables(
  invocation: Invocation<GetFlags>,
  request: GetRequest,
  isWide: boolean,
): Promise<number> {
  const { io } = invocation;
  const isMixed = new Set(request.parts.map(({ resource }) => resource)).size > 1;
  let [status, printed] = [0, 0];
  for (const part of request.parts) {
    const { table, failures } = await readTable(invocation, request, part);
    if (table !== undefined && table.rows.length > 0) {
      if (printed++ > 0 && !invocation.flags.noHeaders) io.out.write('\n');
      const options = tableOptions(invocation, part, { isWide, isMixed });
      const style = styleOf(io, invocation.globals, { isWide });
      printTable(table, { options, style, out: io.out }, invocation.flags);
      await io.out.drained();
    }
    for (const failure of failures) {
      io.err.write(`${reportFailure(failure).text}\n`);
      status = 1;
    }
  }
  if (printed === 0 && status === 0 && !invocation.flags.ignoreNotFound)
    io.err.write(emptyText(invocation, request));
  return status;
}

function emptyText({ flags }: Invocation<GetFlags>, { session, parts }: GetRequest): string {
  const isNamespaced = parts.every(({ resource }) => resource.namespaced);
  return isNamespaced && !flags.allNamespaces
    ? `No resources found in ${session.namespace} namespace.\n`
    : 'No resources found\n';
}

export function tableOptions(
  { flags, io }: Invocation<GetFlags>,
  { resource }: GetPart,
  { isWide, isMixed }: { readonly isWide: boolean; readonly isMixed: boolean },
): TableOptions {
  const { group, kind, namespaced } = resource;
  const prefix = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return {
    isWide,
    hasNamespaces: flags.allNamespaces && namespaced,
    kindPrefix: isMixed || flags.showKind ? prefix : '',
    labelColumns: flags.labelColumns,
    showLabels: flags.showLabels,
    nowMs: io.env.clock.now(),
  };
}

interface Shown {
  readonly options: TableOptions;
  readonly style: Style;
  readonly out: TextOutput;
}

function printTable(table: Table, { options, style, out }: Shown, { noHeaders, sortBy }: GetFlags): void {
  const rows = sortBy === '' ? table.rows : sortValues(table.rows, sortBy, ({ object }) => object);
  const cells = rowCells({ rows }, table.columns, options);
  const styled = new StyledTable(headerCells(table.columns, options), style);
  styled.print(out, cells, { hasHeader: !noHeaders });
}

/** The rows that could be read, and why others could not. */
interface ReadTable {
  readonly table: Table | undefined;
  readonly failures: readonly unknown[];
}

async function readTable(
  { flags, signal }: Invocation<GetFlags>,
  { session }: GetRequest,
  { resource, namespace, names }: GetPart,
): Promise<ReadTable> {
  const tables = flags.serverPrint
    ? session.client.tables(resource, namespace)
    : plainTables(session.client.resource(resource, namespace));
  const include = flags.sortBy === '' ? 'Metadata' : 'Object';
  const pages: Table[] = [];
  const failures: unknown[] = [];
  if (names === undefined) {
    const { selector, fieldSelector, chunkSize } = flags;
    const options = {
      include,
      ...(selector !== '' && { labelSelector: selector }),
      ...(fieldSelector !== '' && { fieldSelector }),
    } as const;
    pages.push(...(await allPages(chunkSize, (limit) => tables.pages({ ...options, ...limit }, signal))));
  }
  for (const name of names ?? []) {
    const subresource = flags.subresource === '' ? undefined : flags.subresource;
    try {
      pages.push(await tables.get(name, { include, subresource }, signal));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!(flags.ignoreNotFound && error.status.code === 404)) failures.push(error);
    }
  }
  const [first] = pages;
  return { table: first && { ...first, rows: pages.flatMap(({ rows }) => rows) }, failures };
}
