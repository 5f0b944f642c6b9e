export { type AddressUse, isAllowedAddress, isHostName } from './dial/addresses.ts';
export {
  type AcceptsAddress,
  checkedLookup,
  type Destination,
  dial,
  hostPort,
  type OpenTcp,
  type ResolveName,
  reasonOf,
} from './dial/dial.ts';
export {
  announcedLength,
  hasNoBody,
  MAX_HEAD_BYTES,
  type PlainAnswer,
  type ReceivedAnswer,
  type UpgradedAnswer,
  type WholeAnswer,
} from './message/answer.ts';
export { bodyPieces, brokenOff } from './message/body-pieces.ts';
export { NotSent, OutboundFailure } from './message/failures.ts';
export { type ConnectionLimits, defaultConnectionLimits } from './message/limits.ts';
export { readAnswer } from './message/read-answer.ts';
export type { Fields, OutboundRequest } from './message/request.ts';
export { upload } from './message/upload.ts';
export { Connections } from './pool/connections.ts';
