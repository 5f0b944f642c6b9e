import { changedSince, follow, followObjects } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asNumber, asText, type JsonObject, objectAt } from '@orch/machinery/json';
import { humanAge } from '@orch/machinery/time';
import { type FlagValues, listFlag, switchFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { allNamespacesFlag, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { objectText, withoutManagedFields } from '../../print/object-text.ts';
import { outputFlags, parseOutputFormat } from '../../print/output-format.ts';
import { styleOf } from '../../print/style.ts';
import { StyledTable } from '../../print/styled-table.ts';
import { allPages } from '../../resources/all-pages.ts';
import { readResourceWords } from '../../resources/resource-words.ts';
import { followOptions } from '../../session/follow-options.ts';
import type { Session } from '../../session/session.ts';
import { momentOf } from '../history/moment.ts';
import { changeCells, type TimelineChange, type TimelineRequest, timelineChanges } from './timeline.ts';

const section = 'Flags';

const flags = {
  ...allNamespacesFlag,
  ...showManagedFieldsFlag,
  ...outputFlags(section),
  chunkSize: wholeFlag(
    { name: 'chunk-size', help: 'Read events in chunks of this many; 0 reads all at once.', section },
    500,
    { least: 0, most: 1_000_000 },
  ),
  for: textFlag({ name: 'for', help: 'Only events about this object: TYPE/NAME.', section }),
  noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
  since: textFlag({
    name: 'since',
    help: 'Only events after this time, or within this duration: 10m; with the changes of objects, from the history of the server.',
    section,
  }),
  types: listFlag({ name: 'types', help: 'Only events of these types: Normal, Warning.', section }),
  watch: switchFlag({
    name: 'watch',
    short: 'w',
    help: 'After the events, print new ones until the command is interrupted.',
    section,
  }),
} as const;

type Given = FlagValues<typeof flags>;

export const events = command({
  usage: 'events [--for=TYPE/NAME] [--types=TYPE,...] [--since=TIME] [flags]',
  about:
    'Prints events, the oldest first.\n\nWith --since, the changes of all objects that the user may list stand between them in tables, as one timeline. The server needs a history for that.',
  examples: [
    { comment: 'Of a namespace', line: 'orchctl events -n dev' },
    { comment: 'About an object, and those that follow', line: 'orchctl events --for=pod/web --watch' },
    { comment: 'What has happened within the last ten minutes', line: 'orchctl events --since=10m' },
    { comment: 'Warnings of all namespaces', line: 'orchctl events --types=Warning -A' },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io } = invocation;
    if (words.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(words[0])}`);
    for (const type of given.types)
      if (!['normal', 'warning'].includes(type.toLowerCase()))
        throw new UsageError('valid --types are Normal or Warning');
    const since = sinceOf(given, io.env.clock.now());
    const format = parseOutputFormat(given, io);
    const session = await invocation.session();
    const selection = await readSelection(given, session);
    const { items, resourceVersion } = await listEvents(invocation, session, selection);
    const sorted = items
      .filter((event) => since === undefined || lastMs(event) > Date.parse(since))
      .toSorted((a, b) => lastMs(a) - lastMs(b));
    if (format.kind !== 'table') {
      const printed = given.showManagedFields ? sorted : sorted.map(withoutManagedFields);
      io.out.write(objectText(format, { objects: printed, isList: true }));
      return 0;
    }
    const changes =
      since === undefined || given.types.length > 0
        ? []
        : await changesSince(invocation, session, { ...selection, since });
    if (sorted.length + changes.length === 0 && !given.watch) {
      const where = given.allNamespaces ? '' : ` in ${session.namespace} namespace`;
      io.err.write(`No events found${where}.\n`);
      return 0;
    }
    const header = given.allNamespaces ? ['NAMESPACE', ...columns] : columns;
    const rows = inOrder(sorted, changes, { given, nowMs: io.env.clock.now() });
    const table = new StyledTable(header, styleOf(io, invocation.globals, format));
    table.print(io.out, rows, { hasHeader: !given.noHeaders });
    if (given.watch) await watchEvents(invocation, { session, selection, resourceVersion, table });
    return 0;
  },
});

const columns = ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];

/** The time of `--since`; undefined without it. */
function sinceOf({ since }: Given, nowMs: number): string | undefined {
  if (since === '') return undefined;
  const moment = momentOf('since', since, nowMs);
  if (!moment.includes('T')) throw new UsageError('--since must be a time or a duration for events');
  return moment;
}

/** The changes of the history; none, with a warning, when the server keeps none. */
async function changesSince(
  { io, signal }: Invocation<Given>,
  session: Session,
  request: TimelineRequest,
): Promise<readonly TimelineChange[]> {
  const changes = await timelineChanges(session, request, signal);
  if (changes !== undefined) return changes;
  io.err.write('Warning: the server keeps no history of objects; only events are printed\n');
  return [];
}

/** Events and changes as rows, the oldest first. */
function inOrder(
  events: readonly ApiObject[],
  changes: readonly TimelineChange[],
  { given, nowMs }: { readonly given: Given; readonly nowMs: number },
): readonly (readonly string[])[] {
  const rows = events.map((event) => ({ ms: lastMs(event), row: rowOf(event, given, nowMs) }));
  for (const change of changes) {
    const ms = Date.parse(change.time);
    const row = [humanAge(nowMs - ms), ...changeCells(change)];
    rows.push({ ms, row: given.allNamespaces ? [change.namespace, ...row] : row });
  }
  return rows.toSorted((a, b) => a.ms - b.ms).map(({ row }) => row);
}

interface Selection {
  /** The object of `--for`. */
  readonly only: TimelineRequest['only'];
  readonly namespace: string | undefined;
  readonly fieldSelector: string;
  isSelected(event: ApiObject): boolean;
}

async function readSelection(given: Given, session: Session): Promise<Selection> {
  const types = given.types.map((type) => type.toLowerCase());
  const fields: string[] = [];
  let only: TimelineRequest['only'];
  if (given.for !== '') {
    const [named, ...more] = await readResourceWords([given.for], session.resources);
    const [name] = named?.names ?? [];
    if (named === undefined || name === undefined || more.length > 0)
      throw new UsageError('--for must be in the form TYPE/NAME');
    only = { resource: named.resource, name };
    fields.push(`involvedObject.kind=${named.resource.kind}`, `involvedObject.name=${name}`);
  }
  return {
    only,
    namespace: given.allNamespaces ? undefined : session.namespace,
    fieldSelector: fields.join(','),
    isSelected: (event) => types.length === 0 || types.includes(asText(event['type']).toLowerCase()),
  };
}

async function listEvents(
  { flags: { chunkSize }, signal }: Invocation<Given>,
  session: Session,
  { namespace, fieldSelector, isSelected }: Selection,
): Promise<{ readonly items: readonly ApiObject[]; readonly resourceVersion: string }> {
  const client = session.client.resource(await session.resources.ofKind('v1', 'Event'), namespace);
  const options = fieldSelector === '' ? {} : { fieldSelector };
  const pages = await allPages(chunkSize, (limit) => client.pages({ ...options, ...limit }, signal));
  return {
    items: pages.flatMap(({ items }) => items.filter(isSelected)),
    resourceVersion: pages.at(-1)?.metadata.resourceVersion ?? '',
  };
}

interface EventWatch {
  readonly session: Session;
  readonly selection: Selection;
  readonly resourceVersion: string;
  readonly table: StyledTable;
}

async function watchEvents(
  { flags: given, io, signal }: Invocation<Given>,
  { session, selection, resourceVersion, table }: EventWatch,
): Promise<void> {
  const { namespace, fieldSelector, isSelected } = selection;
  const client = session.client.resource(await session.resources.ofKind('v1', 'Event'), namespace);
  const source = followObjects(client, fieldSelector === '' ? {} : { fieldSelector });
  for await (const step of follow(source, { ...followOptions(io), resourceVersion }, signal)) {
    const changed =
      step.type === 'page'
        ? changedSince(step.page.items, step.since, ({ metadata }) => metadata.resourceVersion)
        : [step.event]
            .filter(({ type }) => type === 'ADDED' || type === 'MODIFIED')
            .map(({ object }) => object);
    const nowMs = io.env.clock.now();
    const rows = changed.filter(isSelected).map((event) => rowOf(event, given, nowMs));
    if (rows.length > 0) table.print(io.out, rows, { hasHeader: false });
    await io.out.drained();
  }
}

function rowOf(event: ApiObject, { allNamespaces }: Given, nowMs: number): readonly string[] {
  const about = objectAt(event, 'involvedObject');
  const row = [
    intervalText(event, nowMs),
    ...[asText(event['type']), asText(event['reason'])],
    `${asText(about['kind'])}/${asText(about['name'])}`,
    asText(event['message']).trim(),
  ];
  return allNamespaces ? [event.metadata.namespace ?? '', ...row] : row;
}

/** The time since the event; with the number of times and the time since the first for a repeated one. */
function intervalText(event: ApiObject, nowMs: number): string {
  const series: JsonObject = objectAt(event, 'series');
  const first = timeOf(event['firstTimestamp']) ?? timeOf(event['eventTime']);
  const count = asNumber(series['count']) || asNumber(event['count']);
  const last = timeOf(series['lastObservedTime']) ?? timeOf(event['lastTimestamp']) ?? first;
  const since = (ms: number | undefined) => (ms === undefined ? '<unknown>' : humanAge(nowMs - ms));
  return count > 1 ? `${since(last)} (x${count} over ${since(first)})` : since(first ?? last);
}

function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const lastMs = (event: ApiObject): number =>
  timeOf(objectAt(event, 'series')['lastObservedTime']) ??
  timeOf(event['lastTimestamp']) ??
  timeOf(event['eventTime']) ??
  0;
