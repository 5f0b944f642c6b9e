import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { authenticatorOfMethods } from './methods.ts';
import { readTokenFile, tokenFileAuthenticator } from './token-file.ts';

const encoded = (token: string): string => Buffer.from(token).toString('base64url');

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`bearer tokens of WebSocket handshakes, ${naming} names`, () => {
    const names = namesFor(naming);
    const { bearerPrefix, base64Binary } = names.webSocketProtocols;
    const tokenFile = tokenFileAuthenticator(readTokenFile('tök-en,alice,1\nother,bob,2', ''));
    const authenticator = authenticatorOfMethods({ tokenFile }, names);

    const outcomeOf = async (headers: Readonly<Record<string, string>>): Promise<string> => {
      const outcome = await authenticator.authenticate({
        headers,
        clientCertificate: undefined,
        connection: {},
        signal: new AbortController().signal,
      });
      return outcome.kind === 'user' ? outcome.user.name : outcome.kind;
    };
    const offering = (...protocols: readonly string[]): Promise<string> =>
      outcomeOf({ upgrade: 'WebSocket', 'sec-websocket-protocol': protocols.join(', ') });
    const valid = `${bearerPrefix}${encoded('tök-en')}`;

    it('a token among the offered sub-protocols authenticates its user, at any position', async () => {
      assert.equal(await offering(valid, base64Binary), 'alice');
      assert.equal(await offering(base64Binary, valid), 'alice');
    });

    for (const [what, protocols] of [
      ['a token without another sub-protocol', [valid]],
      ['two tokens', [valid, `${bearerPrefix}${encoded('other')}`, base64Binary]],
      ['an unknown token', [`${bearerPrefix}${encoded('unknown')}`, base64Binary]],
      ['an empty token', [bearerPrefix, base64Binary]],
      ['a token with padding', [`${bearerPrefix}${Buffer.from('other').toString('base64')}`, base64Binary]],
      ['a token that is not base64url', [`${bearerPrefix}b$`, base64Binary]],
      ['a token that is not UTF-8', [`${bearerPrefix}_w`, base64Binary]],
    ] as const)
      it(`a handshake with ${what} is rejected`, async () => {
        assert.equal(await offering(...protocols), 'rejected');
      });

    it('sub-protocols of requests that open no WebSocket are not credentials', async () => {
      const protocols = { 'sec-websocket-protocol': `${valid}, ${base64Binary}` };
      assert.equal(await outcomeOf(protocols), 'none');
      assert.equal(await outcomeOf({ ...protocols, upgrade: 'SPDY/3.1' }), 'none');
    });

    it('a token that no method knows is rejected, and is not taken for a missing one', async () => {
      const withoutMethods = authenticatorOfMethods({}, names);
      const { kind } = await withoutMethods.authenticate({
        headers: { upgrade: 'websocket', 'sec-websocket-protocol': `${valid}, ${base64Binary}` },
        clientCertificate: undefined,
        connection: {},
        signal: new AbortController().signal,
      });
      assert.equal(kind, 'rejected');
    });

    it('Authorization decides where both are present, and a wrong one does not hide the token', async () => {
      const handshake = { upgrade: 'websocket', 'sec-websocket-protocol': `${valid}, ${base64Binary}` };
      assert.equal(await outcomeOf({ ...handshake, authorization: 'Bearer other' }), 'bob');
      assert.equal(await outcomeOf({ ...handshake, authorization: 'Bearer unknown' }), 'alice');
    });
  });
