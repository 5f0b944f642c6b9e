import type { Names } from '@orch/machinery';
import { FailedWithHeaders, type HeaderList, type Reply } from '@orch/request';

/** Says in every answer which schema and level it enqueuedAt through. Schemas that are no objects have nothing to show. */
export class FlowHeaders {
  readonly #own: HeaderList | undefined;
  /** Handlers share the headers of their answers: what is joined once serves the next answer too. */
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
    // Spelled out, since it is most answers, and takes half of the time.
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
