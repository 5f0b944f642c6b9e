import type { IPAddress } from '@orch/kinds/networking';
import type { Names } from '@orch/machinery';
import { parseIp } from '@orch/machinery/net';
import type { InternalResource, ObjectName } from '@orch/registry';
import type { Owner } from '../allocate/allocation-store.ts';

type Service = Pick<Owner, 'namespace' | 'name'>;

const nameOf = (address: string): ObjectName => ({ namespace: '', name: address });

/** The objects of allocated addresses. Others than those of services, which a client creates, reserve an address. */
export class AddressObjects {
  readonly #objects: InternalResource<IPAddress>;
  readonly #names: Names;

  constructor(objects: InternalResource<IPAddress>, names: Names) {
    this.#objects = objects;
    this.#names = names;
  }

  /** The addresses of the cached objects. */
  cached(): readonly string[] {
    return this.#objects.cachedKeys() ?? [];
  }

  /** Reports whether the cached object of an address is that of a service. */
  isRecorded(address: string, service: Service): boolean {
    const object = this.#objects.cached(nameOf(address));
    return object !== undefined && isOf(object, service);
  }

  /** Waits for a cache with every write that was acknowledged before the call. */
  async waitFresh(signal: AbortSignal): Promise<void> {
    await this.#objects.cache.waitFresh({ kind: 'mostRecent' }, signal);
  }

  /** Removes the cached object of an address if it was made here: not one that was created meanwhile. */
  async removeLeftover(address: string, signal: AbortSignal): Promise<void> {
    const name = nameOf(address);
    const found = this.#objects.cachedState(name);
    if (found !== undefined && this.#isOurs(found.object))
      await this.#objects.removeAt(name, found.revision, signal);
  }

  /**
   * Creates the object of an address whose allocation the caller holds. An object that was made here for another service is left
   * over and is replaced. False when the address belongs to something else.
   */
  async record(address: string, service: Service, signal: AbortSignal): Promise<boolean> {
    const name = nameOf(address);
    const object = this.#objectOf(address, service);
    if (await this.#objects.create(name, object, signal)) return true;
    const stored = await this.#objects.read(name, signal);
    if (stored !== undefined && isOf(stored.object, service)) return true;
    if (stored !== undefined && !this.#isOurs(stored.object)) return false;
    if (stored !== undefined) await this.#objects.removeAt(name, stored.revision, signal);
    return this.#objects.create(name, object, signal);
  }

  /** Removes the object of an address, if it was made here. */
  async remove(address: string, signal: AbortSignal): Promise<void> {
    const name = nameOf(address);
    const stored = await this.#objects.read(name, signal);
    if (stored !== undefined && this.#isOurs(stored.object))
      await this.#objects.removeAt(name, stored.revision, signal);
  }

  #isOurs({ metadata }: IPAddress): boolean {
    return metadata.labels?.[this.#names.labels.ipAddressManagedBy] === this.#names.controllers.ipAllocator;
  }

  #objectOf(address: string, { namespace, name }: Service): IPAddress {
    const { labels, controllers } = this.#names;
    return {
      ...this.#objects.typeMeta,
      metadata: {
        labels: {
          [labels.ipFamily]: parseIp(address)?.family ?? 'IPv4',
          [labels.ipAddressManagedBy]: controllers.ipAllocator,
        },
      },
      spec: { parentRef: { group: '', resource: 'services', namespace, name } },
    };
  }
}

function isOf({ spec }: IPAddress, { namespace, name }: Service): boolean {
  const { group = '', resource, ...parent } = spec?.parentRef ?? {};
  return group === '' && resource === 'services' && parent.namespace === namespace && parent.name === name;
}
