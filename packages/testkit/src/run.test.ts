import { notEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run } from './run.ts';

describe('programs that run to their end', () => {
  it('a program that ignores the request to end is killed', async () => {
    const source = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`;
    const { code } = await run(process.execPath, ['--eval', source], { timeoutMs: 2000, endMs: 100 });
    notEqual(code, 0);
  });
});
