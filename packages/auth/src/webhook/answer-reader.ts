import {
  type AnswerBlock,
  answerDecoder,
  answerHeads,
  BodyBuffer,
  type BodyDecoder,
  type HeadLimits,
  HeadReader,
  isPersistent,
  isProblem,
  mayBeginAnswer,
  type StatusLine,
} from '@orch/machinery/http';
import { type Answer, isSuccess, RemoteError, tooLarge } from './exchange.ts';

const LIMITS: HeadLimits = { maxHeadBytes: 64 * 1024, maxHeaderFields: 200 };
const EMPTY = Buffer.alloc(0);

/** The answer, once it is complete, and whether its connection can be used for another request. */
export interface EndedAnswer {
  readonly answer: Answer;
  readonly isReusable: boolean;
}

/** Reads the answers on one HTTP/1.1 connection, one after another. All methods throw `RemoteError` for malformed bytes. */
export class AnswerReader {
  readonly #heads = new HeadReader(LIMITS, answerHeads);
  #pending: Buffer = EMPTY;
  #limit = 0;
  #status = 0;
  #isKept = false;
  /** Undefined before the head. */
  #body: BodyDecoder | 'untilEnd' | undefined;
  #content = new BodyBuffer();

  /** Begins with the next answer, whose body has at most `limit` bytes. */
  begin(limit: number): void {
    this.#limit = limit;
    this.#body = undefined;
    this.#content = new BodyBuffer();
  }

  /** Bytes arrived. Returns the answer with its last byte. */
  feed(chunk: Buffer): EndedAnswer | undefined {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#body === undefined) {
      const head = this.#heads.take(this.#pending);
      if (head === undefined) {
        if (!mayBeginAnswer(this.#pending)) throw malformed('it is not HTTP');
        return undefined;
      }
      if (isProblem(head)) throw malformed(head.problem);
      this.#pending = this.#pending.subarray(head.end);
      const { status } = head.line;
      if (status === 101) throw malformed('it changes the protocol');
      // Interim responses precede the answer.
      if (status < 200) continue;
      if (!isSuccess(status)) return { answer: { status, body: EMPTY }, isReusable: false };
      this.#beginBody(head.line, head.block);
    }
    return this.#body === 'untilEnd' ? this.#takeRest() : this.#feedBody(this.#body);
  }

  /** The connection ended: the answer whose body ends with it; undefined for one that is incomplete. */
  end(): EndedAnswer | undefined {
    return this.#body === 'untilEnd' ? this.#ended(false) : undefined;
  }

  #beginBody(line: StatusLine, block: AnswerBlock): void {
    this.#status = line.status;
    this.#isKept = isPersistent(line, block);
    this.#body = answerDecoder(line, block);
    if (this.#body !== 'untilEnd' && (this.#body.remaining ?? 0) > this.#limit) throw tooLarge();
  }

  #takeRest(): undefined {
    this.#add(this.#pending);
    this.#pending = EMPTY;
  }

  #feedBody(body: BodyDecoder): EndedAnswer | undefined {
    while (!body.done && this.#pending.length > 0) {
      const step = body.feed(this.#pending);
      if (step === 'malformed') throw malformed('malformed chunk');
      this.#pending = this.#pending.subarray(step.consumed);
      if (step.content !== undefined) this.#add(step.content);
    }
    // Bytes after the answer belong to no request.
    return body.done ? this.#ended(this.#isKept && this.#pending.length === 0) : undefined;
  }

  #add(content: Buffer): void {
    if (content.length > 0) this.#content.add(content);
    if (this.#content.size > this.#limit) throw tooLarge();
  }

  #ended(isReusable: boolean): EndedAnswer {
    return { answer: { status: this.#status, body: this.#content.bytes() }, isReusable };
  }
}

const malformed = (problem: string): RemoteError =>
  new RemoteError(`its answer is malformed: ${problem}`, true);
