/**
 * Entry of the thread that writes the embedded store: a separate bundle, whose URL the composition root passes to
 * `openEmbeddedStore`. Must not be imported.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { WriterSettings } from './protocol.ts';
import { WriterService } from './writer-service.ts';

if (parentPort === null) throw new Error('writer-thread is the entry of a worker thread');
new WriterService(parentPort, workerData as WriterSettings).start();
