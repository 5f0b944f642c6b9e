import type { kinds } from '@orch/client';
import { ApiError, type ApiObject } from '@orch/machinery';
import { type DescribeContext, type EventSubject, listAll } from './describer.ts';
import type { Description } from './text/description.ts';
import { ageText } from './text/times.ts';
import { sortedBy } from './text/values.ts';

type Event = kinds.core.Event;

/** The events about objects, in the order of their last occurrence. Empty when the user may not read events. */
export async function readEvents(
  subjects: readonly EventSubject[],
  context: DescribeContext,
): Promise<readonly Event[]> {
  const lists = await Promise.all(subjects.map((subject) => eventsAbout(subject, context)));
  return sortedBy(lists.flat(), ({ lastTimestamp }) => lastTimestamp ?? '');
}

async function eventsAbout(subject: EventSubject, context: DescribeContext): Promise<readonly Event[]> {
  const requirements = Object.entries(subject).map(([field, value]) => `involvedObject.${field}=${value}`);
  const events = context.typed.core.v1.events;
  try {
    return await listAll(events, context, { fieldSelector: requirements.toSorted().join(',') });
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** The subject of the events about an object. */
export const subjectOf = ({ metadata, kind = '' }: ApiObject): EventSubject => ({
  name: metadata.name ?? '',
  namespace: metadata.namespace ?? '',
  kind,
  uid: metadata.uid ?? '',
});

export function describeEvents(out: Description, events: readonly Event[], nowMs: number): void {
  if (events.length === 0) {
    out.field(0, 'Events', '<none>');
    return;
  }
  out.endColumns();
  out.line(0, 'Events:');
  out.line(1, 'Type', 'Reason', 'Age', 'From', 'Message');
  out.line(1, '----', '------', '----', '----', '-------');
  for (const event of events)
    out.line(
      1,
      event.type ?? '',
      event.reason ?? '',
      intervalText(event, nowMs),
      sourceOf(event),
      messageOf(event),
    );
}

const sourceOf = ({ source, reportingComponent = '' }: Event): string =>
  source?.component || reportingComponent;

const messageOf = ({ message = '' }: Event): string => message.trim();

function intervalText(event: Event, nowMs: number): string {
  const { eventTime, firstTimestamp, lastTimestamp, series, count = 0 } = event;
  const first = ageText(eventTime || firstTimestamp, nowMs);
  if (series !== undefined)
    return `${ageText(series.lastObservedTime, nowMs)} (x${series.count ?? 0} over ${first})`;
  return count > 1 ? `${ageText(lastTimestamp, nowMs)} (x${count} over ${first})` : first;
}
