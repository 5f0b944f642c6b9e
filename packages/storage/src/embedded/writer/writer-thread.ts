/**
 * Entry of the thread that writes the embedded store: a separate bundle, whose URL the composition root passes to
 * `openEmbeddedStore`. Must not be imported. With settings it writes one store and ends with it; without, it writes the stores whose
 * settings it receives.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@orch/machinery';
import type { OpenRequest, Reply, WriterSettings } from './protocol.ts';
import { WriterService } from './writer-service.ts';

if (parentPort === null) throw new Error('writer-thread is the entry of a worker thread');
const settings = workerData as WriterSettings | undefined;
if (settings === undefined) parentPort.on('message', open);
else new WriterService(parentPort, settings).start();

/** The other stores of the thread do not notice that one cannot be opened. */
function open({ port, settings }: OpenRequest): void {
  try {
    new WriterService(port, settings).start();
  } catch (error) {
    port.postMessage({ type: 'warning', message: messageOf(error) } satisfies Reply);
    port.close();
  }
}
