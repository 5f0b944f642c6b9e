import { ApiError, type ApiObject, type CounterSeries, type Env, type Logger } from '@orch/machinery';
import { AsyncQueue, Backoff } from '@orch/machinery/concurrency';
import { formatTime } from '@orch/machinery/time';
import type { Client } from '../client.ts';
import type { Resource, ResourceClient } from '../rest/types.ts';
import { EventLimit, EventSeries, type Occurrence } from './event-series.ts';
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
    const atMs = this.#options.env.clock.now();
    if (!this.#limit.take(key, atMs)) {
      this.#count('limited').inc();
      return;
    }
    const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message;
    const occurrence = { about: key, type, reason, message: text, atMs };
    if (!this.#queue.push({ reference, occurrence })) this.#count('dropped').inc();
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

  async #writeOnce({ reference, occurrence }: Waiting, signal: AbortSignal): Promise<void> {
    const { key, message } = this.#series.place(occurrence);
    const { atMs } = occurrence;
    const known = this.#series.find(key, atMs);
    if (known !== undefined) {
      const change = { count: known.count + 1, lastTimestamp: formatTime(atMs), message };
      try {
        await this.#in(known.namespace).patch.strategic(known.name, change, {}, signal);
        Object.assign(known, { count: change.count, lastMs: atMs });
        this.#count('counted').inc();
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
        // The written Event has expired, so that a new one is created.
        this.#series.forget(key);
      }
    }
    const event = this.#event(reference, { ...occurrence, message });
    const { namespace = '', name = '' } = event.metadata;
    await this.#in(namespace).create(event, {}, signal);
    this.#series.set(key, { namespace, name, count: 1, lastMs: atMs });
    this.#count('created').inc();
  }

  #in(namespace: string): ResourceClient {
    return this.#options.client.resource(events, namespace);
  }

  #event(reference: Waiting['reference'], { type, reason, message, atMs }: Occurrence): ApiObject {
    const { component, host, env } = this.#options;
    const namespace = reference['namespace'] ?? CLUSTER_NAMESPACE;
    const time = formatTime(atMs);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name: this.#name(reference['name'] ?? '', env) },
      involvedObject: reference,
      type,
      reason,
      message,
      source: { component, ...(host === undefined ? {} : { host }) },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }

  /** The name of the object, as far as it is valid for an Event, with a suffix of sixteen random digits. */
  #name(object: string, { random }: Pick<Env, 'random'>): string {
    const plain = object
      .toLowerCase()
      .replace(/[^a-z0-9.-]/g, '-')
      .replace(/^[.-]+/, '')
      .replace(/[.-]*\.[.-]*/g, '.')
      .slice(0, 236)
      .replace(/[.-]+$/, '');
    return `${plain === '' ? 'object' : plain}.${random.bytes(8).toString('hex')}`;
  }
}
