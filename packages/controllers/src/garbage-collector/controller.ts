import { type Controller, type ControllerContext, controller } from '@orch/client';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { aborted } from '@orch/machinery/concurrency';
import type { Kept, Moment } from '../options.ts';
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
  /** Keeps the ownership of all objects between runs. */
  readonly kept?: Kept | undefined;
}

const ABSENT_OWNERS = 2_000;

const NAME = 'garbagecollector';

/** The ownership of all objects, and the informers that it follows. */
class Ownership {
  readonly graph: OwnerGraph;
  readonly monitors: Monitors;
  /** Resolves when the signal has aborted and all informers have ended. */
  readonly ended: Promise<void>;

  constructor(
    { client, env }: ControllerContext,
    { discoveryIntervalMs }: GarbageCollectorOptions,
    signal: AbortSignal,
  ) {
    this.graph = new OwnerGraph({ names: client.names, absent: new AbsentOwners(1), examine() {} });
    this.monitors = new Monitors({ client, env, graph: this.graph, discoveryIntervalMs });
    this.ended = this.monitors.run(signal);
  }

  hasReached(moment: Moment): boolean {
    return this.monitors.hasReached(moment);
  }
}

/** The state of one run: what it remembers of owners ends with it. */
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
  const { kept, concurrency } = options;
  let current: Run | undefined;
  return controller({
    name: NAME,
    concurrency,
    sources: [
      {
        async run(add, signal) {
          const observe = (until: AbortSignal): Ownership => new Ownership(context, options, until);
          const ownership = kept === undefined ? observe(signal) : kept.of(NAME, observe);
          current = newRun(context, ownership, { options, add });
          await (kept === undefined ? ownership.ended : aborted(signal));
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
  { client, events }: ControllerContext,
  { graph, monitors }: Ownership,
  {
    options: { absentOwners = ABSENT_OWNERS },
    add,
  }: { readonly options: GarbageCollectorOptions; readonly add: (uid: string) => void },
): Run {
  const { names } = client;
  const absent = new AbsentOwners(absentOwners);
  graph.reportTo({ absent, examine: add });
  const live = clientObjects(client);
  const lookup = new OwnerLookup(live, absent, names);
  const isComplete = (): boolean => monitors.isComplete;
  const reported = new BoundedCache<string, true>({ maxEntries: absentOwners, leastRecentlyUsed: true });
  const collector = new Collector({ names, graph, lookup, live, events, reported, isComplete });
  return { monitors, collector };
}
