import { TcpProxy } from '@orch/storage/testing';

/** The network between one manager and the API servers: a proxy to each server, all of which break together. */
export class Link implements AsyncDisposable {
  readonly #proxies: readonly TcpProxy[];

  private constructor(proxies: readonly TcpProxy[]) {
    this.#proxies = proxies;
  }

  static async open(ports: readonly number[]): Promise<Link> {
    return new Link(await Promise.all(ports.map((port) => TcpProxy.listen({ port }))));
  }

  /** The address of a server for the manager, by its index in the list. */
  port(server: number): number {
    return this.#proxies[server % this.#proxies.length]?.port ?? 0;
  }

  /** Connections are reset, and so are new ones. */
  cut(): void {
    for (const proxy of this.#proxies) {
      proxy.refuse(true);
      proxy.cutAll();
    }
  }

  /** Bytes are dropped in both directions, without closing connections. */
  blackHole(): void {
    for (const proxy of this.#proxies) proxy.stall(true);
  }

  /** Requests arrive, and their responses do not. */
  deafen(): void {
    for (const proxy of this.#proxies) proxy.swallowReplies(true);
  }

  /** Data in flight is lost, as in a network: it does not arrive late. */
  mend(): void {
    for (const proxy of this.#proxies) {
      proxy.cutAll();
      proxy.stall(false);
      proxy.swallowReplies(false);
      proxy.refuse(false);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]();
  }
}
