import type { WatchCache } from '@orch/cache';
import { metricsRoute } from '@orch/pipeline';
import type { BackgroundTask, Health } from '@orch/program';
import type { Route } from '@orch/request';
import { type Api, healthRoutes, versionRoutes } from '@orch/server';
import type { ReplicaQuestions } from '../peers/replica-questions.ts';
import { backupRoute } from '../storage/backup-route.ts';
import type { MigrationReadiness } from '../storage/migration-readiness.ts';
import { migrationRoute } from '../storage/migration-route.ts';
import { partialStores, type ServerStore } from '../storage/server-stores.ts';
import type { ClusterTokens } from '../tokens/cluster-tokens.ts';
import type { LastHour } from './last-hour.ts';
import type { Opened } from './open.ts';
import type { StartContext } from './start-context.ts';

/** The parts of a server that features are built on. */
export interface FeatureParts {
  readonly context: StartContext;
  readonly opened: Opened;
  readonly registry: Api;
  readonly cache: WatchCache;
  readonly tokens: ClusterTokens;
  readonly health: Health;
  readonly questions: ReplicaQuestions;
  readonly readiness: MigrationReadiness;
  readonly lastHour: LastHour;
}

/** The part of one feature in a server. Log entries have the names of tasks. */
interface Feature {
  readonly routes?: readonly Route[];
  /** Background work that begins with the watch cache. */
  readonly tasks?: readonly BackgroundTask[];
}

/** The features of a server, in the order in which their tasks begin. */
const features: readonly ((parts: FeatureParts) => Feature)[] = [
  ({ health }) => ({ routes: healthRoutes(health) }),
  ({ context }) => ({ routes: [metricsRoute(context.host.furtherThread ?? context.host.env.metrics)] }),
  ({ opened }) => ({ routes: versionRoutes(opened.version) }),
  ({ cache }) => ({ tasks: [['watch cache', (stop) => cache.run(stop)]] }),
  ({ registry }) => ({ routes: registry.routes, tasks: registry.tasks.withCache }),
  ({ tokens }) => ({ routes: tokens.routes }),
  backups,
  encryption,
  ({ questions }) => ({ tasks: [['questions of replicas', (stop) => questions.run(stop)]] }),
  migrations,
  ({ lastHour: { tasks } }) => ({ tasks }),
];

/** The paths and the background work of all features. */
export function serverFeatures(parts: FeatureParts): Required<Feature> {
  const all = features.map((feature) => feature(parts));
  return {
    routes: all.flatMap(({ routes = [] }) => routes),
    tasks: all.flatMap(({ tasks = [] }) => tasks),
  };
}

function backups({ context: { settings, host, threads }, opened }: FeatureParts): Feature {
  const { storePrefix: prefix } = settings;
  const { backups: memory } = (host.furtherThread ?? threads).memory;
  const { env } = host;
  const [main, ...others] = opened.stores;
  const stored = ({ storedBytes: store, override }: ServerStore) => ({ store, override });
  const stores = partialStores([stored(main), ...others.map(stored)], prefix);
  return { routes: [backupRoute({ stores, prefix, env, memory })] };
}

function encryption({ opened: { encryption: opened }, cache }: FeatureParts): Feature {
  if (opened === undefined) return {};
  return { tasks: [['objects that could not be decrypted', (stop) => opened.readAgain(cache, stop)]] };
}

function migrations({ context: { settings, host }, opened, readiness }: FeatureParts): Feature {
  const { env, workerUrl } = host;
  const reloading = { reloads: opened.reloads, metrics: env.metrics };
  return {
    routes: [migrationRoute({ store: opened.movable, readiness, settings, env, workerUrl, reloading })],
    tasks: [['questions about migrations', (stop) => readiness.run(stop)]],
  };
}
