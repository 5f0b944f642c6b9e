import { openRawStore, type StoreSettings, settingsOfNaming, storeSettingsOf } from '@orch/apiserver';
import {
  BackupError,
  type BackupHeader,
  type BackupSecret,
  type BackupSummary,
  openBackup,
  type RestoreOptions,
  type RestoreReport,
  restoreBackup,
} from '@orch/backup';
import { type FlagValues, UsageError } from '@orch/program';
import { replicaKeys } from '@orch/service-networking';
import { checkBackup, readBackup } from './backup-file.ts';
import type { restoreFlags } from './backup-flags.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { Progress } from './progress.ts';
import { keyLines, printResult } from './result.ts';
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
  const settings = settingsOfNaming(storeSettingsOf(flags), flags.naming);
  const secret = secretOf(flags, host.environment);
  const again = 'run it again with the same file to continue';
  await reported('the restore', { signal, again }, async () => {
    // Checks the whole file first, so that a damaged one changes nothing.
    const { header, summary } = await checkBackup(path, secret, host);
    refuseOtherPlace(header, summary, settings);
    const { replace, replaceMoved } = flags;
    const restored = { path, secret, settings, entries: summary.entries, replace, replaceMoved };
    const report = await restoreInto(restored, host, signal);
    printResult({ json: report, lines: linesOf(report) }, host.stdout, flags.output);
  });
}

interface Restored extends Pick<RestoreOptions, 'replace' | 'replaceMoved'> {
  readonly path: string;
  readonly secret: BackupSecret | undefined;
  readonly settings: StoreSettings;
  readonly entries: number;
}

async function restoreInto(
  { path, secret, settings, entries, replace, replaceMoved }: Restored,
  { env, workerUrl, stderr }: BackupHost,
  signal: AbortSignal,
): Promise<RestoreReport> {
  const store = await openRawStore(settings, { env, workerUrl, signal });
  try {
    using progress = new Progress({ stream: stderr, clock: env.clock, title: 'restore' });
    await using backup = await openBackup(readBackup(path), secret);
    return await restoreBackup(
      backup,
      {
        store,
        prefix: settings.storePrefix,
        serverKeys: replicaKeys(''),
        isShared: settings.storage === 'etcd',
        replace,
        replaceMoved,
        env,
        onProgress: ({ created, updated, unchanged }) =>
          progress.show(created + updated + unchanged, entries),
      },
      signal,
    );
  } finally {
    await store.close();
  }
}

/** Values encrypted at rest are bound to their keys in the store. */
function refuseOtherPlace(
  header: BackupHeader,
  summary: BackupSummary,
  { storePrefix }: StoreSettings,
): void {
  if (header.prefix === storePrefix || Object.keys(summary.encryptedAtRest).length === 0) return;
  throw new BackupError(
    'refused',
    `the backup has values that are encrypted at rest, which can be read below ${header.prefix} only, not below ${storePrefix}`,
  );
}

const linesOf = ({ backupId, revision, created, updated, deleted, unchanged, summary }: RestoreReport) => [
  `restored backup ${backupId}: ${created} keys created, ${updated} changed, ${deleted} deleted, ${unchanged} unchanged`,
  `revisions continue after ${revision}; clients list again`,
  ...keyLines(summary),
];
