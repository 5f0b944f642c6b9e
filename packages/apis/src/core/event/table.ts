import type { Event } from '@orch/kinds/core';
import type { AgeCell, TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn, wideColumn } from '../../table.ts';

const firstSeen = (event: Event): AgeCell => ({
  age: (event.firstTimestamp ?? '') || (event.eventTime ?? '') || undefined,
});

/** For a series the time it was last observed, for other events the last report. */
function lastSeen(event: Event): AgeCell {
  if (event.series !== undefined) {
    return { age: (event.series?.lastObservedTime ?? '') || undefined };
  }
  const last = event.lastTimestamp ?? '';
  return last === '' ? firstSeen(event) : { age: last };
}

/** A series counts the occurrences after the event itself; other events occurred at least once. */
const countOf = (event: Event): number =>
  event.series === undefined ? (event.count ?? 0) || 1 : (event.series?.count ?? 0) + 1;

function objectText(event: Event): string {
  const about = event.involvedObject ?? {};
  const kind = (about.kind ?? '').toLowerCase();
  const name = about.name ?? '';
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceText(event: Event): string {
  const source = event.source ?? {};
  const component = (source.component ?? '') || (event.reportingComponent ?? '');
  const instance = (source.host ?? '') || (event.reportingInstance ?? '');
  return instance === '' ? component : `${component}, ${instance}`;
}

export const eventTable: TableDefinition<Event> = {
  columns: [
    column('Last Seen', 'Time of the last occurrence.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Reason of the event, in one word.'),
    column('Object', 'Object of the event.'),
    wideColumn('Subobject', 'Path of the field within the object.'),
    wideColumn('Source', 'Component that reported it, and its node.'),
    column('Message', 'Human-readable description of the event.'),
    wideColumn('First Seen', 'Time of the first occurrence.'),
    wideColumn('Count', 'Number of occurrences.'),
    { ...nameColumn, priority: 1 },
  ],
  cells: (event) => [
    lastSeen(event),
    event.type ?? '',
    event.reason ?? '',
    objectText(event),
    event.involvedObject?.fieldPath ?? '',
    sourceText(event),
    (event.message ?? '').trim(),
    firstSeen(event),
    countOf(event),
    nameCell(event),
  ],
};
