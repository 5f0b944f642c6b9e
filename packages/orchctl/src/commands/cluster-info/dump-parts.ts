import type { List, TypedResource } from '@orch/client';
import { ApiError, type ApiObject, formatApiVersion, messageOf } from '@orch/machinery';
import type { TextOutput } from '../../io.ts';
import { type ObjectFormat, objectText, withoutManagedFields } from '../../print/object-text.ts';
import { allPages } from '../../resources/all-pages.ts';
import type { Session } from '../../session/session.ts';
import type { Pod } from '../connect/pods.ts';
import { printLog } from '../connect/print-log.ts';
import type { DumpOutput } from './dump-output.ts';

/** Objects of one page of a list. */
const PAGE = 500;

interface DumpSettings {
  readonly format: ObjectFormat;
  readonly hidesFields: boolean;
  /** Whether YAML documents follow each other in one output. */
  readonly separates: boolean;
  readonly session: Session;
  readonly output: DumpOutput;
  readonly signal: AbortSignal;
}

/** Reads the parts of a dump and writes each of them to its output. */
export class DumpParts {
  readonly #settings: DumpSettings;
  /** Resources that the server does not serve. */
  readonly #absent = new Set<object>();
  #documents = 0;

  constructor(settings: DumpSettings) {
    this.#settings = settings;
  }

  /** Writes the objects of a namespace, or of the cluster, and returns them; none of a resource that is not served. */
  async list<T extends ApiObject>(
    resource: TypedResource<T>,
    path: readonly string[],
  ): Promise<readonly T[]> {
    if (this.#absent.has(resource)) return [];
    const { format, output, separates } = this.#settings;
    const pages = await this.#pages(resource, path[0]);
    if (pages === undefined) {
      this.#absent.add(resource);
      return [];
    }
    const separator = format.kind === 'yaml' && separates && this.#documents++ > 0 ? '---\n' : '';
    const extension = format.kind === 'json' || format.kind === 'yaml' ? format.kind : 'txt';
    const file = [...path.slice(0, -1), `${path.at(-1)}.${extension}`];
    const objects = pages.flatMap(({ items }) => items);
    const revision = pages[0]?.metadata.resourceVersion ?? '';
    await output.part(file, (out) => {
      out.write(`${separator}${this.#listText(resource, objects, revision)}`);
      return out.drained();
    });
    return objects;
  }

  /** Undefined for a resource that the server does not serve. */
  async #pages<T extends ApiObject>(
    resource: TypedResource<T>,
    namespace: string | undefined,
  ): Promise<readonly List<T>[] | undefined> {
    const { session, signal } = this.#settings;
    const client = session.client.resource(resource, resource.namespaced ? namespace : undefined);
    try {
      return await allPages(PAGE, (limit) => client.pages(limit, signal));
    } catch (error) {
      if (error instanceof ApiError && error.status.code === 404) return undefined;
      throw error;
    }
  }

  #listText(
    resource: TypedResource<ApiObject>,
    objects: readonly ApiObject[],
    resourceVersion: string,
  ): string {
    const { format, hidesFields } = this.#settings;
    return objectText(format, {
      objects: hidesFields ? objects.map(withoutManagedFields) : objects,
      isList: true,
      list: {
        apiVersion: formatApiVersion(resource),
        kind: `${resource.kind}List`,
        metadata: { resourceVersion },
      },
    });
  }

  /** Writes the logs of the containers of a pod. A log that cannot be read is replaced by its error. */
  async logs(pod: Pod, namespace: string): Promise<void> {
    const { name = '' } = pod.metadata;
    await this.#settings.output.part([namespace, name, 'logs.txt'], async (out) => {
      for (const one of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]) {
        const title = `logs for container ${one.name} of pod ${namespace}/${name}`;
        out.write(`==== START ${title} ====\n`);
        await this.#log(pod, one.name, out);
        out.write(`==== END ${title} ====\n`);
      }
    });
  }

  async #log(pod: Pod, container: string, out: TextOutput): Promise<void> {
    const { session, signal } = this.#settings;
    try {
      const query = new URLSearchParams({ container });
      await printLog({ pod, container }, { query, prefix: '', out, session, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      out.write(`Request log error: ${messageOf(error)}\n`);
    }
  }
}
