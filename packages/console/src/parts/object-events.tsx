import { browserEnv } from '@orch/client/browser';
import type { ApiObject } from '@orch/machinery';
import { asNumber, asObject, asText, type JsonObject } from '@orch/machinery/json';
import type { Kinds } from '../api/discovery.ts';
import { listSource } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { LiveObjects } from '../object/live-object.ts';
import { Failure } from './notice.tsx';
import { Ago } from './object-parts.tsx';
import { useLive } from './use-live.ts';

export interface ObjectEventsProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly object: ApiObject;
  readonly nowMs: number;
}

/** The events about an object, the last one first. */
export function ObjectEvents(props: ObjectEventsProps) {
  const resource = props.kinds.resources.find(({ group, resource }) => group === '' && resource === 'events');
  return resource === undefined ? null : <EventList {...props} resource={resource} />;
}

function EventList({
  session,
  object,
  nowMs,
  resource,
}: ObjectEventsProps & { readonly resource: Kinds['resources'][number] }) {
  const { uid = '', namespace = '' } = object.metadata;
  const live = useLive(JSON.stringify([uid, namespace]), (onChange) => {
    const selection = { resource, namespace, labels: '', fields: `involvedObject.uid=${uid}` };
    const source = (onOpen: () => void) => listSource(session.connection, selection, onOpen);
    return new LiveObjects({ source, env: browserEnv(), onChange });
  });
  const { freshness } = live;
  const events = live.objects.map(eventOf).sort((a, b) => b.timeMs - a.timeMs);
  if (freshness.phase !== 'failed' && events.length === 0) return null;
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      {freshness.phase === 'failed' ? <Failure problem={freshness.problem} /> : null}
      <ul class="events">
        {events.map(({ key, type, reason, message, count, timeMs }) => (
          <li key={key} class={type === 'Warning' ? 'bad' : ''}>
            <Ago ms={timeMs} nowMs={nowMs} /> <strong>{reason}</strong> {message}
            {count > 1 ? ` (${count} times)` : ''}
          </li>
        ))}
      </ul>
    </section>
  );
}

function eventOf(object: ApiObject) {
  const event = object as unknown as JsonObject;
  const series = asObject(event['series']);
  const times = [series['lastObservedTime'], event['lastTimestamp'], event['eventTime']];
  const time = times.map(asText).find((each) => each !== '') ?? object.metadata.creationTimestamp ?? '';
  return {
    key: object.metadata.uid ?? '',
    type: asText(event['type']),
    reason: asText(event['reason']),
    message: asText(event['message']),
    count: asNumber(series['count']) || asNumber(event['count']),
    timeMs: Date.parse(time) || 0,
  };
}
