export { certificateNamesCounter } from './certificate-names.ts';
export { type AddressUse, isAllowedAddress, isHostName } from './dial/addresses.ts';
export { type Destination, dial, hostPort } from './dial/dial.ts';
export { type AcceptsAddress, checkedLookup, type ResolveName } from './dial/lookup.ts';
export { type OpenTcp, openConnection, type TlsOpening } from './dial/open.ts';
export { Http1Connection } from './http1/connection.ts';
export { Http1Connections } from './http1/connections.ts';
export {
  announcedLength,
  hasNoBody,
  type PlainAnswer,
  type ReceivedAnswer,
  type UpgradedAnswer,
  type WholeAnswer,
} from './message/answer.ts';
export { bodyPieces } from './message/body-pieces.ts';
export { AnswerTooLarge, NoAnswer, NotSent, OutboundFailure } from './message/failures.ts';
export { type ConnectionLimits, defaultConnectionLimits } from './message/limits.ts';
export { readAnswer } from './message/read-answer.ts';
export { type Fields, noBody, type OutboundRequest } from './message/request.ts';
export { Connections } from './pool/connections.ts';
