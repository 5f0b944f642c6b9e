import { type Controller, type ControllerContext, controller } from '@orch/client';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { AbsentOwners } from './absent-owners.ts';
import { clientObjects } from './client-objects.ts';
import { Collector } from './collector.ts';
import { Monitors } from './monitors.ts';
import { OwnerGraph } from './owner-graph.ts';
import { OwnerLookup } from './owner-lookup.ts';

export interface GarbageCollectorOptions {
  /** Objects that are examined concurrently. */
  readonly concurrency: number;
  /** Interval of discovery. */
  readonly discoveryIntervalMs: number;
  /** Capacity of the cache of deleted owners. */
  readonly absentOwners?: number;
}

const ABSENT_OWNERS = 2_000;

/** The state of one run, which starts with an empty graph. */
interface Run {
  readonly monitors: Monitors;
  readonly collector: Collector;
}

/**
 * Deletes objects without owners, orphans dependents, and releases owners that waited for their dependents. Keys are
 * uids.
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
      return current === undefined ? {} : await current.collector.examine(uid, signal);
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
  const reported = new BoundedCache<string, true>({ maxEntries: absentOwners, leastRecentlyUsed: true });
  const collector = new Collector({ names, graph, lookup, live, events, reported, isComplete });
  return { monitors, collector };
}
