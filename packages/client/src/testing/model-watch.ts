import { type ApiObject, AsyncQueue, type Clock, errors, onAbort } from '@orch/machinery';
import { TransportError } from '../transport/transport.ts';
import type { ModelChange, ModelObjects } from './model-objects.ts';
import type { ModelRequest } from './model-request.ts';

type Type = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const BOOKMARK_MS = 60_000;
/** Events that a watch of the model holds for a slow reader before it is ended. */
const CAPACITY = 100_000;

export interface WatchSettings {
  readonly objects: ModelObjects;
  readonly clock: Clock;
  readonly request: ModelRequest;
  /** Annotation of the bookmark that ends the initial events. */
  readonly initialEventsEnd: string;
  readonly onEnd: (watch: ModelWatch) => void;
}

/** One watch under way: the pieces of its body, and the handles with which a test disturbs it. */
export class ModelWatch {
  readonly #settings: WatchSettings;
  readonly #pieces = new AsyncQueue<Uint8Array>(CAPACITY);
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
    this.#cleanup.push(onAbort(signal, () => this.#finish(() => this.#pieces.fail(signal.reason))));
  }

  body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#pieces.iterate(new AbortController().signal);
    } finally {
      this.end();
    }
  }

  /** The server ends it, in order. */
  end(): void {
    this.#finish(() => this.#pieces.close());
  }

  /** The connection breaks. */
  cut(): void {
    this.#finish(() => this.#pieces.fail(new TransportError('unknown', 'the connection was cut')));
  }

  /** Nothing more comes, and no end either. */
  stall(): void {
    this.#isStalled = true;
  }

  /** History has gone: an error within the stream. */
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

  /** What a change looks like to a reader who sees only what is selected. */
  #change({ revision, type, place, object, old }: ModelChange): void {
    const { request } = this.#settings;
    // A watch from a revision that is not there yet waits for it.
    if (revision <= this.#from || place.collection !== request.collection) return;
    const was = old !== undefined && request.selects(old);
    const is = type !== 'DELETED' && request.selects(object);
    if (is) this.#send(was ? 'MODIFIED' : 'ADDED', object);
    else if (was) this.#send('DELETED', object);
  }

  #send(type: Type, object: ApiObject): void {
    if (this.#isStalled) return;
    const piece = Buffer.from(`${JSON.stringify({ type, object })}\n`);
    if (!this.#pieces.push(piece)) this.end();
  }
}
