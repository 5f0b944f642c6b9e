import { messageOf } from '@orch/machinery';
import { aborted, anySignal, sleep, withDeadline } from '@orch/machinery/concurrency';
import { Cleanup, runAll, StartError } from '@orch/program';
import { ownSecrets } from './own-secrets.ts';
import type { Settings } from './settings/settings.ts';
import { assemble } from './start/assemble.ts';
import { open } from './start/open.ts';
import { type Published, publish, type Serving } from './start/publish.ts';
import { serve } from './start/serve.ts';
import type { ApiServerHost, RunningApiServer, StartContext } from './start/start-context.ts';
import { ServingThreads } from './threads/serving-threads.ts';

const SHUTDOWN_SLACK_MS = 5_000;

/**
 * Upper limit of a shutdown, from the signal to the last connection, regardless of clients: the delay during which load
 * balancers remove the server, the timeout of a request, and a margin.
 */
const shutdownLimitMs = ({ flags }: Settings): number =>
  flags.shutdownDelay + flags.requestTimeout + SHUTDOWN_SLACK_MS;

/**
 * Runs an API server until the signal aborts, then shuts it down: not ready, `--shutdown-delay-duration`, watches
 * and requests completed, the store closed last. Rejects with a `StartError` when it cannot start.
 */
export async function runApiServer(
  settings: Settings,
  host: ApiServerHost,
  signal: AbortSignal,
): Promise<void> {
  const cleanup = new Cleanup(host.env.log);
  try {
    const threads = startThreads({ settings, host, cleanup });
    const context = { settings, host, threads, cleanup, signal };
    const started = await start(context);
    host.onReady(runningOf(settings, started));
    const { failed } = started.opened.background;
    using either = anySignal([signal, failed]);
    await aborted(either.signal);
    if (!signal.aborted) throw new StartError(`cannot continue: ${messageOf(failed.reason)}`);
    await stop(context, started);
  } finally {
    await cleanup.run();
  }
}

/** The further threads load the program while this one opens its parts. */
function startThreads({
  settings: { flags, overrides },
  host,
  cleanup,
}: Pick<StartContext, 'settings' | 'host' | 'cleanup'>): ServingThreads {
  const { env, furtherThread, threadUrl: url, localPrograms } = host;
  const count = furtherThread === undefined ? flags.threads - 1 : 0;
  const stores = 1 + overrides.length;
  const threads = new ServingThreads({ flags, count, stores, env, url, localPrograms });
  cleanup.add('end the other threads', () => threads.end());
  return threads;
}

/** The results of all phases of the start. */
interface Started extends Serving {
  readonly published: Published;
}

async function start(context: StartContext): Promise<Started> {
  const { threads } = context;
  const opened = await open(context);
  // They use the store: it must be closed after them.
  context.cleanup.add('end the other threads before the store', () => threads.end());
  const { background } = opened;
  background.start('threads', (stop) => threads.run(stop));
  const assembled = assemble(context, opened);
  const served = await serve(context, opened, assembled);
  using either = anySignal([context.signal, background.failed]);
  const [published] = await runAll<[Published, unknown]>(
    [
      () => publish(context, { opened, assembled, served }),
      (stop) => threads.serve(served.listener.port, stop),
    ],
    either.signal,
  );
  return { opened, assembled, served, published };
}

const runningOf = (
  { adminConfig }: Settings,
  { opened: { certificates, keys, loopback }, assembled: { server, cache }, served, published }: Started,
): RunningApiServer => ({
  url: published.url,
  adminConfig,
  ops: served.ops,
  own: ownSecrets(certificates, keys),
  loopback: loopback?.transport(server),
  cache,
  inflight: server.inflight,
});

async function stop(
  { settings, host: { env }, threads }: StartContext,
  { opened, assembled, served, published }: Started,
): Promise<void> {
  const { shutdownDelay } = settings.flags;
  const limitMs = shutdownLimitMs(settings);
  env.log.info('stopping', { shutdownDelayMs: shutdownDelay, limitMs });
  using limit = withDeadline(new AbortController().signal, env.clock, limitMs);
  assembled.lifecycle.stopping();
  const drained = threads.drain(limit.signal);
  await published.leave();
  if (shutdownDelay > 0) await sleep(env.clock, shutdownDelay, limit.signal);
  opened.loopback?.drain();
  await Promise.all([served.listener.drain(limit.signal), drained]);
  env.log.info('stopped');
}
