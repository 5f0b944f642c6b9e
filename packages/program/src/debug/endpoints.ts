import type { DebugAnswer, DebugEndpoint, DebugRequest } from './endpoint.ts';
import { textAnswer } from './endpoint.ts';
import { HTTP_METHOD_NOT_ALLOWED } from './status.ts';
import { answerOfThread, type DebugThreads, onlyThread } from './threads.ts';

const INDEX = '/debug';

/** The endpoints below `/debug` of a program. They are complete before a port opens. */
export class DebugEndpoints {
  readonly #byPath = new Map<string, DebugEndpoint>();
  readonly #threads: DebugThreads;

  constructor(threads: DebugThreads = onlyThread) {
    this.#threads = threads;
    this.add({
      path: INDEX,
      summary: 'This list.',
      methods: ['GET'],
      answer: () => textAnswer(this.#list()),
    });
  }

  /** Throws `TypeError` when a path is declared twice. */
  add(...endpoints: readonly DebugEndpoint[]): this {
    for (const endpoint of endpoints) {
      if (this.#byPath.has(endpoint.path)) throw new TypeError(`${endpoint.path} is declared twice`);
      this.#byPath.set(endpoint.path, endpoint);
    }
    return this;
  }

  get all(): readonly DebugEndpoint[] {
    return [...this.#byPath.values()];
  }

  /** The endpoint of a path; the list has one with and one without the final slash. */
  find(path: string): DebugEndpoint | undefined {
    return this.#byPath.get(path === `${INDEX}/` ? INDEX : path);
  }

  /** The answer of an endpoint to a request with any method, by the thread that the request names. */
  answer(
    endpoint: DebugEndpoint,
    { method, ...rest }: Omit<DebugRequest, 'method'> & { readonly method: string },
  ): DebugAnswer | Promise<DebugAnswer> {
    const permitted = endpoint.methods.find((one) => one === method);
    if (permitted === undefined) {
      const allow = endpoint.methods.join(', ');
      return textAnswer(`use ${allow}`, HTTP_METHOD_NOT_ALLOWED, { Allow: allow });
    }
    const request = { ...rest, method: permitted };
    return answerOfThread(this.#threads, endpoint.path, request) ?? endpoint.answer(request);
  }

  #list(): string {
    const lines = this.all.map(({ path, methods, summary }) => [methods.join(', '), path, summary] as const);
    const width = (column: 0 | 1): number => Math.max(...lines.map((line) => line[column].length));
    return lines
      .map(([methods, path, summary]) => `${methods.padEnd(width(0))}  ${path.padEnd(width(1))}  ${summary}`)
      .join('\n');
  }
}
