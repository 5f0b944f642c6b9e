import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Deferred, deferred } from '@orch/machinery/concurrency';
import { FakeClock } from '@orch/machinery/testing';
import { CredentialError } from './credential-error.ts';
import { bearer } from './fixed.ts';
import { type Found, type RenewalOptions, RenewedCredentials } from './renewed.ts';
import type { Identity } from './types.ts';

const never = new AbortController().signal;
const pair = (name: string) => ({ cert: `cert ${name}`, key: `key ${name}` });

/** Searches that the test ends. */
function open(options: Partial<RenewalOptions> = {}) {
  const clock = new FakeClock();
  const searches: Deferred<Found>[] = [];
  const search = async (): Promise<Found> => {
    const next = deferred<Found>();
    searches.push(next);
    return next.promise;
  };
  const credentials = new RenewedCredentials({ clock, search, ...options });
  /** Sets the result of the next search. */
  const find = async (found: Found): Promise<Identity> => {
    const current = credentials.current(never);
    searches.at(-1)?.resolve(found);
    return current;
  };
  return { clock, credentials, searches, find };
}

describe('renewed credentials', () => {
  it('concurrent callers share one search for an identity', async () => {
    const { credentials, searches } = open();
    const waiting = [1, 2, 3].map(() => credentials.current(never));
    assert.equal(searches.length, 1);
    const identity = bearer('one');
    searches[0]?.resolve({ identity });
    assert.deepEqual(await Promise.all(waiting), [identity, identity, identity]);
    assert.equal(await credentials.current(never), identity);
    assert.equal(searches.length, 1);
  });

  it('an identity is used until it expires, and searched again then', async () => {
    const { clock, credentials, searches, find } = open();
    const one = await find({ identity: bearer('one'), expiresAt: clock.now() + 1000 });
    clock.advance(999);
    assert.equal(await credentials.current(never), one);
    clock.advance(1);
    const two = bearer('two');
    assert.equal(await find({ identity: two }), two);
    assert.equal(searches.length, 2);
  });

  it('callers get an identity that expired while they were waiting', async () => {
    const { clock, find, searches } = open();
    const identity = bearer('one');
    assert.equal(await find({ identity, expiresAt: clock.now() - 1 }), identity);
    assert.equal(await find({ identity }), identity);
    assert.equal(searches.length, 2);
  });

  it('the initial identity is used without a search', async () => {
    const identity = bearer('given');
    const { credentials, searches } = open({ initial: { identity } });
    assert.equal(await credentials.current(never), identity);
    assert.equal(searches.length, 0);
  });

  it('a failed search rejects all callers, and the next caller searches again', async () => {
    const { credentials, searches, find } = open();
    const waiting = [credentials.current(never), credentials.current(never)];
    searches[0]?.reject(new CredentialError('no'));
    for (const one of await Promise.allSettled(waiting)) assert.equal(one.status, 'rejected');
    assert.deepEqual(await find({ identity: bearer('one') }), bearer('one'));
    assert.equal(searches.length, 2);
  });

  it('an aborted caller does not end the search, whose result is kept', async () => {
    const { credentials, searches } = open();
    const impatient = new AbortController();
    const waiting = credentials.current(impatient.signal);
    const why = new Error('too late');
    impatient.abort(why);
    await assert.rejects(waiting, why);
    await assert.rejects(credentials.current(impatient.signal), why);
    const patient = credentials.current(never);
    searches[0]?.resolve({ identity: bearer('one') });
    assert.deepEqual(await patient, bearer('one'));
    assert.equal(searches.length, 1);
  });

  describe('rejected credentials', () => {
    it('a rejected identity is discarded once', async () => {
      const { credentials, find, searches } = open();
      const one = await find({ identity: bearer('one') });
      assert.equal(credentials.rejected(one), true);
      const two = await find({ identity: bearer('two') });
      assert.equal(credentials.rejected(one), true);
      assert.equal(await credentials.current(never), two);
      assert.equal(searches.length, 2);
    });

    it('the rejection of an earlier identity does not interrupt a search', async () => {
      const { credentials, find, searches } = open();
      const one = await find({ identity: bearer('one') });
      credentials.rejected(one);
      const waiting = credentials.current(never);
      assert.equal(credentials.rejected(one), true);
      searches[1]?.resolve({ identity: bearer('two') });
      assert.deepEqual(await waiting, bearer('two'));
      assert.deepEqual(await credentials.current(never), bearer('two'));
      assert.equal(searches.length, 2);
    });

    it('a rejected identity is kept while it is younger than the minimum age', async () => {
      const { clock, credentials, find } = open({ minAgeMs: 100, initial: { identity: bearer('given') } });
      // The age of the initial identity is unknown.
      assert.equal(credentials.rejected(await credentials.current(never)), true);
      const one = await find({ identity: bearer('one') });
      clock.advance(99);
      assert.equal(credentials.rejected(one), false);
      assert.equal(await credentials.current(never), one);
      clock.advance(1);
      assert.equal(credentials.rejected(one), true);
    });
  });

  const one = pair('one');
  for (const [title, before, after, expected] of [
    ['another certificate', one, { ...one, cert: 'other' }, 1],
    ['another key', one, { ...one, key: 'other' }, 1],
    ['the first certificate after a token', undefined, one, 1],
    ['no certificate any more', one, undefined, 1],
    ['the same certificate and key', one, { ...one }, 0],
    ['never a certificate', undefined, undefined, 0],
  ] as const)
    it(`listeners are notified ${expected} times: ${title}`, async () => {
      const { credentials, find } = open();
      let notified = 0;
      const end = credentials.onTlsChange(() => notified++);
      const identityOf = (tls: Identity['tls']): Identity => ({ headers: {}, ...(tls && { tls }) });
      credentials.rejected(await find({ identity: identityOf(before) }));
      assert.equal(notified, 0);
      const second = await find({ identity: identityOf(after) });
      assert.equal(notified, expected);
      await credentials.current(never);
      assert.equal(notified, expected);
      end();
      credentials.rejected(second);
      await find({ identity: identityOf(pair('third')) });
      assert.equal(notified, expected);
    });
});
