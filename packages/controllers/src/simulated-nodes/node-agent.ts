import {
  type Controller,
  type ControllerContext,
  controller,
  type Informer,
  informerSource,
  isBeingDeleted,
  type kinds,
  type Reconciled,
  type ResourceClient,
  type Stored,
  typed,
} from '@orch/client';
import type { Clock } from '@orch/machinery';
import { ignoreReasons } from '../api/writes.ts';
import { hasEnded } from '../pods/pod-state.ts';
import { Addresses } from './addresses.ts';
import {
  type FailingPods,
  type Moment,
  momentOf,
  type Outcome,
  outcomeOf,
  type PodRules,
  restartPolicyOf,
} from './pod-rules.ts';
import { isReported, podStatusOf } from './pod-status.ts';

type Pod = Stored<kinds.core.Pod>;

const CONCURRENCY = 10;
const HOST_IP = '192.0.2.1';
/** The exit status of a process that a signal to terminate has ended. */
const TERMINATED = 143;

/** A pod that runs, by its uid. */
interface Run {
  outcome: Outcome;
  startedMs: number;
  restarts: number;
  deletedMs?: number;
}

/** Plays the agents of all nodes: pods that have a node start, become ready, fail and end as the rules say. Nothing runs. */
export function nodeAgentController(
  { client, informers, env }: ControllerContext,
  rules: PodRules,
): Controller {
  const { pods } = typed(client).core.v1;
  const informer = informers.informer(pods.resource);
  const agent = new NodeAgent({ informer, api: pods, clock: env.clock, rules });
  return controller({
    name: 'simulated-node-agent',
    concurrency: CONCURRENCY,
    sources: [informerSource(informer, { filter: ({ object }) => (object.spec?.nodeName ?? '') !== '' })],
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const pod = informer.store.get(key);
      if (pod === undefined || (pod.spec?.nodeName ?? '') === '') return;
      const untilMs = await agent.advance(pod, signal);
      return untilMs === undefined ? undefined : { requeueAfterMs: untilMs };
    },
  });
}

interface AgentParts {
  readonly informer: Informer<kinds.core.Pod>;
  readonly api: ResourceClient<kinds.core.Pod>;
  readonly clock: Clock;
  readonly rules: PodRules;
}

class NodeAgent {
  readonly #parts: AgentParts;
  readonly #addresses: Addresses;
  readonly #runs = new Map<string, Run>();
  readonly #used = new Map<FailingPods, number>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#addresses = new Addresses(parts.informer);
    parts.informer.subscribe((change) => {
      if (change.type !== 'deleted') return;
      this.#runs.delete(change.object.metadata.uid);
      this.#addresses.release(change.object.metadata.uid);
    });
  }

  /** Writes what a pod has become. Resolves with the time until it changes again. */
  async advance(pod: Pod, signal: AbortSignal): Promise<number | undefined> {
    const run = this.#runOf(pod);
    if (isBeingDeleted(pod)) return await this.#end(pod, run, signal);
    if (hasEnded(pod)) return undefined;
    const moment = this.#momentOf(pod, run);
    await this.#report(pod, run, moment, signal);
    return moment.untilMs;
  }

  #runOf(pod: Pod): Run {
    const { uid } = pod.metadata;
    const known = this.#runs.get(uid);
    if (known !== undefined) return known;
    const { clock } = this.#parts;
    // A pod that this process did not start, as after a restart of the controllers, starts again if it is not ready.
    const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
    const run = { outcome: this.#outcomeOf(pod), startedMs: clock.monotonic(), restarts };
    this.#runs.set(uid, run);
    return run;
  }

  #outcomeOf(pod: Pod): Outcome {
    return outcomeOf(pod, this.#parts.rules, (rule) => {
      const used = this.#used.get(rule) ?? 0;
      if (used >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
      this.#used.set(rule, used + 1);
      return true;
    });
  }

  #momentOf(pod: Pod, run: Run): Moment {
    const { clock, rules } = this.#parts;
    const isRestarted = restartPolicyOf(pod) !== 'Never';
    const at = (): Moment =>
      momentOf(run.outcome, rules, {
        passedMs: clock.monotonic() - run.startedMs,
        restarts: run.restarts,
        isRestarted,
      });
    const moment = at();
    if (moment.state !== 'restart') return moment;
    run.restarts++;
    run.startedMs = clock.monotonic();
    run.outcome = this.#outcomeOf(pod);
    return at();
  }

  /** The status of a pod with finalizers shows its end, for controllers that count it; then the pod is removed. */
  async #end(pod: Pod, run: Run, signal: AbortSignal): Promise<number | undefined> {
    const { clock, rules, api } = this.#parts;
    run.deletedMs ??= clock.monotonic();
    const leftMs = run.deletedMs + rules.endAfterMs - clock.monotonic();
    if (leftMs > 0) return leftMs;
    const { name, namespace = '', uid, finalizers = [], deletionGracePeriodSeconds } = pod.metadata;
    if (finalizers.length > 0 && !hasEnded(pod)) await this.#report(pod, run, { state: 'failed' }, signal);
    if (deletionGracePeriodSeconds === 0) return undefined;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await ignoreReasons(['NotFound', 'Conflict'], () => api.in(namespace).delete(name, options, signal));
    return undefined;
  }

  async #report(pod: Pod, run: Run, moment: Moment, signal: AbortSignal): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    const { outcome, restarts } = run;
    const exitCode = outcome.kind === 'fail' ? outcome.exitCode : moment.state === 'failed' ? TERMINATED : 0;
    const status = podStatusOf(pod, {
      moment,
      exitCode,
      restarts,
      nowMs: this.#parts.clock.now(),
      podIP: pod.spec?.hostNetwork === true ? HOST_IP : this.#addresses.of(pod),
      hostIP: HOST_IP,
    });
    if (isReported(pod, status)) return;
    const api = this.#parts.api.in(namespace).subresource<kinds.core.Pod>('status');
    await ignoreReasons(['NotFound', 'Conflict'], () =>
      api.patch.strategic(name, { metadata: { uid }, status }, {}, signal),
    );
  }
}
