import type { Names } from '@orch/machinery';
import { FailedWithHeaders, type HeaderList, type Reply } from '@orch/request';

/** Adds the uids of flow schema and priority level to replies. Built-in defaults without an object add none. */
export class FlowHeaders {
  readonly #own: HeaderList | undefined;
  /** Handlers share header objects among replies: the merged headers are cached by them. */
  readonly #merged = new WeakMap<HeaderList, HeaderList>();

  constructor({ headers }: Names, schemaUid: string, levelUid: string) {
    this.#own =
      schemaUid === ''
        ? undefined
        : { [headers.flowSchemaUid]: schemaUid, [headers.priorityLevelUid]: levelUid };
  }

  on(reply: Reply): Reply {
    if (this.#own === undefined) return reply;
    const headers = this.#merged.get(reply.headers) ?? this.#merge(reply.headers, this.#own);
    if (reply.kind !== 'bytes') return { ...reply, headers };
    // Written out for the most common kind of reply: twice as fast as spreading.
    return { kind: 'bytes', status: reply.status, headers, body: reply.body };
  }

  failure(cause: unknown): unknown {
    return this.#own === undefined ? cause : new FailedWithHeaders(cause, this.#own);
  }

  #merge(headers: HeaderList, own: HeaderList): HeaderList {
    const made = { ...headers, ...own };
    this.#merged.set(headers, made);
    return made;
  }
}
