import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Cancel, type Clock, errors } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import { YamlSyntaxError } from '@orch/machinery/yaml';

/** A text to parse. */
export interface YamlQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly reportDuplicates: boolean;
}

/** A document as JSON, and the paths of keys that occur again. */
export interface YamlAsJson {
  readonly json: Uint8Array<ArrayBuffer>;
  readonly duplicates: readonly string[];
}

/** The answer of the thread to each question, in their order. */
export type YamlAnswer =
  | ({ readonly type: 'json' } & YamlAsJson)
  | {
      readonly type: 'malformed';
      readonly problem: string;
      readonly position: { readonly line: number; readonly column: number };
      readonly kind: 'syntax' | 'limit';
    };

/** The thread ends when there was nothing to parse for so long. */
const IDLE_MS = 60_000;
/** The nodes of the largest text take a third of that. */
const HEAP_MEGABYTES = 1024;

/**
 * Parses YAML on a thread that serves no connections, because a parse cannot be divided: a megabyte takes up to a second. The thread
 * begins with the first text, parses one at a time, and ends when there are none. Its answer is JSON, which is parsed in pieces.
 */
export class YamlParser {
  readonly #program: URL;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #one = new Semaphore(1);
  #thread: Worker | undefined;
  #cancelEnd: Cancel | undefined;

  constructor(program: URL, clock: Pick<Clock, 'schedule'>) {
    this.#program = program;
    this.#clock = clock;
  }

  /** Rejects with a `YamlSyntaxError` as `parseYaml` throws it, and with the reason of the signal. */
  parse(bytes: Buffer, reportDuplicates: boolean, signal: AbortSignal): Promise<YamlAsJson> {
    return this.#one.run(signal, async () => {
      this.#cancelEnd?.();
      const answer = await this.#ask({ bytes: new Uint8Array(bytes), reportDuplicates }, signal);
      this.#cancelEnd = this.#clock.schedule(IDLE_MS, () => this.#end());
      if (answer.type === 'json') return answer;
      throw new YamlSyntaxError(answer.problem, answer.position, answer.kind);
    });
  }

  async #ask(question: YamlQuestion, signal: AbortSignal): Promise<YamlAnswer> {
    this.#thread ??= this.#started();
    const thread = this.#thread;
    thread.ref();
    try {
      thread.postMessage(question, [question.bytes.buffer]);
      const [answer] = (await once(thread, 'message', { signal })) as [YamlAnswer];
      return answer;
    } catch (error) {
      // The thread may still parse the text.
      this.#end();
      throw signal.aborted ? signal.reason : errors.internal(error, 'the thread that parses YAML failed');
    } finally {
      thread.unref();
    }
  }

  #started(): Worker {
    const thread = new Worker(this.#program, {
      name: 'YAML parser',
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    // Whoever waits for an answer receives the error.
    thread.on('error', () => this.#end());
    return thread;
  }

  #end(): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
  }
}
