import type { MessagePort } from 'node:worker_threads';

/** The ports to the writer thread that another thread receives, one after the other: each restart of the writer has its own. */
export class WriterPorts {
  #waiting: MessagePort[] = [];
  #use: ((port: MessagePort) => void) | undefined;

  add(port: MessagePort): void {
    if (this.#use === undefined) this.#waiting.push(port);
    else this.#use(port);
  }

  /** Passes the ports, also those that have been added before. */
  onPort(use: (port: MessagePort) => void): void {
    this.#use = use;
    for (const port of this.#waiting.splice(0)) use(port);
  }
}

/** Where another thread of the process finds an embedded store that is open. It can be sent in a message. */
export interface StoreLocation {
  readonly dir: string;
  /** The revisions that the threads share. */
  readonly memory: SharedArrayBuffer;
}

/** An embedded store that another thread of the process has opened. */
export interface ThreadStore {
  readonly location: StoreLocation;
  /** Receives a port for each writer thread that is started. */
  readonly ports: WriterPorts;
}

/** A writer thread that was started, after which those before it accept no requests. */
export interface StartedWriter extends StoreLocation {
  /** Opens a port for another thread, which passes it to its `WriterPorts`. */
  readonly connect: () => MessagePort;
}
