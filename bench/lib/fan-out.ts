import type { Audience } from './audience.ts';
import type { Subject } from './context.ts';
import { measure } from './measure.ts';
import type { RawConnection } from './raw-client.ts';

/** Publishes one change and returns when it is acknowledged. */
export type Publish = (round: number) => Promise<void>;

export interface RoundsOptions {
  readonly pid: number;
  readonly audience: Audience;
  /** Events that one change causes. */
  readonly events: number;
  readonly publish: Publish;
}

/** Changes for open watches: each waits until the watches have received all events of the one before. */
export class Rounds {
  readonly #options: RoundsOptions;
  #expected: number;
  #round = 0;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#expected = options.audience.events;
  }

  async run(count: number): Promise<number> {
    const { audience, events, publish } = this.#options;
    for (let left = count; left > 0; left -= 1) {
      this.#expected += events;
      await publish(++this.#round);
      await audience.until(this.#expected);
    }
    if (audience.events !== this.#expected)
      throw new Error(`${audience.events} events instead of ${this.#expected}`);
    return count;
  }

  /** CPU of the process per change. */
  async measure(count: number): Promise<number> {
    return (await measure(this.#options.pid, () => this.run(count))).cpuPerOp;
  }
}

/** A publisher with a separate connection. */
export function publisher(connection: RawConnection, request: (round: number) => Buffer): Publish {
  return async (round) => {
    const { status, beginning } = await connection.exchange(request(round));
    if (status !== 200) throw new Error(`publishing: ${status} ${beginning}`);
  };
}

export async function currentRevision(subject: Subject, path: string): Promise<string> {
  const answer = await subject.server.client.get(`${path}?limit=1`);
  return (answer.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
