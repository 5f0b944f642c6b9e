import type { ApiObject } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import type { Resource, TypedResource } from '../rest/types.ts';
import { createInformer, type InformerSettings } from './informer.ts';
import type { Informer, InformerFactory, InformerOptions } from './types.ts';

/** The options that determine the content of an informer, as a key. */
const shapeOf = (
  resource: Resource,
  options: Pick<InformerOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'metadataOnly'>,
): string =>
  JSON.stringify([
    resource.group,
    resource.version,
    resource.resource,
    options.namespace ?? null,
    options.labelSelector ?? null,
    options.fieldSelector ?? null,
    options.metadataOnly ?? false,
  ]);

interface Made {
  readonly informer: Informer;
  readonly transform: unknown;
}

/** Creates a factory of shared informers. Once a server has refused a streaming list, all of them list in pages. */
export function informerFactory(settings: InformerSettings): InformerFactory {
  return new SharedInformers(settings);
}

class SharedInformers implements InformerFactory {
  readonly #settings: InformerSettings;
  readonly #made = new Map<string, Made[]>();
  readonly #running: Promise<void>[] = [];
  #signal: AbortSignal | undefined;

  constructor(settings: InformerSettings) {
    this.#settings = { streaming: { enabled: true }, ...settings };
  }

  informer<T extends ApiObject = ApiObject>(
    resource: TypedResource<T>,
    options: InformerOptions<T> = {},
  ): Informer<T> {
    const shape = shapeOf(resource, options);
    const alike = this.#made.get(shape) ?? [];
    // Transforms are compared by identity.
    const found = alike.find(({ transform }) => transform === options.transform)?.informer;
    if (found !== undefined) {
      const shared = found as unknown as Informer<T>;
      for (const [name, keys] of Object.entries(options.indexes ?? {})) shared.addIndex(name, keys);
      return shared;
    }
    const informer = createInformer<T>(this.#settings, resource, options);
    this.#made.set(shape, [
      ...alike,
      { informer: informer as unknown as Informer, transform: options.transform },
    ]);
    if (this.#signal?.aborted === false) this.#running.push(informer.run(this.#signal));
    return informer;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new Error('the informers were run already');
    this.#signal = signal;
    for (const alike of this.#made.values()) {
      for (const { informer } of alike) this.#running.push(informer.run(signal));
    }
    await aborted(signal);
    await Promise.all(this.#running);
  }
}
