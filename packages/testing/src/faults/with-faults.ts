import type { LoadedConfig } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { MovableClock } from '../movable-clock.ts';
import { type Fault, type FaultRequest, type FaultRule, faultText, type InjectedFault } from './fault.ts';
import { FaultyTransport } from './faulty-transport.ts';
import { OrderedClock } from './ordered-clock.ts';
import { type ScheduleOptions, scheduleOf } from './schedule.ts';

/** The faults of a client configuration: by rules, by a number, or both. */
export interface FaultOptions extends ScheduleOptions {
  /** The number of the schedule; a random one when absent. A failure prints it. */
  readonly seed?: number;
  /** Rules, of which the first with a fault decides. Without a `seed`, there are no other faults then. */
  readonly rules?: readonly FaultRule[];
}

/** A client configuration whose requests have faults. */
export interface FaultyConfig extends LoadedConfig {
  /** The number of the schedule; undefined where only rules decide. */
  readonly seed: number | undefined;
  /** The faults that have happened. */
  readonly faults: readonly InjectedFault[];
}

/**
 * The configuration with faults: clients, managers and controllers that use it have them, and other clients do not. With a number, its
 * `env` has random numbers of that number and a clock whose timers run one after the other (`OrderedClock`).
 */
export function faultyConfig(config: LoadedConfig, options: FaultOptions = {}): FaultyConfig {
  const { rules = [] } = options;
  const seed = options.seed ?? (rules.length === 0 ? config.env.random.int(2 ** 31) : undefined);
  const all = seed === undefined ? rules : [...rules, scheduleOf(seed, options)];
  const faults: InjectedFault[] = [];
  const { clock: base } = config.env;
  const ordered = seed === undefined ? undefined : new OrderedClock(base);
  const env =
    seed === undefined || ordered === undefined
      ? config.env
      : { ...config.env, clock: ordered, random: seededRandom(seed) };
  const transport = new FaultyTransport(config.transport, {
    clock: env.clock,
    hold: () => ordered?.hold() ?? (() => {}),
    async jump(ms) {
      if (!(base instanceof MovableClock))
        throw new TypeError('only the clock of a control plane of this package can jump');
      ordered?.jump(ms);
      await base.advance(ms);
    },
    onFault: (injected) => faults.push(injected),
    rule: (request) => firstFault(all, request),
  });
  return { ...config, env, transport, seed, faults };
}

function firstFault(rules: readonly FaultRule[], request: FaultRequest): Fault | undefined {
  for (const rule of rules) {
    const fault = rule(request);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Calls a test with faults. Its failure names the number of the schedule, with which the same requests have the same faults again,
 * and the faults that have happened.
 */
export async function withFaults<R>(
  config: LoadedConfig,
  options: FaultOptions,
  test: (config: FaultyConfig) => Promise<R>,
): Promise<R> {
  const faulty = faultyConfig(config, options);
  try {
    return await test(faulty);
  } catch (cause) {
    const { seed, faults } = faulty;
    const replay = seed === undefined ? '' : ` To replay it: seed ${seed}.`;
    const happened = faults.map((fault) => `\n  ${faultText(fault)}`).join('');
    throw new Error(`${messageOf(cause)}\nThe test failed with faults.${replay}${happened}`, { cause });
  }
}
