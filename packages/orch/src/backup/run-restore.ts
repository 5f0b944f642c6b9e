import {
  backendNameOf,
  openAllStores,
  openRawStore,
  partialStores,
  type StoresSettings,
  settingsOfNaming,
  storesSettingsOf,
} from '@orch/apiserver';
import {
  BackupError,
  type BackupHeader,
  type BackupSecret,
  type BackupSummary,
  beginRestores,
  openBackup,
  placementsOf,
  type RestoreOptions,
  type RestoreReport,
  restoreBackup,
  writePlacements,
} from '@orch/backup';
import { type FlagValues, UsageError } from '@orch/program';
import { replicaKeys } from '@orch/service-networking';
import { checkBackup, readBackup } from './backup-file.ts';
import type { restoreFlags } from './backup-flags.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { Progress } from './progress.ts';
import { keyLines, printResult, type Result } from './result.ts';
import { secretOf } from './secret.ts';

type RestoreFlags = FlagValues<typeof restoreFlags>;

/** `orch restore FILE` */
export async function runRestore(
  flags: RestoreFlags,
  path: string,
  host: BackupHost,
  signal: AbortSignal,
): Promise<void> {
  if (flags.clientConfig !== '')
    throw new UsageError(
      '--client-config names a running server, and all servers must be stopped during a restore: name the store with --data-dir or --etcd-servers',
    );
  const settings = settingsOfNaming(storesSettingsOf(flags), flags.naming);
  const secret = secretOf(flags, host.environment);
  const again = 'run it again with the same file to continue';
  await reported('the restore', { signal, again }, async () => {
    // Checks the whole file first, so that a damaged one changes nothing.
    const { header, summary } = await reported(path, { signal, again }, () =>
      checkBackup(path, secret, host),
    );
    refuseOtherPlace(header, summary, settings);
    const { replace, replaceMoved } = flags;
    const restored = { path, secret, settings, entries: summary.entries, replace, replaceMoved };
    const reports = await restoreInto(restored, { header, host }, signal);
    printResult(resultOf(reports), host.stdout, flags.output);
  });
}

interface Restored extends Pick<RestoreOptions, 'replace' | 'replaceMoved'> {
  readonly path: string;
  readonly secret: BackupSecret | undefined;
  readonly settings: StoresSettings;
  readonly entries: number;
}

/** The report about one store. */
interface StoreReport extends RestoreReport {
  readonly store: string;
}

/** Restores the part of each store, the main store first. */
async function restoreInto(
  { path, secret, settings, entries, replace, replaceMoved }: Restored,
  { header, host }: { readonly header: BackupHeader; readonly host: BackupHost },
  signal: AbortSignal,
): Promise<readonly StoreReport[]> {
  const { env, workerUrl, stderr } = host;
  const { storePrefix: prefix } = settings;
  const opened = await openAllStores(
    settings,
    (one, stop) => openRawStore(one, { env, workerUrl, signal: stop }),
    signal,
  );
  try {
    using progress = new Progress({ stream: stderr, clock: env.clock, title: 'restore' });
    const stores = partialStores(opened, prefix).map(({ store, owns }, i) => ({
      store,
      owns,
      name: backendNameOf((opened[i] ?? opened[0]).settings),
      prefix,
      serverKeys: replicaKeys(''),
      isShared: settings.storage === 'etcd',
      replace,
      replaceMoved,
      env,
    }));
    await beginRestores(header, stores, signal);
    const placed = opened.map(({ store, override }) => ({
      store,
      ...(override ?? { resources: [], servers: [] }),
    }));
    const isSplit = placed.length > 1;
    const { placements } = isSplit
      ? await placementsOf(placed, prefix, { random: env.random, signal })
      : { placements: {} };
    await writePlacements(opened[0].store, prefix, { placements, signal });
    const reports: StoreReport[] = [];
    let before = 0;
    for (const options of stores) {
      await using backup = await openBackup(readBackup(path), secret);
      const onProgress = ({ created, updated, unchanged }: RestoreReportCounts): void =>
        progress.show(before + created + updated + unchanged, entries);
      const report = await restoreBackup(backup, { ...options, onProgress }, signal);
      before += report.created + report.updated + report.unchanged;
      reports.push({ ...report, store: options.name });
    }
    return reports;
  } finally {
    await Promise.all(opened.map(({ store }) => store.close()));
  }
}

type RestoreReportCounts = Pick<RestoreReport, 'created' | 'updated' | 'unchanged'>;

/** Values encrypted at rest are bound to their keys in the store. */
function refuseOtherPlace(
  header: BackupHeader,
  summary: BackupSummary,
  { storePrefix }: StoresSettings,
): void {
  if (header.prefix === storePrefix || Object.keys(summary.encryptedAtRest).length === 0) return;
  throw new BackupError(
    'refused',
    `the backup has values that are encrypted at rest, which can be read below ${header.prefix} only, not below ${storePrefix}`,
  );
}

function resultOf(reports: readonly StoreReport[]): Result {
  const [first] = reports;
  if (first === undefined) throw new TypeError('no store was restored');
  const { store: _name, ...only } = first;
  return {
    json:
      reports.length === 1
        ? only
        : { ...only, stores: reports.map(({ summary: _same, ...report }) => report) },
    lines: [...reports.flatMap((report) => linesOf(report, reports.length > 1)), ...keyLines(first.summary)],
  };
}

const linesOf = (
  { backupId, revision, created, updated, deleted, unchanged, store }: StoreReport,
  isNamed: boolean,
): readonly string[] => {
  const place = isNamed ? ` into ${store}` : '';
  return [
    `restored backup ${backupId}${place}: ${created} keys created, ${updated} changed, ${deleted} deleted, ${unchanged} unchanged`,
    `revisions continue after ${revision}; clients list again`,
  ];
};
