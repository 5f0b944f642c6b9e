import {
  builtinResources,
  type Client,
  isNotFound,
  type kinds,
  type ResourceClient,
  type Stored,
} from '@orch/client';

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

  /**
   * Gives a host to a website, unless another one has it that still asks for it. Resolves with the key of the website that has the
   * host. Rejects with a conflict if the catalogue was changed meanwhile.
   */
  async claim(
    host: string,
    website: string,
    asks: (other: string) => boolean,
    signal: AbortSignal,
  ): Promise<string> {
    const found = await this.#read(signal);
    const holder = found?.data?.[host];
    if (holder !== undefined && (holder === website || asks(holder))) return holder;
    const data = { [host]: website };
    if (found === undefined) {
      await this.#maps.create({ metadata: { name: NAME }, data }, {}, signal);
    } else {
      const { resourceVersion } = found.metadata;
      await this.#maps.patch.merge(NAME, { metadata: { resourceVersion }, data }, {}, signal);
    }
    return website;
  }

  /** Removes a host if it belongs to the website. */
  async remove(host: string, owner: string, signal: AbortSignal): Promise<void> {
    const found = await this.#read(signal);
    if (found?.data?.[host] !== owner) return;
    const { resourceVersion } = found.metadata;
    // Null removes an entry. The version: another website may have got the host since.
    await this.#maps.patch.merge(NAME, { metadata: { resourceVersion }, data: { [host]: null } }, {}, signal);
  }

  async #read(signal: AbortSignal): Promise<Stored<ConfigMap> | undefined> {
    try {
      return await this.#maps.get(NAME, {}, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
