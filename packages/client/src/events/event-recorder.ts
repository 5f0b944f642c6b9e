import { ApiError, type ApiObject, type CounterSeries, type Env, type Logger } from '@orch/machinery';
import { AsyncQueue, Backoff } from '@orch/machinery/concurrency';
import { formatTime } from '@orch/machinery/time';
import type { Client } from '../client.ts';
import type { Resource } from '../rest/types.ts';
import { type CountedEvent, EventLimit, EventSeries, type Occurrence } from './event-series.ts';
import type { EventNote, EventRecorder } from './types.ts';

/** The client that writes events, and the component that they name. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly env: Env;
  /** The reporting component: `namespace-controller`. */
  readonly component: string;
  /** The host of the component. */
  readonly host?: string;
}

/** An event recorder, which writes while it runs. */
export interface RunningEventRecorder extends EventRecorder {
  /** Writes recorded events until the signal aborts. Events that are queued then are lost. */
  run(signal: AbortSignal): Promise<void>;
}

interface Waiting {
  readonly reference: Readonly<Record<string, string>>;
  readonly occurrence: Occurrence;
  readonly counted: CountedEvent;
}

const events: Resource = { group: '', version: 'v1', resource: 'events', kind: 'Event', namespaced: true };

/** Maximum number of queued events. */
const CAPACITY = 1000;
const MAX_TRIES = 6;
const MAX_MESSAGE = 1024;
/** The namespace of events about cluster-scoped objects. */
const CLUSTER_NAMESPACE = 'default';

/** Creates an event recorder. `run` writes events; they are queued until it runs, up to a maximum. */
export function eventRecorder(options: EventRecorderOptions): RunningEventRecorder {
  return new Recorder(options);
}

const referenceTo = ({ apiVersion = '', kind = '', metadata }: ApiObject): Record<string, string> => ({
  apiVersion,
  kind,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  name: metadata.name ?? '',
  ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
  ...(metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion }),
});

class Recorder implements RunningEventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Logger;
  readonly #queue = new AsyncQueue<Waiting>(CAPACITY);
  readonly #series = new EventSeries();
  readonly #limit = new EventLimit();
  readonly #count: (result: 'created' | 'counted' | 'dropped' | 'limited') => CounterSeries;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#log = options.env.log.with({ component: 'events' });
    const results = options.env.metrics.counter({
      name: 'event_recorder_events_total',
      help: 'Events that were recorded, by what became of them.',
      labels: ['component', 'result'],
    });
    this.#count = (result) => results.series(options.component, result);
  }

  record(about: ApiObject, { type, reason, message }: EventNote): void {
    const reference = referenceTo(about);
    if (reference['kind'] === '' || reference['name'] === '') {
      this.#log.error('an event needs an object with kind and name', { reason, message });
      return;
    }
    const { resourceVersion: _, ...identity } = reference;
    const key = JSON.stringify(identity);
    const { clock, random } = this.#options.env;
    const atMs = clock.now();
    const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message;
    const occurrence = { about: key, type, reason, message: text, atMs };
    // Occurrences beyond the limit are counted: the next one that is written shows them.
    const counted = this.#series.count(occurrence, () => eventName(reference['name'] ?? '', random));
    if (!this.#limit.take(key, atMs)) {
      this.#count('limited').inc();
      return;
    }
    if (!this.#queue.push({ reference, occurrence, counted })) this.#count('dropped').inc();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = await this.#queue.next(signal).catch(() => undefined);
      if (next === undefined || next.done === true) return;
      await this.#write(next.value, signal);
    }
  }

  /** Retries a few times with backoff. Never rejects. */
  async #write(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(this.#options.env, 500, 10_000);
    for (;;) {
      try {
        await this.#writeOnce(waiting, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const isFinal = error instanceof ApiError && error.status.code < 500 && error.status.code !== 429;
        if (isFinal || backoff.failures + 1 >= MAX_TRIES) {
          this.#count('dropped').inc();
          this.#log.debug(1, 'an event could not be written', { reason: waiting.occurrence.reason, error });
          return;
        }
      }
      await backoff.wait(signal).catch(() => undefined);
    }
  }

  async #writeOnce(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const { counted, occurrence } = waiting;
    const event = this.#event(waiting);
    const written = this.#options.client.resource(events, event.metadata.namespace ?? '');
    if (counted.count > 1) {
      const { name, count, message } = counted;
      const change = { count, lastTimestamp: formatTime(occurrence.atMs), message };
      try {
        await written.patch.strategic(name, change, {}, signal);
        this.#count('counted').inc();
        return;
      } catch (error) {
        // The Event has expired, or was never written.
        if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
      }
    }
    await written.create(event, {}, signal);
    this.#count('created').inc();
  }

  #event({ reference, occurrence: { type, reason, atMs }, counted }: Waiting): ApiObject {
    const { component, host } = this.#options;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: reference['namespace'] ?? CLUSTER_NAMESPACE, name: counted.name },
      involvedObject: reference,
      type,
      reason,
      message: counted.message,
      source: { component, ...(host === undefined ? {} : { host }) },
      firstTimestamp: formatTime(counted.firstMs),
      lastTimestamp: formatTime(atMs),
      count: counted.count,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }
}

/** The name of the object, as far as it is valid for an Event, with a suffix of sixteen random digits. */
function eventName(object: string, random: Env['random']): string {
  const plain = object
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .replace(/^[.-]+/, '')
    .replace(/[.-]*\.[.-]*/g, '.')
    .slice(0, 236)
    .replace(/[.-]+$/, '');
  return `${plain === '' ? 'object' : plain}.${random.bytes(8).toString('hex')}`;
}
