/**
 * Entry of the thread that writes the embedded store: a separate bundle, whose URL the composition root passes to
 * `openEmbeddedStore`. Must not be imported.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { WriterSettings } from './protocol.ts';
import { serveWriter } from './serve-writer.ts';

if (parentPort === null) throw new Error('writer-thread is the entry of a worker thread');
serveWriter(parentPort, workerData as WriterSettings);
