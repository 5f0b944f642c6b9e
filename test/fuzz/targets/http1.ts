import assert from 'node:assert/strict';
import { requestHeads } from '@orch/http/testing';
import { ChunkedDecoder, HeadReader, isProblem, LengthDecoder } from '@orch/machinery/http';
import { type FuzzTarget, splitInTwo } from '../target.ts';

const limits = { maxHeadBytes: 2048, maxHeaderFields: 32 };

/** The requests in a stream of bytes, and how it ends, as text. */
function requestsOf(parts: readonly Buffer[]): string {
  const heads = new HeadReader(limits, requestHeads);
  const seen: unknown[] = [];
  let input = Buffer.alloc(0);
  let body: ChunkedDecoder | LengthDecoder | undefined;
  let content: Buffer[] = [];
  for (const part of parts) {
    input = Buffer.concat([input, part]);
    while (input.length > 0) {
      if (body === undefined) {
        const head = heads.take(input);
        if (head === undefined) break;
        // Which of several problems is found first depends on the parts.
        if (isProblem(head)) return JSON.stringify([...seen, 'refused']);
        seen.push(head.line, head.block.headers);
        input = input.subarray(head.end);
        const { contentLength } = head.block;
        body = contentLength === undefined ? new ChunkedDecoder() : new LengthDecoder(contentLength);
      }
      while (!body.done && input.length > 0) {
        const step = body.feed(input);
        if (step === 'malformed') return JSON.stringify([...seen, 'refused']);
        assert.ok(step.consumed > 0 && step.consumed <= input.length, 'progress');
        if (step.content !== undefined) content.push(step.content);
        input = input.subarray(step.consumed);
      }
      if (!body.done) break;
      seen.push(Buffer.concat(content).toString('latin1'));
      [body, content] = [undefined, []];
    }
  }
  return JSON.stringify([...seen, Buffer.concat(content).toString('latin1'), body === undefined]);
}

/** A stream of requests is read in the same way however the network cuts it. */
export const target: FuzzTarget = {
  seeds: [
    'GET /api/v1/pods?limit=5 HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n',
    'PUT http://h/x HTTP/1.0\r\nContent-Length: 0\r\nConnection: keep-alive, upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  words: [
    'Transfer-Encoding: chunked',
    'Content-Length: ',
    '\r\n\r\n',
    ' HTTP/1.1\r\n',
    'Expect: 100-continue',
    '\r\n\t',
  ],
  check(data) {
    const [first, second] = splitInTwo(data);
    assert.equal(requestsOf([first, second]), requestsOf([data]));
  },
};
