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
import { type Env, messageOf } from '@orch/machinery';
import { aborted, anySignal } from '@orch/machinery/concurrency';
import type { ControllerClients } from '../identities/controller-clients.ts';
import type { ControllerStates } from './controller-states.ts';
import type { Pauses, Round } from './pauses.ts';

/** The dependencies of running controllers. */
export interface RunningParts {
  readonly env: Env;
  readonly clients: ControllerClients;
  readonly selected: readonly ControllerDescriptor[];
  readonly useAccounts: boolean;
  readonly options: ControllerOptions;
  readonly states: ControllerStates;
  /** Called before each reconciliation: false when another manager may lead by now. */
  readonly mayWork: () => boolean;
  /** Lets another part of the process end the work for a while. */
  readonly pauses?: Pauses | undefined;
}

/**
 * Builds controllers and runs them until the signal aborts and all their work has ended. They share informers, which use
 * the identity of the manager, as default roles expect. Rejects when one of them fails, once the others have ended.
 */
export async function runControllers(parts: RunningParts, signal: AbortSignal): Promise<void> {
  const { env, clients, pauses } = parts;
  const informers = informerFactory({ client: clients.own, env });
  const work = (round: Partial<Round>, stop: AbortSignal): Promise<void> =>
    runSelected(parts, { informers, ...round }, stop);
  await allOrNone(
    [
      (stop) => (pauses === undefined ? work({}, stop) : pauses.run(informers, work, stop)),
      (stop) => informers.run(stop),
    ],
    signal,
  );
}

/** Builds and runs the selected controllers once. */
async function runSelected(
  parts: RunningParts,
  { informers, kept }: Pick<Round, 'informers'> & Partial<Round>,
  signal: AbortSignal,
): Promise<void> {
  const { env, selected, states, options } = parts;
  env.log.info('controllers start', { controllers: selected.map(({ name }) => name) });
  const own = kept === undefined ? parts : { ...parts, options: { ...options, kept } };
  try {
    await allOrNone(
      [
        ...selected.map(
          (descriptor) => (stop: AbortSignal) => runOne(own, descriptor, { informers, signal: stop }),
        ),
        // Also when all of them are disabled.
        aborted,
      ],
      signal,
    );
  } finally {
    for (const { name } of selected) {
      if (states.of(name).is !== 'failed') states.set(name, { is: 'waiting' });
    }
  }
}

/** Runs all parts until the signal aborts, or one of them fails; rejects with its failure once the others have ended. */
async function allOrNone(
  parts: readonly ((signal: AbortSignal) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  using scope = anySignal([signal]);
  const run = async (part: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    try {
      await part(scope.signal);
    } catch (error) {
      scope.abort(error);
      throw error;
    }
  };
  const ended = await Promise.allSettled(parts.map(run));
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

interface RunContext {
  readonly informers: InformerFactory;
  readonly signal: AbortSignal;
}

async function runOne(
  parts: RunningParts,
  descriptor: ControllerDescriptor,
  { informers, signal }: RunContext,
): Promise<void> {
  const { name } = descriptor;
  try {
    const work = await built(parts, descriptor, informers);
    if (work !== undefined) await runWork(parts, { name, work }, signal);
  } catch (error) {
    if (signal.aborted) return;
    const why = messageOf(error);
    parts.states.set(name, { is: 'failed', why });
    throw new Error(`the controller ${name} cannot continue: ${why}`, { cause: error });
  }
}

/** The work of a controller; undefined when the options disable it. */
async function built(
  { env, clients, useAccounts, options, states }: RunningParts,
  descriptor: ControllerDescriptor,
  informers: InformerFactory,
): Promise<readonly Work[] | undefined> {
  const { name, serviceAccount, component = serviceAccount ?? name } = descriptor;
  const client: Client =
    useAccounts && serviceAccount !== undefined ? clients.of(serviceAccount) : clients.own;
  const own: Env = { ...env, log: env.log.with({ controller: name }) };
  const events = eventRecorder({ client, env: own, component });
  const work = await descriptor.build({ env: own, client, informers, events }, options);
  if (typeof work !== 'string') return [...work, { name: 'events', run: (signal) => events.run(signal) }];
  states.set(name, { is: 'idle', why: work });
  own.log.info('controller is disabled', { why: work });
  return undefined;
}

/** Runs the parts of one controller until the signal aborts, and updates its state. */
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
  states.observe(name, () => ({ is: loops.every((loop) => loop.isSynced) ? 'working' : 'starting' }));
  using scope = anySignal([signal]);
  const end = (): void => scope.abort(new Error(`a part of ${name} has ended`));
  const ended = await Promise.allSettled([
    ...(loops.length === 0 ? [] : [runLoops(loops, {}, scope.signal).finally(end)]),
    ...others.map((part) => part.run(scope.signal).finally(end)),
  ]);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  if (!signal.aborted) throw new Error('it ended unexpectedly');
}
