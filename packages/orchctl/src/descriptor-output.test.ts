import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DescriptorOutput, type OutputStream } from './descriptor-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'orchctl-output-'));
after(() => rmSync(folder, { recursive: true }));

const noStream = (): never => assert.fail('no stream is needed');

/** A stream that has no room until `drain` is called. */
function fullStream(): { readonly stream: OutputStream; readonly chunks: Uint8Array[]; drain(): void } {
  const chunks: Uint8Array[] = [];
  const listeners: (() => void)[] = [];
  const stream: OutputStream = {
    columns: 80,
    write: (bytes) => chunks.push(bytes) < 0,
    on: () => undefined,
    once: (event, listener) => event === 'drain' && listeners.push(listener),
  };
  return {
    stream,
    chunks,
    drain: () => {
      for (const listener of listeners) listener();
    },
  };
}

describe('output to a descriptor', () => {
  it('text and bytes are written to a file in order, without a stream', async () => {
    const path = join(folder, 'file');
    const descriptor = openSync(path, 'w');
    const output = new DescriptorOutput(descriptor, noStream);
    output.write('grüße ');
    output.write(Buffer.from('bytes'));
    await output.drained();
    closeSync(descriptor);
    assert.equal(readFileSync(path, 'utf8'), 'grüße bytes');
    assert.equal(output.columns, undefined);
  });

  it('what a full pipe in non-blocking mode does not take goes through a stream, and later text behind it', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const { stream, chunks, drain } = fullStream();
    const output = new DescriptorOutput(descriptor, () => stream);
    const text = 'x'.repeat(1_000_000);
    output.write(text);
    output.write('end');
    const inPipe = readSync(descriptor, Buffer.alloc(2_000_000));
    closeSync(descriptor);
    assert.ok(inPipe > 0);
    assert.equal(inPipe + Buffer.concat(chunks).length, text.length + 3);
    assert.equal(Buffer.from(chunks.at(-1) ?? []).toString(), 'end');
    let isDrained = false;
    const drained = output.drained().then(() => {
      isDrained = true;
    });
    assert.equal(isDrained, false);
    drain();
    await drained;
  });

  it('writes to a descriptor that is closed are dropped', async () => {
    const descriptor = openSync(join(folder, 'closed'), 'w');
    closeSync(descriptor);
    const output = new DescriptorOutput(descriptor, noStream);
    output.write('a');
    output.write('b');
    await output.drained();
  });
});
