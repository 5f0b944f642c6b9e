import type { Turns } from '@orch/machinery/concurrency';
import type { ApiVerb, ResourceRequest } from '@orch/request';
import type { StructSchema } from '@orch/schema';
import type { ServedResource } from '../resource/served-resource.ts';

/**
 * Verbs that validate objects. Others leave schemas unread: clients that follow all kinds would make servers read all
 * of them.
 */
const validating: ReadonlySet<ApiVerb> = new Set(['create', 'update', 'patch', 'apply']);

/**
 * Reads the schemas of custom kinds over several turns before the first writes that need them: they may have megabytes.
 */
export class SchemaPreparations {
  readonly #turns: Turns;
  readonly #running = new Map<StructSchema, Promise<void>>();

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Resolves when the schema that a request needs is read; undefined when there is nothing to wait for. */
  before(
    { schema }: Pick<ServedResource, 'schema'>,
    { verb }: Pick<ResourceRequest, 'verb'>,
  ): Promise<void> | undefined {
    if (schema.preparation === undefined || !validating.has(verb)) return undefined;
    const running = this.#running.get(schema);
    if (running !== undefined) return running;
    const work = schema.preparation();
    if (work === undefined) return undefined;
    const result = this.#turns.run(work);
    if (!(result instanceof Promise)) return undefined;
    const prepared = result.finally(() => this.#running.delete(schema));
    this.#running.set(schema, prepared);
    return prepared;
  }
}
