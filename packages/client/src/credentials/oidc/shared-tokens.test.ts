import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import type { RefreshedTokens, SharedTokens, StoredTokens } from './config.ts';
import { oidcCredentials } from './oidc-credentials.ts';
import { bearer, configOf, contextOf, HOUR_MS, signal, start, tokenOf } from './testing/fixtures.ts';
import { idToken, tokenServer } from './testing/token-server.ts';

/** A store in memory whose updates take turns. */
function sharedTokens(initial: StoredTokens): SharedTokens & { stored(): StoredTokens } {
  let stored = initial;
  let last: Promise<unknown> = Promise.resolve();
  return {
    stored: () => stored,
    update(renew) {
      const run = last.then(async () => {
        const tokens: RefreshedTokens | undefined = await renew(stored);
        if (tokens !== undefined) stored = tokens;
      });
      last = run.catch(() => undefined);
      return run;
    },
  };
}

describe('id tokens that several processes share', () => {
  const old = idToken(start - HOUR_MS, 'old');

  it('processes that need a token at the same time share one refresh', async () => {
    const next = idToken(start + HOUR_MS);
    await using server = await tokenServer({
      token: () => ({ body: { id_token: next, refresh_token: 'rotated' } }),
    });
    const shared = sharedTokens({ idToken: old, refreshToken: 'refresh-s3cret' });
    const processes = [1, 2, 3].map(() =>
      oidcCredentials(configOf(server, { idToken: old }), contextOf({ shared })),
    );
    assert.deepEqual(
      await Promise.all(processes.map(tokenOf)),
      [1, 2, 3].map(() => bearer(next)),
    );
    assert.equal(server.requests.length, 1);
    assert.deepEqual(shared.stored(), { idToken: next, refreshToken: 'rotated' });
  });

  it('a refresh uses the refresh token that is stored then, not the one of the start', async () => {
    const next = idToken(start + HOUR_MS);
    await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
    const shared = sharedTokens({
      idToken: idToken(start - 1, 'expired'),
      refreshToken: 'of another process',
    });
    const credentials = oidcCredentials(configOf(server, { idToken: old }), contextOf({ shared }));
    assert.equal(await tokenOf(credentials), bearer(next));
    assert.equal(server.requests[0]?.form['refresh_token'], 'of another process');
    assert.deepEqual(shared.stored(), { idToken: next, refreshToken: 'of another process' });
  });

  it('a rejected token of another process is refreshed with its refresh token', async () => {
    const [other, next] = [idToken(start + HOUR_MS, 'other'), idToken(start + HOUR_MS, 'next')];
    await using server = await tokenServer({ token: () => ({ body: { id_token: next } }) });
    const shared = sharedTokens({ idToken: other, refreshToken: 'rotated' });
    const clock = new FakeClock(start);
    const context = contextOf({ env: { clock }, shared });
    const credentials = oidcCredentials(configOf(server, { idToken: old }), context);
    const identity = await credentials.current(signal);
    assert.equal(identity.headers['authorization'], bearer(other));
    clock.advance(10_000);
    assert.equal(credentials.rejected(identity), true);
    assert.equal(await tokenOf(credentials), bearer(next));
    assert.equal(server.requests[0]?.form['refresh_token'], 'rotated');
  });
});
