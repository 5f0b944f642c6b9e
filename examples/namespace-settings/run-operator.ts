import {
  candidateIdentity,
  createClient,
  eventRecorder,
  fencedTransport,
  informerFactory,
  leaderElector,
  runControllers,
  type Transport,
} from '@orch/client';
import type { Env, Names } from '@orch/machinery';
import { settingsController } from './operator.ts';

export interface OperatorOptions {
  readonly transport: Transport;
  readonly names: Names;
  readonly env: Env;
  /** Name of this machine, for logs and events. */
  readonly host: string;
  /** Namespace of the profiles and of the Lease. */
  readonly namespace: string;
}

const userAgent = 'namespace-settings/1.0';

/**
 * Runs the operator until the signal aborts: any number of them may run, one works. Resolves when its work has ended
 * and its Lease is given up; throws when the Lease was lost, since a restarted program is the safest standby.
 */
export async function runOperator(options: OperatorOptions, signal: AbortSignal): Promise<void> {
  const { transport, names, env, host, namespace } = options;
  const elector = leaderElector({
    client: createClient({ transport, names, env, userAgent }),
    env,
    namespace,
    name: 'namespace-settings',
    identity: candidateIdentity(host, env.random),
  });
  const ended = await elector.run(async (leadership) => {
    // All writes from here on are fenced by this leadership.
    const client = createClient({ transport: fencedTransport(transport, leadership), names, env, userAgent });
    const informers = informerFactory({ client, env });
    const events = eventRecorder({ client, env, component: 'namespace-settings', host });
    const settings = settingsController({ env, client, informers, events }, namespace);
    const mayWork = (): boolean => leadership.isValid();
    await Promise.all([
      events.run(leadership.signal),
      runControllers(env, [settings], leadership.signal, { informers, mayWork }),
    ]);
  }, signal);
  if (ended === 'lost') throw new Error('the leadership was lost');
}
