import type { MessagePort, Transferable } from 'node:worker_threads';
import type { Reply, Request, WriterSettings } from './protocol.ts';
import { openConnection, query } from './sqlite.ts';
import { Writer } from './writer.ts';

const CACHE_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 4096;

/** What a request adds to the write-ahead log besides the bytes it brings, about: pages of the index. */
const OVERHEAD_BYTES = 64 * 1024;

/**
 * Answers requests in order until `close`. Compaction's steps run when no request waits, one between two requests at
 * most; copying the write-ahead log back happens after an answer was sent.
 */
export function serveWriter(port: MessagePort, settings: WriterSettings): void {
  const db = openConnection(settings.path, CACHE_BYTES);
  limit(db, settings);
  const writer = new Writer(db);
  let written = 0;
  let sweepScheduled = false;

  const reply = (message: Reply, transfer?: Transferable[]) => port.postMessage(message, transfer);
  const warn = (message: string | undefined) => {
    if (message !== undefined) reply({ type: 'warning', message });
    return message === undefined;
  };

  const sweepLater = () => {
    if (sweepScheduled || !writer.sweepPending) return;
    sweepScheduled = true;
    setImmediate(() => {
      sweepScheduled = false;
      written += OVERHEAD_BYTES;
      // After a failure the next request tries again.
      if (warn(writer.sweep())) afterwards();
    });
  };

  const afterwards = () => {
    if (written >= settings.checkpointBytes) {
      written = 0;
      warn(writer.checkpoint());
    }
    sweepLater();
  };

  const handle = (request: Request): void => {
    written += OVERHEAD_BYTES;
    switch (request.type) {
      case 'batch': {
        const answer = writer.batch(request.meta, request.bytes);
        reply(answer, answer.type === 'committed' ? [answer.results.buffer] : undefined);
        written += request.bytes.length;
        break;
      }
      case 'expire':
        reply(writer.expire(request.now, request.limit));
        break;
      case 'compact':
        reply(writer.compact(request.through));
        break;
      case 'close':
        writer.close();
        reply({ type: 'done' });
        port.close();
        return;
    }
    afterwards();
  };

  port.on('message', handle);
  reply({ type: 'ready', rev: writer.rev });
  sweepLater();
}

function limit(db: ReturnType<typeof openConnection>, settings: WriterSettings): void {
  // A bound for the case that copying back always finds readers in its way.
  db.exec(`PRAGMA wal_autocheckpoint = ${Math.ceil((4 * settings.checkpointBytes) / PAGE_BYTES)}`);
  query(db, `PRAGMA journal_size_limit = ${2 * settings.checkpointBytes}`).get();
  if (settings.maxBytes > 0) {
    query(db, `PRAGMA max_page_count = ${Math.ceil(settings.maxBytes / PAGE_BYTES)}`).get();
  }
}
