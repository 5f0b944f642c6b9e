import { TransportError } from '@orch/client';
import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { Fault } from './fault.ts';

const NEWLINE = 0x0a;

/** The parts of a body up to and including each line end. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end + 1)]);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.byteLength) parts.push(Buffer.from(chunk.subarray(start)));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

const isBookmark = (line: Buffer): boolean => line.includes('"type":"BOOKMARK"');

/** The body of a watch with a fault. A watch that is cut ends like a lost connection. */
export async function* faultyWatch(
  body: AsyncIterable<Uint8Array>,
  fault: Fault,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  let events = 0;
  for await (const line of linesOf(body)) {
    if (fault.kind === 'delayed') await sleep(clock, fault.ms, signal);
    const isCut = fault.kind === 'cut' && events >= fault.events;
    if (isCut || (fault.kind === 'bookmarksOnly' && !isBookmark(line)))
      throw new TransportError('noEffect', 'a fault of the test has cut the watch');
    yield line;
    if (!isBookmark(line)) events++;
  }
}
