import type { ResourceType } from '@orch/apis';
import type { Committed, Write } from '@orch/storage';
import type { Threads } from '../context/threads.ts';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';
import { cacheNameOf } from '../resource/store-keys.ts';

/** Groups whose objects decide requests. */
const groups: ReadonlySet<string> = new Set([
  'admissionregistration',
  'apiextensions',
  'apiregistration',
  'flowcontrol',
  'rbac',
]);

/** Other objects that decide requests, without pods, nodes and volumes, which change too often. */
const resources: ReadonlySet<string> = new Set([
  'ingressclasses.networking',
  'limitranges',
  'namespaces',
  'podsecuritypolicies.policy',
  'priorityclasses.scheduling',
  'resourcequotas',
  'runtimeclasses.node',
  // Tokens of accounts, and those by which nodes join.
  'secrets',
  'serviceaccounts',
  'storageclasses.storage',
]);

const isRule = (type: ResourceType): boolean => groups.has(type.group) || resources.has(cacheNameOf(type));

/**
 * Makes the writes of rules wait until all threads have them: a client may use the next request, over any connection, to do
 * what a rule permits, and expects that it cannot do what a rule refuses.
 */
export const knownToThreads = (next: ObjectCommitter, threads: Threads): ObjectCommitter => ({
  commit: (object, write) =>
    object.isCharge !== true && isRule(object.resource.type)
      ? commitRule(next, object, { write, threads })
      : next.commit(object, write),
});

async function commitRule(
  next: ObjectCommitter,
  object: ObjectWrite,
  { write, threads }: { readonly write: Write; readonly threads: Threads },
): Promise<Committed> {
  const committed = await next.commit(object, write);
  if (committed.ok) await threads.reach(write.key, committed.rev, object.signal);
  return committed;
}
