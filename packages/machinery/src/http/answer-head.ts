import { type BodyDecoder, ChunkedDecoder, LengthDecoder } from './body-decoder.ts';
import type { HeadGrammar } from './head-reader.ts';
import {
  type Framing,
  framingOf,
  type HeaderFields,
  type HeadProblem,
  hasOption,
  headProblem,
  isProblem,
} from './header-fields.ts';

export interface StatusLine {
  readonly status: number;
  readonly minorVersion: number;
}

/** The meaning of an answer's header fields. */
export interface AnswerBlock {
  readonly fields: HeaderFields;
  /** `none`: a body that ends with the connection. */
  readonly framing: Framing;
  readonly isClosed: boolean;
  readonly isKept: boolean;
}

/** `SP reason` may be absent. */
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const BEGINNING = Buffer.from('HTTP/1.');

/** Reports whether bytes can be the beginning of an answer. */
export function mayBeginAnswer(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, BEGINNING.length);
  return bytes.compare(BEGINNING, 0, length, 0, length) === 0;
}

function lineOf(text: string): StatusLine | HeadProblem {
  const [, minor, status] = statusLine.exec(text) ?? [];
  return status === undefined
    ? headProblem(400, 'malformed status line')
    : { status: Number(status), minorVersion: Number(minor) };
}

function blockOf(fields: HeaderFields): AnswerBlock | HeadProblem {
  const framing = framingOf(fields);
  if (typeof framing === 'object' && isProblem(framing)) return framing;
  const { connection } = fields.headers;
  return {
    fields,
    framing,
    isClosed: hasOption(connection, 'close'),
    isKept: hasOption(connection, 'keep-alive'),
  };
}

/** Heads of answers (RFC 9112 section 4). */
export const answerHeads: HeadGrammar<StatusLine, AnswerBlock> = {
  line: lineOf,
  block: blockOf,
  together: ({ minorVersion }, { framing }) =>
    minorVersion === 0 && framing === 'chunked'
      ? headProblem(400, 'Transfer-Encoding in an HTTP/1.0 response')
      : undefined,
};

/** Reports whether the connection may be kept after the answer. */
export const isPersistent = ({ minorVersion }: StatusLine, { isClosed, isKept }: AnswerBlock): boolean =>
  minorVersion === 1 ? !isClosed : isKept;

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The decoder of the body of an answer (RFC 9112 section 6.3); `untilEnd` for one that ends with the connection. */
export function answerDecoder(
  { status }: StatusLine,
  { framing }: AnswerBlock,
  isHead = false,
): BodyDecoder | 'untilEnd' {
  if (isHead || BODILESS.has(status)) return new LengthDecoder(0);
  if (framing === 'chunked') return new ChunkedDecoder();
  return framing === 'none' ? 'untilEnd' : new LengthDecoder(framing.length);
}
