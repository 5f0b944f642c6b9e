/** A writer thread that fails when it opens a store. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  throw new Error('the disk is on fire');
});
