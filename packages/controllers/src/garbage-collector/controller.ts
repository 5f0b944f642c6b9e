import { type Controller, type ControllerContext, controller } from '@orch/client';
import { AbsentOwners } from './absent-owners.ts';
import { clientObjects } from './client-objects.ts';
import { type CollectorContext, examine } from './collector.ts';
import { Monitors } from './monitors.ts';
import { OwnerGraph } from './owner-graph.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { RecentKeys } from './recent-keys.ts';

export interface GarbageCollectorOptions {
  /** Objects that are examined at the same time. */
  readonly concurrency: number;
  /** How often discovery is read for resources that are new or gone. */
  readonly discoveryIntervalMs: number;
  /** Owners that are known to be gone and remembered. */
  readonly absentOwners?: number;
}

const ABSENT_OWNERS = 2_000;

/** One run from nothing: what is known of objects, and where it comes from. */
interface Run {
  readonly monitors: Monitors;
  readonly collector: CollectorContext;
}

/**
 * Deletes what has lost its owners, lets go of dependents that are to stay, and lets owners go that waited for theirs.
 * Keys are uids.
 */
export function garbageCollectorController(
  context: ControllerContext,
  options: GarbageCollectorOptions,
): Controller<string> {
  let current: Run | undefined;
  return controller({
    name: 'garbagecollector',
    concurrency: options.concurrency,
    sources: [
      {
        async run(add, signal) {
          const run = newRun(context, options, add);
          current = run;
          await run.monitors.run(signal);
        },
        async synced(signal) {
          await current?.monitors.synced(signal);
        },
      },
    ],
    async reconcile(uid, signal) {
      return current === undefined ? {} : await examine(current.collector, uid, signal);
    },
  });
}

function newRun(
  { client, env, events }: ControllerContext,
  { discoveryIntervalMs, absentOwners = ABSENT_OWNERS }: GarbageCollectorOptions,
  add: (uid: string) => void,
): Run {
  const { names } = client;
  const absent = new AbsentOwners(absentOwners);
  const graph = new OwnerGraph({ names, absent, examine: add });
  const monitors = new Monitors({ client, env, graph, discoveryIntervalMs });
  const live = clientObjects(client);
  const lookup = new OwnerLookup(live, absent, names);
  const isComplete = (): boolean => monitors.isComplete;
  const reported = new RecentKeys(absentOwners);
  return { monitors, collector: { names, graph, lookup, live, events, reported, isComplete } };
}
