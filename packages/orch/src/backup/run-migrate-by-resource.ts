import {
  backendNameOf,
  foreignRanges,
  openAllStores,
  openRawStore,
  type PlacedStore,
  partialStores,
  settingsOfOverride,
  storesSettingsOf,
} from '@orch/apiserver';
import { type IdleStore, type MovedKeys, moveObjects } from '@orch/backup';
import { type FlagValues, UsageError } from '@orch/program';
import { replicaKeys } from '@orch/service-networking';
import type { migrateFlags } from './backup-flags.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { Progress } from './progress.ts';
import { printResult, type Result } from './result.ts';

type MigrateFlags = FlagValues<typeof migrateFlags>;

/** `orch migrate --by-resource` */
export async function runMigrateByResource(
  flags: MigrateFlags,
  { env, workerUrl, stdout, stderr }: BackupHost,
  signal: AbortSignal,
): Promise<void> {
  if (flags.clientConfig !== '' || flags.abort)
    throw new UsageError(
      '--by-resource moves objects while all servers are stopped: it cannot be used with --client-config or --abort',
    );
  const settings = storesSettingsOf(flags);
  if (settings.storage === 'embedded')
    throw new UsageError('--by-resource needs --etcd-servers: the embedded store has all resources');
  const { storePrefix: prefix } = settings;
  const again = 'servers do not start until it has ended: run it again';
  await reported('moving objects', { signal, again }, async () => {
    const open = (one: typeof settings, stop: AbortSignal) =>
      openRawStore(one, { env, workerUrl, signal: stop });
    const placed = await openAllStores(settings, (one, stop) => open({ ...settings, ...one }, stop), signal);
    using progress = new Progress({ stream: stderr, clock: env.clock, title: 'moving' });
    try {
      const owners = partialStores(placed, prefix);
      const idle = (one: PlacedStore): IdleStore => ({
        store: one.store,
        name: backendNameOf(one.settings),
        servers: one.override?.servers ?? [],
        resources: one.override?.resources,
        foreign: foreignRanges(one.override, placed, prefix),
      });
      const [main, ...others] = placed;
      const moved = await moveObjects(
        {
          stores: [idle(main), ...others.map(idle)],
          async openEarlier(servers) {
            const override = { resources: [], servers };
            const own = settingsOfOverride(settings, override);
            return idle({ store: await open(own, signal), override, settings: own });
          },
          prefix,
          ownerOf: (key) => owners.findIndex(({ owns }) => owns(key)),
          serverKeys: replicaKeys(''),
          random: env.random,
          onProgress: (keys) => progress.show(keys),
        },
        signal,
      );
      progress[Symbol.dispose]();
      printResult(resultOf(moved), stdout, flags.output);
    } finally {
      await Promise.all(placed.map(({ store }) => store.close()));
    }
  });
}

const resultOf = (moved: readonly MovedKeys[]): Result => ({
  json: { moved },
  lines:
    moved.length === 0
      ? ['nothing to move: all objects are in the stores that the flags name']
      : [
          ...moved.map(({ from, to, keys }) => `moved ${keys} keys from ${from} to ${to}`),
          'start servers with these flags about stores; clients list again',
        ],
});
