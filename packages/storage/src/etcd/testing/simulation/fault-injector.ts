import type { Clock, Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { EtcdMember } from './etcd-member.ts';
import type { Door, OpenConnection, SimulatedNetwork } from './simulated-network.ts';

export interface FaultedWorld {
  readonly network: SimulatedNetwork;
  readonly members: readonly EtcdMember[];
  readonly clock: Clock;
  readonly random: Random;
  note(line: string): void;
}

const MAX_PAUSE_MS = 500;
const MAX_REQUEST_BYTES = 400;
const MAX_ANSWER_BYTES = 200;

/** Injects faults into connections and members, one after the other. */
export class FaultInjector {
  readonly #world: FaultedWorld;

  constructor(world: FaultedWorld) {
    this.#world = world;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { clock, random } = this.#world;
    while (!stop.aborted) {
      await sleep(clock, random.int(MAX_PAUSE_MS), stop).catch(() => undefined);
      if (!stop.aborted) this.#inject();
    }
  }

  /** Ends all faults. Connections without their bytes stay so: their clients must notice it. */
  heal(): void {
    const { members, network } = this.#world;
    for (const member of members) {
      member.heal();
      member.lagMs = 0;
      network.doors[member.number] = 'open';
    }
  }

  #inject(): void {
    const { network, members, random, note } = this.#world;
    const connections = network.connections();
    const connection = connections[random.int(connections.length)];
    const member = members[random.int(members.length)];
    if (random.int(2) === 0 && connection !== undefined) {
      const fault = this.#pick(CONNECTION_FAULTS);
      note(`${fault} of a connection to member ${connection.link.member}`);
      connectionFaults[fault](connection, this.#world);
    } else if (member !== undefined) {
      const fault = this.#pick(MEMBER_FAULTS);
      note(`${fault} of member ${member.number}`);
      memberFaults[fault](member, this.#world);
    }
  }

  #pick<T extends string>(names: readonly T[]): T {
    return names[this.#world.random.int(names.length)] ?? (names[0] as T);
  }
}

const pipeOf = ({ link }: OpenConnection, { random }: FaultedWorld) =>
  random.int(2) === 0 ? link.toServer : link.toClient;

const connectionFaults = {
  reset: ({ link }) => link.reset(),
  'cut request': ({ link }, { random }) => link.toServer.cutAfter(1 + random.int(MAX_REQUEST_BYTES)),
  'cut answer': ({ link }, { random }) => link.toClient.cutAfter(1 + random.int(MAX_ANSWER_BYTES)),
  'half-open end': (connection, world) => {
    pipeOf(connection, world).isHole = true;
  },
  stall: (connection, world) => {
    const untilMs = world.clock.monotonic() + 100 + world.random.int(3000);
    pipeOf(connection, world).stalledUntil = untilMs;
  },
  GOAWAY: ({ server }) => server.goAway(),
  'reset calls': ({ server }) => server.resetCalls(),
} satisfies Record<string, (connection: OpenConnection, world: FaultedWorld) => void>;

const closed =
  (door: Door) =>
  ({ number }: EtcdMember, { network, clock, random }: FaultedWorld): void => {
    network.doors[number] = door;
    clock.schedule(300 + random.int(2500), () => {
      network.doors[number] = 'open';
    });
  };

const memberFaults = {
  restart: (member, world) => {
    closed('refusing')(member, world);
    for (const { link } of world.network.connections()) if (link.member === member.number) link.reset();
  },
  'silent door': closed('silent'),
  lag: (member, { clock, random }) => {
    member.lagMs = 100 + random.int(2000);
    clock.schedule(500 + random.int(2500), () => {
      member.lagMs = 0;
    });
  },
  partition: (member, { clock, random }) => {
    member.partition();
    clock.schedule(300 + random.int(4000), () => member.heal());
  },
  'cancelled watches': (member) => member.cancelWatches(),
} satisfies Record<string, (member: EtcdMember, world: FaultedWorld) => void>;

const CONNECTION_FAULTS = Object.keys(connectionFaults) as (keyof typeof connectionFaults)[];
const MEMBER_FAULTS = Object.keys(memberFaults) as (keyof typeof memberFaults)[];

/** The faults, as they are named in traces. */
export const FAULTS: readonly string[] = [...CONNECTION_FAULTS, ...MEMBER_FAULTS];
