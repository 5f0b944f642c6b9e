import { cborFromJson } from '@orch/machinery/cbor';
import { frameChunk } from '@orch/request';

const END_EVENT = Buffer.from('}\n');
/** The beginning of an event of each type, up to its object. */
export const eventHeads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
} as const;

/** An event in JSON, framed for the socket. */
export const jsonFrame = (head: Buffer, object: Buffer): Buffer => frameChunk(head, object, END_EVENT);

/** An event in CBOR, framed for the socket. */
export const cborFrame = (head: Buffer, object: Buffer): Buffer =>
  frameChunk(cborFromJson(Buffer.concat([head, object, END_EVENT])));
