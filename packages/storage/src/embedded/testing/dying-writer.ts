/** A writer thread that exits when a batch has a key for it: `die-before` writing the batch, or `die-after`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Request, WriterSettings } from '../writer/protocol.ts';
import { WriterService } from '../writer/writer-service.ts';

if (parentPort === null) throw new Error('dying-writer is the entry of a worker thread');
const port = parentPort;
const postMessage = port.postMessage.bind(port);
let doomed = false;

port.on('message', (request: Request) => {
  if (request.type !== 'batch') return;
  const text = Buffer.from(request.bytes).toString('latin1');
  if (text.includes('die-before')) process.exit(1);
  doomed = text.includes('die-after');
});
port.postMessage = (...message: Parameters<typeof postMessage>) => {
  if (doomed) process.exit(1);
  postMessage(...message);
};
new WriterService(port, workerData as WriterSettings).start();
