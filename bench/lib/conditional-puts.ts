import { type Subject, withBody, withoutBody } from './context.ts';
import { type Measured, measure } from './measure.ts';
import { type RawAnswer, RawConnection } from './raw-client.ts';

export interface ConditionalPutsOptions {
  readonly path: string;
  readonly names: readonly string[];
  readonly connections: number;
  /** Number of PUTs of each run. */
  readonly count: number;
  /** The object to put at a resource version. */
  body(name: string, resourceVersion: string, index: number): object;
}

function resourceVersionIn({ status, beginning }: RawAnswer): string {
  const version = /"resourceVersion":"(\d+)"/.exec(beginning)?.[1];
  if (status !== 200 || version === undefined) throw new Error(`${status} ${beginning}`);
  return version;
}

/**
 * PUTs of objects at the resource version of the previous response, as clients send them. All runs use the same connections: a
 * handshake and the first request of a connection cost as much as several writes.
 */
export class ConditionalPuts implements Disposable {
  readonly #subject: Subject;
  readonly #options: ConditionalPutsOptions;
  readonly #versions = new Map<string, string>();
  #connections: readonly RawConnection[] = [];
  #next = 0;

  constructor(subject: Subject, options: ConditionalPutsOptions) {
    this.#subject = subject;
    this.#options = options;
  }

  async run(count = this.#options.count): Promise<Measured> {
    const opened = await this.#open();
    const from = this.#next;
    this.#next += count;
    return await measure(this.#subject.pid, async () => {
      // Each connection has its own objects, so that no write conflicts.
      await Promise.all(opened.map((connection, own) => this.#put(connection, own, from, from + count)));
      return count;
    });
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close();
  }

  async #open(): Promise<readonly RawConnection[]> {
    if (this.#connections.length > 0) return this.#connections;
    const { connections, names } = this.#options;
    const { target } = this.#subject;
    const opened = await Promise.all(Array.from({ length: connections }, () => RawConnection.open(target)));
    this.#connections = opened;
    const [first] = opened;
    if (first === undefined) throw new RangeError('no connections');
    for (const name of names) await this.#read(first, name);
    return opened;
  }

  async #read(connection: RawConnection, name: string): Promise<void> {
    const answer = await connection.exchange(withoutBody(`${this.#options.path}/${name}`));
    this.#versions.set(name, resourceVersionIn(answer));
  }

  async #put(connection: RawConnection, own: number, from: number, end: number): Promise<void> {
    const { body, connections, names, path } = this.#options;
    const ownNames = names.filter((_, index) => index % connections === own);
    for (let index = from + own; index < end; index += connections) {
      const name = ownNames[Math.floor(index / connections) % ownNames.length] ?? '';
      const json = JSON.stringify(body(name, this.#versions.get(name) ?? '', index));
      const answer = await connection.exchange(withBody('PUT', `${path}/${name}`, json));
      this.#versions.set(name, resourceVersionIn(answer));
    }
  }
}
