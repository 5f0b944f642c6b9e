import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { type Files, files } from '../config/testing/files.ts';
import { tokenFileCredentials } from './token-file.ts';
import type { Credentials } from './types.ts';

const { signal } = new AbortController();

interface Case extends Disposable {
  readonly clock: FakeClock;
  readonly held: Files;
  readonly credentials: Credentials;
}

function tokenFile(content: string | undefined, fallback?: string): Case {
  const clock = new FakeClock();
  const held = files(content === undefined ? {} : { token: content });
  const credentials = tokenFileCredentials({
    path: held.path('token'),
    env: { clock },
    ...(fallback !== undefined && { fallback }),
  });
  return { clock, held, credentials, [Symbol.dispose]: () => held[Symbol.dispose]() };
}

const tokenOf = async (credentials: Credentials): Promise<unknown> =>
  (await credentials.current(signal)).headers['authorization'];

describe('token files', () => {
  it('the token of a file is trimmed', async () => {
    using test = tokenFile('  one\r\n');
    assert.equal(await tokenOf(test.credentials), 'Bearer one');
  });

  it('the token of a file is read again after a minute', async () => {
    using test = tokenFile('one');
    await tokenOf(test.credentials);
    test.held.write('token', 'two');
    test.clock.advance(59_999);
    assert.equal(await tokenOf(test.credentials), 'Bearer one');
    test.clock.advance(1);
    assert.equal(await tokenOf(test.credentials), 'Bearer two');
  });

  it('the token of a file is read again after a rejection, and retried only if it has changed', async () => {
    using test = tokenFile('one');
    const identity = await test.credentials.current(signal);
    assert.equal(test.credentials.rejected(identity), false);
    test.held.write('token', 'two');
    assert.equal(test.credentials.rejected(identity), true);
    assert.equal(await tokenOf(test.credentials), 'Bearer two');
    // The rejection of a request with the old token reports that there is a newer one.
    test.held.write('token', 'three');
    assert.equal(test.credentials.rejected(identity), true);
    assert.equal(await tokenOf(test.credentials), 'Bearer two');
  });

  it('an unchanged token of a file stays the same identity', async () => {
    using test = tokenFile('one');
    const before = await test.credentials.current(signal);
    test.clock.advance(60_000);
    assert.equal(await test.credentials.current(signal), before);
  });

  it('the last token applies while its file cannot be read, which is retried after five seconds', async () => {
    using test = tokenFile('one');
    const identity = await test.credentials.current(signal);
    test.held.remove('token');
    test.clock.advance(60_000);
    assert.equal(await tokenOf(test.credentials), 'Bearer one');
    assert.equal(test.credentials.rejected(identity), false);
    test.held.write('token', 'two');
    test.clock.advance(4_999);
    assert.equal(await tokenOf(test.credentials), 'Bearer one');
    test.clock.advance(1);
    assert.equal(await tokenOf(test.credentials), 'Bearer two');
  });

  it('the token of a file takes precedence over the configured one once it was read', async () => {
    using test = tokenFile(undefined, 'given');
    assert.equal(await tokenOf(test.credentials), 'Bearer given');
    test.held.write('token', 'one');
    test.clock.advance(5_000);
    assert.equal(await tokenOf(test.credentials), 'Bearer one');
  });

  for (const [what, content, problem] of [
    ['there is no file', undefined, /cannot read the token file: ENOENT/],
    ['the file is empty', ' \n', /the token file .* contains no token$/],
    ['the file holds something else', 'two secrets', /contains no token$/],
    ['the file would end the header', 'secret\r\nx: y', /contains no token$/],
    ['the file is huge', 's'.repeat(1024 * 1024 + 1), /is longer than 1048576 bytes$/],
  ] as const) {
    it(`a token file is a CredentialError without content when ${what}`, async () => {
      using test = tokenFile(content);
      await assert.rejects(tokenOf(test.credentials), (error: Error) => {
        assert.equal(error.name, 'CredentialError');
        assert.match(error.message, problem);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
  }

  it('a folder as a token file is a CredentialError', async () => {
    using test = tokenFile(undefined);
    mkdirSync(test.held.path('token'));
    await assert.rejects(tokenOf(test.credentials), {
      name: 'CredentialError',
      message: /is not a regular file$/,
    });
  });
});
