import {
  type AnswerBlock,
  answerHeads,
  framingFields,
  type Head,
  type HeaderFields,
  HeadReader,
  isProblem,
  mayBeginAnswer,
  type StatusLine,
} from '@orch/machinery/http';
import { MAX_HEAD_BYTES } from '../message/answer.ts';
import { OutboundFailure } from '../message/failures.ts';
import type { Fields } from '../message/request.ts';

/** As `AnswerBlock`, with the fields in the form in which they are passed on. */
export interface Http1Block extends AnswerBlock {
  readonly received: Fields;
  /** Number of seconds that the server keeps an idle connection; undefined when it does not announce it. */
  readonly keptSeconds: number | undefined;
}

const LIMITS = { maxHeadBytes: MAX_HEAD_BYTES, maxHeaderFields: 1000 };

/** Extracts the heads of answers from the bytes of one connection. */
export class Http1Heads {
  readonly #heads = new HeadReader<StatusLine, Http1Block>(LIMITS, {
    ...answerHeads,
    // Any other field may be repeated: the receiver chooses a value.
    singular: framingFields,
    block(fields) {
      const block = answerHeads.block(fields);
      if (isProblem(block)) return block;
      const [, seconds] = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(fields.headers['keep-alive'] ?? '') ?? [];
      const keptSeconds = seconds === undefined ? undefined : Number(seconds);
      return { ...block, received: receivedFields(fields), keptSeconds };
    },
  });

  /**
   * The head at the start of `input`; undefined while it is incomplete. Throws `OutboundFailure` for bytes that are not
   * a head.
   */
  take(input: Buffer): Head<StatusLine, Http1Block> | undefined {
    const head = this.#heads.take(input);
    if (head === undefined) {
      if (mayBeginAnswer(input)) return undefined;
      throw notHttp('malformed status line');
    }
    if (isProblem(head))
      throw head.status === 431
        ? new OutboundFailure(`the head of its answer is larger than ${MAX_HEAD_BYTES} bytes`)
        : notHttp(head.problem);
    return head;
  }
}

const notHttp = (problem: string): OutboundFailure =>
  new OutboundFailure(`its answer is not HTTP/1.1: ${problem}`);

function receivedFields({ headers, repeated }: HeaderFields): Fields {
  if (repeated === undefined) return headers;
  return Object.assign(Object.create(null), headers, Object.fromEntries(repeated)) as Fields;
}
