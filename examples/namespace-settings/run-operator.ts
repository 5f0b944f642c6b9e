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
import { installProfiles } from './profile.ts';
import { profileStatusController } from './profile-status.ts';

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
 * and its Lease is given up. Throws when its definition cannot be installed, and when the Lease was lost: the program is
 * started again then, and a restarted program is the safest standby.
 */
export async function runOperator(options: OperatorOptions, signal: AbortSignal): Promise<void> {
  const { transport, names, env, host, namespace } = options;
  const client = createClient({ transport, names, env, userAgent });
  // By every candidate: profiles can be written before there is a leader, which needs a namespace for its Lease.
  await installProfiles(client, env, signal);
  const elector = leaderElector({
    client,
    env,
    namespace,
    name: 'namespace-settings',
    identity: candidateIdentity(host, env.random),
  });
  const ended = await elector.run(async (leadership) => {
    // All writes from here on are fenced by this leadership.
    const fenced = createClient({ transport: fencedTransport(transport, leadership), names, env, userAgent });
    const informers = informerFactory({ client: fenced, env });
    const events = eventRecorder({ client: fenced, env, component: 'namespace-settings', host });
    const context = { env, client: fenced, informers, events };
    const controllers = [settingsController(context, namespace), profileStatusController(context, namespace)];
    const mayWork = (): boolean => leadership.isValid();
    await Promise.all([
      events.run(leadership.signal),
      runControllers(env, controllers, { informers, mayWork }, leadership.signal),
    ]);
  }, signal);
  if (ended === 'lost') throw new Error('the leadership was lost');
}
