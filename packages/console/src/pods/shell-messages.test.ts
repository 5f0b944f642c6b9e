import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inputMessage, resizeMessage, shellMessage } from './shell-messages.ts';

const bytesOf = (to: number, text: string): Uint8Array => Uint8Array.of(to, ...Buffer.from(text));

describe('messages of a command', () => {
  for (const [title, status, text] of [
    ['a success', { status: 'Success' }, 'The command has ended.'],
    [
      'an exit code',
      {
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      },
      'The command has ended with exit code 3.',
    ],
    [
      'a command that does not exist',
      { status: 'Failure', message: 'no such command: x' },
      'The command could not be run: no such command: x',
    ],
  ] as const)
    it(`${title} is told in words`, () => {
      assert.deepEqual(shellMessage(bytesOf(3, JSON.stringify(status))), { kind: 'result', text });
    });

  it('a result that is not JSON is an end', () => {
    assert.deepEqual(shellMessage(bytesOf(3, '{')), { kind: 'result', text: 'The command has ended.' });
  });

  it('both outputs are output, and other channels and empty messages are skipped', () => {
    for (const to of [1, 2])
      assert.deepEqual(shellMessage(bytesOf(to, 'x')), { kind: 'output', data: Uint8Array.of(120) });
    for (const skipped of [bytesOf(9, 'x'), bytesOf(3, ''), new Uint8Array()])
      assert.equal(shellMessage(skipped), undefined);
  });

  it('input and sizes have the channels of the server', () => {
    assert.deepEqual(inputMessage('ä'), Uint8Array.of(0, 0xc3, 0xa4));
    assert.deepEqual(resizeMessage(80, 24), bytesOf(4, '{"Width":80,"Height":24}'));
  });
});
