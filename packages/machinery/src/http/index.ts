export {
  type AnswerBlock,
  answerDecoder,
  answerHeads,
  isPersistent,
  mayBeginAnswer,
  type StatusLine,
} from './answer-head.ts';
export { BodyBuffer } from './body-buffer.ts';
export { type BodyDecoder, ChunkedDecoder, LengthDecoder } from './body-decoder.ts';
export { type Head, type HeadGrammar, type HeadLimits, HeadReader } from './head-reader.ts';
export {
  framingFields,
  framingOf,
  type HeaderFields,
  type HeadProblem,
  hasOption,
  headProblem,
  isProblem,
  token,
} from './header-fields.ts';
