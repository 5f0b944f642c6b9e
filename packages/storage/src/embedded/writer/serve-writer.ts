import { dirname } from 'node:path';
import type { MessagePort, Transferable } from 'node:worker_threads';
import { openConnection, query } from '../database/sqlite.ts';
import { storeFiles } from '../files/store-files.ts';
import { FileGuard } from '../integrity/file-guard.ts';
import { OVERHEAD_BYTES, SpaceReserve } from '../space/space-reserve.ts';
import type { Reply, Request, WriterSettings } from './protocol.ts';
import { Writer } from './writer.ts';

const CACHE_BYTES = 16 * 1024 * 1024;

/** How often the size of the log is measured until it reaches its limit. */
const LOOKS = 8;

/**
 * Answers requests in order until `close`. Steps of compaction run when no request is pending, at most one between two
 * requests; checkpoints run after an answer was sent.
 */
export function serveWriter(port: MessagePort, settings: WriterSettings): void {
  const files = storeFiles(dirname(settings.path));
  const db = openConnection(settings.path, CACHE_BYTES);
  const space = new SpaceReserve(files, db, settings);
  const guard = new FileGuard(files, db);
  const writer = new Writer(db, guard, space);
  const problem = writer.begin();
  let reportedFull: boolean | undefined;
  let wasScarce: boolean | undefined;
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
      // After a failure the next request retries.
      if (!warn(writer.sweep())) return;
      if (!writer.sweepPending) writer.checkSpace();
      afterwards();
    });
  };

  const logLimit = () => Math.min(settings.checkpointBytes, space.logLimit);

  /** SQLite truncates the file to this size when it restarts the log. */
  const limitFile = () => {
    wasScarce = space.isScarce;
    const bytes = wasScarce ? space.logBytes : 1.25 * logLimit();
    query(db, `PRAGMA journal_size_limit = ${Math.ceil(bytes)}`).get();
  };

  const copyBackInTime = () => {
    if (space.isScarce !== wasScarce) limitFile();
    const limit = logLimit();
    if (written < limit / LOOKS) return;
    written = 0;
    if (guard.logBytes() >= limit || space.isLogDue) warn(writer.checkpoint());
  };

  const afterwards = () => {
    if (space.isFull && reportedFull !== true) warn(writer.checkpoint());
    copyBackInTime();
    warn(guard.takeWarning());
    if (space.isFull !== reportedFull) {
      reportedFull = space.isFull;
      reply({ type: 'space', isFull: reportedFull });
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
      case 'checkSpace':
        writer.checkSpace();
        reply({ type: 'done' });
        break;
      case 'close':
        warn(writer.close());
        reply({ type: 'done' });
        port.close();
        return;
    }
    afterwards();
  };

  port.on('message', handle);
  reply({ type: 'ready', rev: writer.rev });
  warn(problem);
  afterwards();
}
