import { builtinResources, type Client, isNotFound, type kinds, type ResourceClient } from '@orch/client';

type ConfigMap = kinds.core.ConfigMap;

const NAME = 'website-catalogue';

/**
 * The hosts of all websites, in one ConfigMap. It stands for systems outside of the cluster, such as DNS: the garbage collector does
 * not know it, therefore websites have a finalizer.
 */
export class Catalogue {
  readonly #maps: ResourceClient<ConfigMap>;

  constructor(client: Client, namespace: string) {
    this.#maps = client.resource(builtinResources(client.names).core.v1.configmaps, namespace);
  }

  /** Makes a website the owner of a host. Writes nothing if it is. */
  async add(host: string, owner: string, signal: AbortSignal): Promise<void> {
    const found = await this.#read(signal);
    if (found?.data?.[host] === owner) return;
    const data = { [host]: owner };
    if (found === undefined) await this.#maps.create({ metadata: { name: NAME }, data }, {}, signal);
    else await this.#maps.patch.merge(NAME, { data }, {}, signal);
  }

  /** Removes a host if it belongs to the website. */
  async remove(host: string, owner: string, signal: AbortSignal): Promise<void> {
    const found = await this.#read(signal);
    if (found?.data?.[host] !== owner) return;
    const { resourceVersion } = found.metadata;
    // Null removes an entry. The version: another website may have got the host since.
    await this.#maps.patch.merge(NAME, { metadata: { resourceVersion }, data: { [host]: null } }, {}, signal);
  }

  async #read(signal: AbortSignal): Promise<ConfigMap | undefined> {
    try {
      return await this.#maps.get(NAME, {}, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
