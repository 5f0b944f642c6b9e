import type { ResourceCache } from '@orch/cache';
import type { ApiObject } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { everythingFilter } from '@orch/registry';
import { allocatedValuesOf, serviceSpec } from '../allocate/service-spec.ts';
import type { User } from './repair-plan.ts';

/** Values of one kind, with the services that use them. */
export interface ServiceUsers {
  readonly addresses: ReadonlyMap<string, readonly User[]>;
  readonly ports: ReadonlyMap<string, readonly User[]>;
  /** Number of services whose stored objects cannot be decoded. */
  readonly unreadable: number;
}

/** Objects per page; other requests are served between pages. */
const PAGE = 500;

/** Reads all services from the cache, with every write that was acknowledged before the call. */
export async function readServiceUsers(cache: ResourceCache, signal: AbortSignal): Promise<ServiceUsers> {
  await cache.waitFresh({ kind: 'mostRecent' }, signal);
  const addresses = new Map<string, User[]>();
  const ports = new Map<string, User[]>();
  let unreadable = 0;
  let after: { readonly after: string; readonly at: number } | undefined;
  do {
    const page = await cache.list(
      { scope: { prefix: '' }, filter: everythingFilter, limit: PAGE, ...after },
      signal,
    );
    for (const object of page.objects) {
      const service = object.corrupt ? undefined : (parseJson(object.json()) as ApiObject);
      if (service === undefined) unreadable++;
      else note(service, addresses, ports);
    }
    after = page.next === undefined ? undefined : { after: page.next, at: page.rev };
    await new Promise((resolve) => setImmediate(resolve));
  } while (after !== undefined);
  return { addresses, ports, unreadable };
}

function note(service: ApiObject, addresses: Map<string, User[]>, ports: Map<string, User[]>): void {
  const { namespace = '', name = '', uid = '', creationTimestamp } = service.metadata;
  const user: User = { namespace, name, uid, createdAt: creationTimestamp ?? '' };
  const held = allocatedValuesOf(serviceSpec(service));
  for (const value of held.addresses) append(addresses, value, user);
  for (const value of held.ports) append(ports, value, user);
}

function append(map: Map<string, User[]>, value: string, user: User): void {
  const list = map.get(value);
  if (list === undefined) map.set(value, [user]);
  else list.push(user);
}
