import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HeaderList, localRequest, type Reply } from '@orch/request';
import { withConsole } from './with-console.ts';

const reply = (text: string, headers: HeaderList = {}): Reply => ({
  ...{ kind: 'bytes', status: 200, headers },
  body: Buffer.from(text),
});

/** The reply of a server with a console, whose other answers have these header fields. */
const answer = async (target: string, dest?: string, headers: HeaderList = {}): Promise<Reply> => {
  const server = withConsole(
    { handle: () => reply('api', headers) },
    { reply: async () => reply('page', { 'content-security-policy': 'own' }) as never },
  );
  return server.handle(
    localRequest({ target, headers: dest === undefined ? {} : { 'sec-fetch-dest': dest } }),
  );
};

describe('a server with the console', () => {
  for (const [target, text] of [
    ['/console/', 'page'],
    ['/console/assets/x.js', 'page'],
    ['/consoles', 'api'],
    ['/api/console/', 'api'],
  ] as const)
    it(`${target} is answered by the ${text === 'page' ? 'console' : 'API'}`, async () => {
      const { kind, ...rest } = await answer(target);
      assert.deepEqual([kind, 'body' in rest && String(rest.body)], ['bytes', text]);
    });

  it('the path without a slash leads to the page', async () => {
    const { status, headers } = await answer('/console');
    assert.deepEqual([status, headers['Location']], [308, '/console/']);
  });

  for (const dest of ['document', 'iframe', 'serviceworker', 'worker', 'object'])
    it(`an answer of the API that a browser loads as ${dest} is sandboxed beside its own policies`, async () => {
      const { headers } = await answer('/api/v1/namespaces/a/pods/b/proxy/', dest, {
        'content-security-policy': "default-src 'self'",
        'Content-Type': 'text/html',
      });
      assert.deepEqual(headers, {
        'Content-Type': 'text/html',
        'Content-Security-Policy': ["default-src 'self'", 'sandbox'],
      });
    });

  for (const dest of [undefined, 'empty'])
    it(`an answer for ${dest === undefined ? 'another program' : 'a script'} is as without the console`, async () => {
      assert.deepEqual((await answer('/version', dest)).headers, {});
    });
});
