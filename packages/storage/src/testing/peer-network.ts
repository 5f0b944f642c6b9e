import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One connection between two members, by their indexes in the list. `from` is undefined while it is not known. */
interface Wire {
  readonly from: number | undefined;
  readonly to: number;
  readonly near: Socket;
  readonly far: Socket;
}

/** Requests between members contain the identifier of the sender in the first bytes of a connection. */
const SENDER = /^x-server-from: *([0-9a-f]+)\r$/im;

/**
 * The network between the members of an etcd, on loopback. Data sent over a partition is neither delivered nor
 * refused. When it heals, connections are reset and pending data is lost.
 */
export class PeerNetwork implements AsyncDisposable {
  /** Addresses of the members for each other. */
  readonly ports: readonly number[];
  readonly #listeners: readonly Server[];
  readonly #targets: readonly number[];
  readonly #wires = new Set<Wire>();
  #ids: readonly string[] = [];
  /** The side of the partition of each member; absent without a partition. */
  #sides: readonly number[] | undefined;

  private constructor(listeners: readonly Server[], targets: readonly number[]) {
    this.#listeners = listeners;
    this.#targets = targets;
    this.ports = listeners.map((listener) => (listener.address() as AddressInfo).port);
    for (const [to, listener] of listeners.entries()) {
      listener.on('connection', (near: Socket) => this.#accept(near, to));
    }
  }

  /** `targets` are the peer ports of the members. */
  static async listen(targets: readonly number[]): Promise<PeerNetwork> {
    const listeners = targets.map(() => createServer({ noDelay: true }).listen(0, '127.0.0.1'));
    await Promise.all(listeners.map((listener) => once(listener, 'listening')));
    return new PeerNetwork(listeners, targets);
  }

  /** Identifiers of the members, in their order: they identify connections. */
  know(ids: readonly string[]): void {
    this.#ids = ids;
    // Existing connections are made again, with the identifiers of their senders.
    this.#reset(() => true);
  }

  /** Partitions the given members from all others; both groups stay connected among themselves. */
  partition(members: readonly number[]): void {
    this.#sides = this.#targets.map((_, member) => (members.includes(member) ? 1 : 0));
    for (const wire of this.#wires) this.#apply(wire);
  }

  /** Removes the partition. */
  heal(): void {
    const cut = [...this.#wires].filter((wire) => this.#isCut(wire));
    this.#sides = undefined;
    this.#reset((wire) => cut.includes(wire));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#reset(() => true);
    for (const listener of this.#listeners) {
      listener.close();
      await once(listener, 'close');
    }
  }

  #accept(near: Socket, to: number): void {
    near.on('error', ignore);
    near.once('data', (head: Buffer) => {
      near.pause();
      const id = SENDER.exec(head.toString('latin1'))?.[1];
      const from = id === undefined ? -1 : this.#ids.indexOf(id);
      const far = connect({ host: '127.0.0.1', port: this.#targets[to] ?? 0, noDelay: true });
      far.on('error', ignore);
      const wire: Wire = { from: from < 0 ? undefined : from, to, near, far };
      this.#wires.add(wire);
      if (!this.#isCut(wire)) far.write(head);
      near.on('data', (chunk) => far.write(chunk));
      far.on('data', (chunk) => near.write(chunk));
      for (const socket of [near, far]) socket.on('close', () => this.#drop(wire));
      this.#apply(wire);
    });
  }

  #isCut({ from, to }: Wire): boolean {
    const sides = this.#sides;
    return sides !== undefined && from !== undefined && sides[from] !== sides[to];
  }

  #apply(wire: Wire): void {
    const isCut = this.#isCut(wire);
    for (const socket of [wire.near, wire.far]) {
      if (isCut) socket.pause();
      else socket.resume();
    }
  }

  #reset(which: (wire: Wire) => boolean): void {
    for (const wire of [...this.#wires]) if (which(wire)) this.#drop(wire);
  }

  #drop(wire: Wire): void {
    if (!this.#wires.delete(wire)) return;
    wire.near.destroy();
    wire.far.destroy();
  }
}

function ignore(): void {
  // An error of a connection is also reported as 'close'.
}
