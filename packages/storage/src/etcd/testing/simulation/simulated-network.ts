import type { Endpoint } from '../../rpc/endpoint.ts';
import type { EtcdMember } from './etcd-member.ts';
import { ServerConnection } from './server-connection.ts';
import { type LinkEnv, SimulatedLink } from './simulated-link.ts';

/** How a member treats attempts to connect. */
export type Door = 'open' | 'refusing' | 'silent';

const FIRST_PORT = 2379;
const MIN_WINDOW_BYTES = 20;
const FULL_WINDOW_BYTES = 65_535;

export interface OpenConnection {
  readonly link: SimulatedLink;
  readonly server: ServerConnection;
}

/** The connections of all clients to all members. */
export class SimulatedNetwork {
  readonly #env: LinkEnv;
  readonly #members: readonly EtcdMember[];
  readonly #connections = new Set<OpenConnection>();
  /** By the number of the member. */
  readonly doors: Door[];

  constructor(env: LinkEnv, members: readonly EtcdMember[]) {
    this.#env = env;
    this.#members = members;
    this.doors = members.map(() => 'open');
  }

  get endpoints(): readonly string[] {
    return this.#members.map(({ number }) => `http://member-${number}:${FIRST_PORT + number}`);
  }

  /** The connections that neither end has closed, in the order of their start. */
  connections(): readonly OpenConnection[] {
    for (const connection of this.#connections)
      if (!connection.link.isOpen) this.#connections.delete(connection);
    return [...this.#connections];
  }

  /** What clients have instead of sockets. */
  readonly open = (endpoint: Endpoint, onRead: (chunk: Buffer, length: number) => void): SimulatedLink => {
    const link = new SimulatedLink(this.#env, endpoint.port - FIRST_PORT, onRead);
    link.toClient.inOrder(() => this.#arrive(link));
    return link;
  };

  #arrive(link: SimulatedLink): void {
    const member = this.#members[link.member];
    const door = this.doors[link.member];
    if (member === undefined || door === 'refusing') link.refuse();
    else if (door === 'open') this.#connect(link, member);
  }

  #connect(link: SimulatedLink, member: EtcdMember): void {
    const { random } = this.#env;
    const windowBytes = random.int(3) === 0 ? MIN_WINDOW_BYTES + random.int(300) : FULL_WINDOW_BYTES;
    const server = new ServerConnection({
      windowBytes,
      write: (bytes) => link.toClient.write(bytes),
      end: () => link.end(),
      accept: (call) => member.accept(call),
    });
    link.connect(server);
    this.#connections.add({ link, server });
  }
}
