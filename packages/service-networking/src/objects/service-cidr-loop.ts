import type { Draft } from '@orch/kinds/draft';
import type { ServiceCIDR } from '@orch/kinds/networking';
import { hasDeletionTimestamp } from '@orch/machinery';
import { type IpRange, parseIp, parseIpRange, rangeContains } from '@orch/machinery/net';
import { formatTime, timeMs } from '@orch/machinery/time';
import { type InternalResource, ObjectLoop, type ServerContext } from '@orch/registry';
import type { ServiceRanges } from '../allocate/service-ranges.ts';
import { cachedCidrs, isReady, READY } from './declared-ranges.ts';

const WORKERS = 1;
/** Other replicas may allocate from a range until they see that it is being deleted. */
const GRACE_MS = 10_000;
/** Addresses that are compared before other work gets a turn. */
const PART = 1_000;

interface State {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const allocatable: State = {
  status: 'True',
  reason: 'Allocatable',
  message: 'Services get addresses from these ranges',
};
const terminating: State = {
  status: 'False',
  reason: 'Terminating',
  message: 'Services still have addresses of these ranges, or may have got some',
};

export interface ServiceCidrLoopOptions {
  readonly context: ServerContext;
  readonly ranges: ServiceRanges;
}

/**
 * Keeps the ServiceCIDR with the ranges of the flag, the condition of each ServiceCIDR, and the finalizer that keeps one
 * while services have addresses only of its ranges.
 */
export class ServiceCidrLoop {
  readonly #context: ServerContext;
  readonly #ranges: ServiceRanges;
  readonly #cidrs: InternalResource<ServiceCIDR> | undefined;
  readonly #addresses: InternalResource | undefined;
  readonly #loop: ObjectLoop;

  constructor({ context, ranges }: ServiceCidrLoopOptions) {
    this.#context = context;
    this.#ranges = ranges;
    this.#cidrs = context.objects.resource('networking', 'servicecidrs');
    this.#addresses = context.objects.resource('networking', 'ipaddresses');
    this.#loop = new ObjectLoop({
      env: context.env,
      name: 'service_cidrs',
      resource: this.#cidrs,
      known: () => [this.#defaultName],
      workers: WORKERS,
      failed: 'a ServiceCIDR could not be updated',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
  }

  /** Creates the object of the flag if it is missing. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#cidrs !== undefined) await this.#createDefault(this.#cidrs, signal);
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#cidrs !== undefined) await this.#loop.run(signal);
  }

  get #defaultName(): string {
    return this.#context.names.defaultService;
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<number | undefined> {
    const cidrs = this.#cidrs;
    // Nothing is known before the first load, after which every object is reconciled.
    if (cidrs?.cachedKeys() === undefined) return undefined;
    const cidr = cidrs.cached({ namespace: '', name });
    if (cidr === undefined) {
      if (name === this.#defaultName && !cidrs.isCached({ namespace: '', name }))
        await this.#createDefault(cidrs, signal);
      return undefined;
    }
    if (hasDeletionTimestamp(cidr.metadata)) return this.#release(cidr, signal);
    if (!isReady(cidr) || !this.#isProtected(cidr)) await this.#change(cidr, signal);
    return undefined;
  }

  async #createDefault(cidrs: InternalResource<ServiceCIDR>, signal: AbortSignal): Promise<void> {
    const { names, env } = this.#context;
    const now = formatTime(env.clock.now());
    const object = {
      ...cidrs.typeMeta,
      metadata: { finalizers: [names.finalizers.serviceCidr] },
      spec: { cidrs: this.#ranges.addresses.map(({ text }) => text) },
    };
    const conditions = [{ type: READY, ...allocatable, lastTransitionTime: now }];
    await cidrs.create({ namespace: '', name: this.#defaultName }, object, signal, {
      status: { conditions },
    });
  }

  /** Returns when to look again; undefined once the object is released. */
  async #release(cidr: ServiceCIDR, signal: AbortSignal): Promise<number | undefined> {
    if (!this.#isProtected(cidr)) return undefined;
    if (isReady(cidr)) await this.#change(cidr, signal);
    const age = this.#context.env.clock.now() - (timeMs(cidr.metadata.deletionTimestamp ?? '') ?? 0);
    if (age < GRACE_MS || (await this.#isUsed(cidr, signal))) return GRACE_MS;
    await this.#change(cidr, signal, 'released');
    return undefined;
  }

  /** Reports whether there are addresses in the ranges of an object that no other object covers. */
  async #isUsed(cidr: ServiceCIDR, signal: AbortSignal): Promise<boolean> {
    const addresses = this.#addresses?.cachedKeys();
    if (addresses === undefined || this.#cidrs === undefined) return true;
    const own = rangesOf(cidr);
    const others = cachedCidrs(this.#cidrs)
      .filter(({ metadata }) => metadata.name !== cidr.metadata.name && !hasDeletionTimestamp(metadata))
      .flatMap(rangesOf);
    for (const [i, text] of addresses.entries()) {
      if (i % PART === PART - 1) await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      const address = parseIp(text);
      const isIn = (range: IpRange): boolean => address !== undefined && rangeContains(range, address);
      if (own.some(isIn) && !others.some(isIn)) return true;
    }
    return false;
  }

  #isProtected({ metadata }: ServiceCIDR): boolean {
    return metadata.finalizers?.includes(this.#context.names.finalizers.serviceCidr) === true;
  }

  /** Sets the condition, and sets or removes the finalizer. */
  async #change(
    { metadata: { name = '', uid } }: ServiceCIDR,
    signal: AbortSignal,
    finalizer: 'kept' | 'released' = 'kept',
  ): Promise<void> {
    const { env, names } = this.#context;
    const now = formatTime(env.clock.now());
    const { serviceCidr } = names.finalizers;
    await this.#cidrs?.change(
      { namespace: '', name },
      (current) => {
        // Another object of that name may have been created meanwhile.
        if (current.metadata.uid !== uid) return;
        const isDeleted = hasDeletionTimestamp(current.metadata);
        const others = (current.metadata.finalizers ?? []).filter((one) => one !== serviceCidr);
        if (!isDeleted) current.metadata.finalizers = [...others, serviceCidr];
        else if (finalizer === 'released') current.metadata.finalizers = others;
        setState(current, isDeleted ? terminating : allocatable, now);
      },
      signal,
    );
  }
}

const rangesOf = ({ spec }: ServiceCIDR): readonly IpRange[] =>
  (spec?.cidrs ?? []).flatMap((text) => parseIpRange(text) ?? []);

function setState(cidr: Draft<ServiceCIDR>, state: State, now: string): void {
  const before = cidr.status?.conditions ?? [];
  const last = before.find(({ type }) => type === READY);
  const lastTransitionTime = (last?.status === state.status ? last.lastTransitionTime : undefined) ?? now;
  cidr.status = {
    ...cidr.status,
    conditions: [
      ...before.filter(({ type }) => type !== READY),
      { type: READY, ...state, lastTransitionTime },
    ],
  };
}
