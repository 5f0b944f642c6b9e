import { MIGRATION_PATH, type MigrationLine, type NothingMoved } from '@orch/apiserver';
import type { MigrationProgress, MigrationReport } from '@orch/backup';
import { loadClientConfig, networkTransport, type TransportResponse } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { type FlagValues, StartError, UsageError } from '@orch/program';
import type { migrateFlags } from './backup-flags.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { Progress } from './progress.ts';
import { printResult, type Result } from './result.ts';
import { runMigrateByResource } from './run-migrate-by-resource.ts';

type MigrateFlags = FlagValues<typeof migrateFlags>;

/** `orch migrate` */
export async function runMigrate(flags: MigrateFlags, host: BackupHost, signal: AbortSignal): Promise<void> {
  if (flags.byResource) return runMigrateByResource(flags, host, signal);
  if (flags.clientConfig === '') throw new UsageError('missing flag: --client-config');
  if (flags.etcdServers.length > 0)
    throw new UsageError(
      '--etcd-servers and --client-config cannot be used together: the server knows its store, and the other one by its --migration-target-file',
    );
  const doing = flags.abort ? 'undoing the migration' : 'the migration';
  const again = 'servers continue with the store that they use: run it again';
  await reported(doing, { signal, again }, async () => {
    const { env, environment, stdout } = host;
    const files = [flags.clientConfig];
    const connection = await loadClientConfig({ env, names: namesFor(flags.naming), files, environment });
    const transport = networkTransport(connection, env);
    try {
      const method = flags.abort ? 'DELETE' : 'POST';
      const response = await transport.send({ method, target: MIGRATION_PATH, headers: {} }, signal);
      if (response.status !== 200) throw new StartError(refused(response, method));
      const report = await followed(response.body, host);
      printResult(flags.abort ? undone(report) : done(report), stdout, flags.output);
    } finally {
      await transport.close();
    }
  });
}

function refused({ status }: TransportResponse, method: string): string {
  const why =
    status === 403
      ? `: the user may not ${method.toLowerCase()} ${MIGRATION_PATH}`
      : status === 404
        ? ': it is of an earlier version'
        : '';
  return `the server refused: status ${status}${why}`;
}

/** Shows progress; the report follows at the end. */
async function followed(body: AsyncIterable<Uint8Array>, host: BackupHost): Promise<unknown> {
  using bars = new Bars(host);
  for await (const text of linesOf(body)) {
    const line = JSON.parse(text) as MigrationLine;
    if ('progress' in line) bars.show(line.progress);
    else if ('report' in line) return line.report;
    else throw new StartError(failed(line.error));
  }
  throw new StartError('the server has ended the migration without a result: run it again');
}

const failed = ({
  message,
  isOutcomeUnknown,
}: Extract<MigrationLine, { error: unknown }>['error']): string =>
  isOutcomeUnknown
    ? `it is not known whether the content was moved: ${message}; the log of the servers says which store they use`
    : `${message}; servers continue with the store that they use`;

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const titles = {
  copy: ['copying', 'keys'],
  follow: ['following', 'changes'],
  pause: ['moving', 'of 1'],
  undo: ['deleting', 'keys'],
} as const;

/** A bar for each phase. */
class Bars implements Disposable {
  readonly #host: BackupHost;
  #phase: MigrationProgress['phase'] | undefined;
  #bar: Progress | undefined;

  constructor(host: BackupHost) {
    this.#host = host;
  }

  show({ phase, done, total }: MigrationProgress): void {
    if (this.#phase !== phase) {
      this.#bar?.[Symbol.dispose]();
      const [title, unit] = titles[phase];
      this.#bar = new Progress({ stream: this.#host.stderr, clock: this.#host.env.clock, title, unit });
      this.#phase = phase;
    }
    if (total > 0) this.#bar?.show(done, total);
    else this.#bar?.show(done);
  }

  [Symbol.dispose](): void {
    this.#bar?.[Symbol.dispose]();
  }
}

const done = (report: unknown): Result =>
  (report as Partial<NothingMoved>).alreadyThere === undefined
    ? moved(report as MigrationReport)
    : unmoved(report as NothingMoved);

const unmoved = (report: NothingMoved): Result => ({
  json: report,
  lines: [`nothing to move: ${report.alreadyThere}`],
});

const moved = (report: MigrationReport): Result => ({
  json: report,
  lines: [
    `moved ${report.keys} keys from ${report.from} to ${report.to} (migration ${report.id})`,
    `${report.followed} changes were copied meanwhile; writes waited for ${Math.ceil(report.pauseMs)} ms`,
    `revisions continue after ${report.nextRevision}; start servers with the flags of ${report.to} from now on`,
  ],
});

function undone(report: unknown): Result {
  const { deleted } = report as { readonly deleted: number };
  return { json: { deleted }, lines: [`the migration was undone: ${deleted} keys deleted in the target`] };
}
