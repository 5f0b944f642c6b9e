import {
  type Client,
  type ControllerLoop,
  controllerLoop,
  eventRecorder,
  type InformerFactory,
  informerFactory,
  runLoops,
} from '@orch/client';
import type { Background, ControllerDescriptor, ControllerOptions, Work } from '@orch/controllers';
import { anySignal, type Env, messageOf } from '@orch/machinery';
import type { ControllerClients } from '../identities/controller-clients.ts';
import type { ControllerStates } from './controller-states.ts';

/** Everything that controllers are run with. */
export interface RunningParts {
  readonly env: Env;
  readonly clients: ControllerClients;
  readonly selected: readonly ControllerDescriptor[];
  readonly useAccounts: boolean;
  readonly options: ControllerOptions;
  readonly states: ControllerStates;
  /** Asked before each piece of work: false when somebody else may lead by now. */
  readonly mayWork: () => boolean;
}

/**
 * Builds controllers and runs them until the signal aborts and all their work has ended. They share informers, which
 * read under the manager's identity, as default roles expect. Rejects when one of them fails, once the others have ended.
 */
export async function runControllers(parts: RunningParts, signal: AbortSignal): Promise<void> {
  const { env, clients, selected, states } = parts;
  const informers = informerFactory({ client: clients.own, env });
  using scope = anySignal([signal]);
  const guarded = async (run: Promise<void>): Promise<void> => {
    try {
      await run;
    } catch (error) {
      scope.abort(error);
      throw error;
    }
  };
  env.log.info('controllers start', { controllers: selected.map(({ name }) => name) });
  const ended = await Promise.allSettled([
    ...selected.map((descriptor) => guarded(runOne(parts, descriptor, { informers, signal: scope.signal }))),
    guarded(informers.run(scope.signal)),
  ]);
  for (const { name } of selected) {
    if (states.of(name).is !== 'failed') states.set(name, { is: 'waiting' });
  }
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

interface Surroundings {
  readonly informers: InformerFactory;
  readonly signal: AbortSignal;
}

async function runOne(
  parts: RunningParts,
  descriptor: ControllerDescriptor,
  { informers, signal }: Surroundings,
): Promise<void> {
  const { name } = descriptor;
  try {
    const work = await built(parts, descriptor, informers);
    if (work !== undefined) await runWork(parts, { name, work }, signal);
  } catch (error) {
    if (signal.aborted) return;
    const why = messageOf(error);
    parts.states.set(name, { is: 'failed', why });
    throw new Error(`the controller ${name} cannot go on: ${why}`, { cause: error });
  }
}

/** What there is to run of a controller; undefined where there is nothing. */
async function built(
  { env, clients, useAccounts, options, states }: RunningParts,
  descriptor: ControllerDescriptor,
  informers: InformerFactory,
): Promise<readonly Work[] | undefined> {
  const { name, serviceAccount } = descriptor;
  const client: Client =
    useAccounts && serviceAccount !== undefined ? clients.of(serviceAccount) : clients.own;
  const own: Env = { ...env, log: env.log.with({ controller: name }) };
  const events = eventRecorder({ client, env: own, component: serviceAccount ?? name });
  const work = await descriptor.build({ env: own, client, informers, events }, options);
  if (typeof work !== 'string') return [...work, { name: 'events', run: (signal) => events.run(signal) }];
  states.set(name, { is: 'idle', why: work });
  own.log.info('a controller has nothing to do', { why: work });
  return undefined;
}

/** Runs the parts of one controller until the signal aborts, and says how they fare. */
async function runWork(
  { env, states, mayWork }: RunningParts,
  { name, work }: { readonly name: string; readonly work: readonly Work[] },
  signal: AbortSignal,
): Promise<void> {
  const loops: ControllerLoop[] = [];
  const others: Background[] = [];
  for (const part of work) {
    if ('reconcile' in part) loops.push(controllerLoop(env, part, { mayWork }));
    else others.push(part);
  }
  states.follow(name, () => ({ is: loops.every((loop) => loop.isSynced) ? 'working' : 'starting' }));
  using scope = anySignal([signal]);
  const end = (): void => scope.abort(new Error(`a part of ${name} has ended`));
  const ended = await Promise.allSettled([
    ...(loops.length === 0 ? [] : [runLoops(loops, scope.signal).finally(end)]),
    ...others.map((part) => part.run(scope.signal).finally(end)),
  ]);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  if (!signal.aborted) throw new Error('it ended by itself');
}
