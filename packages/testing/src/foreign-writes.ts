import type { LoopbackTransport } from '@orch/apiserver';

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Counts the requests that may write and are not those of the controllers of a control plane. */
export class ForeignWrites {
  #count = 0;
  #isOwn = false;

  get count(): number {
    return this.#count;
  }

  /** Called with each request, before it is handled. */
  readonly observe = ({ method }: { readonly method: string }): void => {
    if (!this.#isOwn && !reads.has(method)) this.#count++;
  };

  /** The transport of the controllers, whose requests are not counted. */
  withoutThoseOf(transport: LoopbackTransport): LoopbackTransport {
    return {
      authorization: transport.authorization,
      authorizationOf: (user) => transport.authorizationOf(user),
      send: (request, signal) => {
        this.#isOwn = true;
        try {
          return transport.send(request, signal);
        } finally {
          this.#isOwn = false;
        }
      },
    };
  }
}
