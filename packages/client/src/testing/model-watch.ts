import { type ApiObject, type Clock, errors } from '@orch/machinery';
import { AsyncQueue, onAbort } from '@orch/machinery/concurrency';
import { TransportError } from '../transport/transport.ts';
import type { ModelChange, ModelObjects } from './model-objects.ts';
import type { ModelRequest } from './model-request.ts';

type Type = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const BOOKMARK_MS = 60_000;
/** Maximum number of buffered events for a slow reader, beyond which the watch ends. */
const CAPACITY = 100_000;

export interface WatchSettings {
  readonly objects: ModelObjects;
  readonly clock: Clock;
  readonly request: ModelRequest;
  /** Annotation of the bookmark that ends the initial events. */
  readonly initialEventsEnd: string;
  readonly onEnd: (watch: ModelWatch) => void;
}

/** One watch: the chunks of its body, and methods to inject faults. */
export class ModelWatch {
  readonly #settings: WatchSettings;
  readonly #chunks = new AsyncQueue<Uint8Array>(CAPACITY);
  readonly #cleanup: (() => void)[] = [];
  readonly #from: number;
  #isStalled = false;
  #cancelBookmark: (() => void) | undefined;

  constructor(settings: WatchSettings, signal: AbortSignal) {
    this.#settings = settings;
    const { objects, clock, request } = settings;
    this.#from = Number(request.query.get('resourceVersion') ?? 0);
    if (this.#from > 0 && this.#from < objects.compactedThrough) {
      this.expire();
      return;
    }
    if (this.#from === 0) this.#begin();
    else for (const change of objects.after(this.#from)) this.#change(change);
    this.#cleanup.push(objects.onChange((change) => this.#change(change)));
    const seconds = Number(request.query.get('timeoutSeconds') ?? 0);
    if (seconds > 0) this.#cleanup.push(clock.schedule(seconds * 1000, () => this.end()));
    if (request.query.get('allowWatchBookmarks') === 'true') this.#scheduleBookmark();
    this.#cleanup.push(onAbort(signal, () => this.#finish(() => this.#chunks.fail(signal.reason))));
  }

  body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks.iterate(new AbortController().signal);
    } finally {
      this.end();
    }
  }

  /** Ends it, as a server does. */
  end(): void {
    this.#finish(() => this.#chunks.close());
  }

  /** Breaks the connection. */
  cut(): void {
    this.#finish(() => this.#chunks.fail(new TransportError('unknown', 'the connection was cut')));
  }

  /** Sends nothing more, without an end. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Sends an error because of compacted history. */
  expire(): void {
    this.#send('ERROR', errors.expired('too old resource version').status as unknown as ApiObject);
    this.end();
  }

  bookmark(annotations?: Record<string, string>): void {
    const resourceVersion = String(this.#settings.objects.revision);
    this.#send('BOOKMARK', { metadata: { resourceVersion, ...(annotations ? { annotations } : {}) } });
  }

  #finish(end: () => void): void {
    for (const clean of this.#cleanup.splice(0)) clean();
    this.#cancelBookmark?.();
    end();
    this.#settings.onEnd(this);
  }

  #scheduleBookmark(): void {
    this.#cancelBookmark = this.#settings.clock.schedule(BOOKMARK_MS, () => {
      this.bookmark();
      this.#scheduleBookmark();
    });
  }

  #begin(): void {
    const { objects, request, initialEventsEnd } = this.#settings;
    for (const { object } of objects.list(request.collection)) {
      if (request.selects(object)) this.#send('ADDED', object);
    }
    if (request.query.get('sendInitialEvents') === 'true') this.bookmark({ [initialEventsEnd]: 'true' });
  }

  /** A change for a watch with selectors. */
  #change({ revision, type, place, object, old }: ModelChange): void {
    const { request } = this.#settings;
    // A watch from a future revision waits for it.
    if (revision <= this.#from || place.collection !== request.collection) return;
    const was = old !== undefined && request.selects(old);
    const is = type !== 'DELETED' && request.selects(object);
    if (is) this.#send(was ? 'MODIFIED' : 'ADDED', object);
    else if (was) this.#send('DELETED', object);
  }

  #send(type: Type, object: ApiObject): void {
    if (this.#isStalled) return;
    const chunk = Buffer.from(`${JSON.stringify({ type, object })}\n`);
    if (!this.#chunks.push(chunk)) this.end();
  }
}
