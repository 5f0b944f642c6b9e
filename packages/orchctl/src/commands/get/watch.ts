import {
  changedSince,
  type FollowSelection,
  follow,
  followObjects,
  followTables,
  type Table,
  type TableColumn,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import type { OutputFormat } from '../../print/output-format.ts';
import { type Style, styleOf } from '../../print/style.ts';
import { StyledTable } from '../../print/styled-table.ts';
import { headerCells, rowCells, type TableOptions } from '../../print/table-rows.ts';
import { followOptions } from '../../session/follow-options.ts';
import { tableOptions } from './print-tables.ts';
import type { GetFlags, GetPart, GetRequest } from './request.ts';
import { WatchedObjects } from './watched-objects.ts';

/**
 * Prints the objects of one resource and then every change of them, until the command is interrupted or `--request-timeout` has
 * passed, also over lost connections. Memory does not grow with the number of objects: rows are printed page by page. When the server no
 * longer has the changes since the last one, the changed objects are printed, with a warning that deletions may be
 * missing.
 */
export async function watchObjects(
  invocation: Invocation<GetFlags>,
  request: GetRequest,
  format: OutputFormat,
): Promise<number> {
  const [part, ...others] = request.parts;
  if (part === undefined || others.length > 0 || (part.names?.length ?? 0) > 1)
    throw new UsageError('watch is only supported on individual resources and resource collections');
  if (part.names !== undefined) await checkExists(request, part, invocation.signal);
  const { globals, io, signal } = invocation;
  if (globals.requestTimeoutMs === 0) return printed(invocation, { request, part, format });
  using limit = withDeadline(signal, io.env.clock, globals.requestTimeoutMs);
  try {
    return await printed({ ...invocation, signal: limit.signal }, { request, part, format });
  } catch (error) {
    // The time of a watch has passed: that is its regular end.
    if (limit.signal.aborted && !signal.aborted && error === limit.signal.reason) return 0;
    throw error;
  }
}

function printed(
  invocation: Invocation<GetFlags>,
  { request, part, format }: { request: GetRequest; part: GetPart; format: OutputFormat },
): Promise<number> {
  const watch = new ResourceWatch(invocation, request, part);
  return format.kind === 'table' ? watch.tables(format.isWide) : watch.objects(format);
}

/** Rejects for a named object that does not exist: a watch of its name would print nothing. */
async function checkExists({ session }: GetRequest, part: GetPart, signal: AbortSignal): Promise<void> {
  const client = session.client.metadata(part.resource, part.namespace);
  for (const name of part.names ?? []) await client.get(name, {}, signal);
}

class ResourceWatch {
  readonly #invocation: Invocation<GetFlags>;
  readonly #request: GetRequest;
  readonly #part: GetPart;
  #hasGap = false;

  constructor(invocation: Invocation<GetFlags>, request: GetRequest, part: GetPart) {
    this.#invocation = invocation;
    this.#request = request;
    this.#part = part;
  }

  async tables(isWide: boolean): Promise<number> {
    const { io, flags, signal, globals } = this.#invocation;
    const { resource, namespace } = this.#part;
    const style = styleOf(io, globals, { isWide });
    const options = tableOptions(this.#invocation, this.#part, { isWide, isMixed: false });
    const output = new WatchedRows(io.out, { options, style }, flags);
    const tables = this.#request.session.client.tables(resource, namespace);
    const source = followTables(tables, this.#selection());
    for await (const step of follow(source, followOptions(io), signal)) {
      if (step.type === 'event') {
        if (step.event.type !== 'BOOKMARK') output.print(step.event.table, step.event.type);
      } else {
        const { page, since } = step;
        const rows = changedSince(page.rows, since, ({ object }) => object?.metadata.resourceVersion);
        if (since !== undefined) this.#reportGap();
        if (since !== undefined || !flags.watchOnly)
          output.print({ ...page, rows }, since === undefined ? 'ADDED' : 'MODIFIED');
      }
      await io.out.drained();
    }
    return 0;
  }

  async objects(format: Exclude<OutputFormat, { kind: 'table' }>): Promise<number> {
    const { io, flags, signal } = this.#invocation;
    const { resource, namespace } = this.#part;
    const output = new WatchedObjects(format, flags);
    const client = this.#request.session.client.resource(resource, namespace);
    const print = async (objects: readonly ApiObject[], type: string): Promise<void> => {
      io.out.write(output.text(objects, type));
      await io.out.drained();
    };
    const source = followObjects(client, this.#selection());
    for await (const step of follow(source, followOptions(io), signal)) {
      if (step.type === 'event') {
        if (step.event.type !== 'BOOKMARK') await print([step.event.object], step.event.type);
      } else if (step.since !== undefined) {
        this.#reportGap();
        const { items } = step.page;
        await print(
          changedSince(items, step.since, ({ metadata }) => metadata.resourceVersion),
          'MODIFIED',
        );
      } else if (!flags.watchOnly) await print(step.page.items, 'ADDED');
    }
    return 0;
  }

  #reportGap(): void {
    if (this.#hasGap) return;
    this.#hasGap = true;
    this.#invocation.io.err.write(
      'Warning: the server no longer has every change; deletions in between may be missing\n',
    );
  }

  #selection(): FollowSelection {
    const { selector, fieldSelector, chunkSize } = this.#invocation.flags;
    const [name] = this.#part.names ?? [];
    const fields = name === undefined ? fieldSelector : `metadata.name=${name}`;
    return {
      ...(selector !== '' && { labelSelector: selector }),
      ...(fields !== '' && { fieldSelector: fields }),
      ...(chunkSize > 0 && { limit: chunkSize }),
    };
  }
}

/** The length of the longest type of event, `MODIFIED`. */
const TYPE_WIDTH = 8;

interface Shown {
  readonly options: TableOptions;
  readonly style: Style;
}

/** Rows that are printed as they arrive, below one header. */
class WatchedRows {
  readonly #out: { write(text: string): void };
  readonly #shown: Shown;
  readonly #flags: GetFlags;
  #columns: readonly TableColumn[] = [];
  #table: StyledTable | undefined;

  constructor(out: { write(text: string): void }, shown: Shown, flags: GetFlags) {
    this.#out = out;
    this.#shown = shown;
    this.#flags = flags;
  }

  print(table: Table, type: string): void {
    if (table.columns.length > 0) this.#columns = table.columns;
    if (table.rows.length === 0) return;
    const { options, style } = this.#shown;
    const events = this.#flags.outputWatchEvents;
    const rows = rowCells(table, this.#columns, options).map((row) =>
      events ? [type.padEnd(TYPE_WIDTH), ...row] : row,
    );
    const hasHeader = this.#table === undefined && !this.#flags.noHeaders;
    const header = headerCells(this.#columns, options);
    this.#table ??= new StyledTable(events ? ['EVENT', ...header] : header, style);
    this.#table.print(this.#out, rows, { hasHeader });
  }
}
