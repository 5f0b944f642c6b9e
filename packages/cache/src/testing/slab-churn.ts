/** A program that writes many slabs, of which another thread reads each until the next one; prints the growth of its memory in bytes. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { AdoptedSlab } from '../objects/adopted-slabs.ts';
import { Arena } from '../objects/arena.ts';
import { SharedSlabs } from '../objects/shared-slabs.ts';
import type { Slab, Slot } from '../objects/slab.ts';

/** A separate slab for each text. */
const TEXT_BYTES = 2_000_000;

/** Writes one slab after the other, and waits until the other thread has it. */
async function write(slabs: number): Promise<number> {
  const reader = new Worker(new URL(import.meta.url));
  await once(reader, 'message');
  const arena = new Arena(1, new SharedSlabs().memory());
  let before: Slot | undefined;
  let most = 0;
  const start = process.memoryUsage.rss();
  for (let i = 0; i < slabs; i++) {
    const slot = { ...arena.place(Buffer.alloc(TEXT_BYTES, i)), live: false };
    arena.adopt(slot);
    if (before !== undefined) arena.release(before);
    before = slot;
    reader.postMessage(slot.slab.sharing?.buffer);
    await once(reader, 'message');
    most = Math.max(most, process.memoryUsage.rss() - start);
  }
  await reader.terminate();
  return most;
}

/** Replaces each slab by the next one. */
function read(): void {
  const arena = new Arena();
  let current: Slab | undefined;
  parentPort?.on('message', (buffer: SharedArrayBuffer) => {
    current = new AdoptedSlab(buffer).partOf(arena);
    parentPort?.postMessage(current.bytes.readUInt8(0));
  });
  parentPort?.postMessage('ready');
}

if (isMainThread) process.stdout.write(`${await write(Number(process.argv[2]))}`);
else read();
