import type { ApiObject } from '@orch/machinery';
import { asNumber, asObject, asText } from '../../read.ts';
import type { AgeCell, TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn, wideColumn } from '../../table.ts';

const firstSeen = (event: ApiObject): AgeCell => ({
  age: asText(event['firstTimestamp']) || asText(event['eventTime']) || undefined,
});

/** Of a series the last time it was seen, of others the last report. */
function lastSeen(event: ApiObject): AgeCell {
  if (event['series'] !== undefined) {
    return { age: asText(asObject(event['series'])['lastObservedTime']) || undefined };
  }
  const last = asText(event['lastTimestamp']);
  return last === '' ? firstSeen(event) : { age: last };
}

/** A series counts what came after the event itself; other events happened at least once. */
const countOf = (event: ApiObject): number =>
  event['series'] === undefined
    ? asNumber(event['count']) || 1
    : asNumber(asObject(event['series'])['count']) + 1;

function objectText(event: ApiObject): string {
  const about = asObject(event['involvedObject']);
  const kind = asText(about['kind']).toLowerCase();
  const name = asText(about['name']);
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceText(event: ApiObject): string {
  const source = asObject(event['source']);
  const component = asText(source['component']) || asText(event['reportingComponent']);
  const instance = asText(source['host']) || asText(event['reportingInstance']);
  return instance === '' ? component : `${component}, ${instance}`;
}

export const eventTable: TableDefinition = {
  columns: [
    column('Last Seen', 'When it happened last.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'What happened, in one word.'),
    column('Object', 'What it happened to.'),
    wideColumn('Subobject', 'Which part of it.'),
    wideColumn('Source', 'Who reported it, and from where.'),
    column('Message', 'What happened, for people.'),
    wideColumn('First Seen', 'When it happened first.'),
    wideColumn('Count', 'How often it happened.'),
    { ...nameColumn, priority: 1 },
  ],
  cells: (event) => [
    lastSeen(event),
    asText(event['type']),
    asText(event['reason']),
    objectText(event),
    asText(asObject(event['involvedObject'])['fieldPath']),
    sourceText(event),
    asText(event['message']).trim(),
    firstSeen(event),
    countOf(event),
    nameCell(event),
  ],
};
