import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTokenFile, TokenFileError, tokenFileAuthenticator } from './token-file.ts';
import type { Credentials } from './types.ts';

const credentials = (authorization: string | undefined, connection: object = {}): Credentials => ({
  headers: authorization === undefined ? {} : { authorization },
  clientCertificate: undefined,
  connection,
  signal: new AbortController().signal,
});

const file = [
  '# tokens of the test cluster',
  'abc,alice,1',
  '',
  'def,bob,2,"dev,ops"',
  ' ghi , carol , 3 , team ',
  '"j,""k",dave,4,"a,a, b"',
  'lmn,erin,5,dev,"ops,dev",',
].join('\n');

describe('token files', () => {
  const users = readTokenFile(file, 'everybody');
  const authenticator = tokenFileAuthenticator(users);

  for (const [token, name, groups] of [
    ['abc', 'alice', ['everybody']],
    ['def', 'bob', ['dev', 'ops', 'everybody']],
    ['ghi', 'carol', ['team', 'everybody']],
    ['j,"k', 'dave', ['a', 'b', 'everybody']],
    ['lmn', 'erin', ['dev', 'ops', 'everybody']],
  ] as const) {
    it(`the user ${name} has the groups of the file`, async () => {
      const outcome = await authenticator.authenticate(credentials(`Bearer ${token}`));
      assert.ok(outcome.kind === 'user');
      assert.deepEqual([outcome.user.name, outcome.user.groups], [name, groups]);
    });
  }

  for (const [what, header, kind] of [
    ['no header', undefined, 'none'],
    ['another scheme', 'Basic YTpi', 'none'],
    ['an empty token', 'Bearer ', 'none'],
    ['an unknown token', 'Bearer abcd', 'rejected'],
    ['part of a token', 'Bearer ab', 'rejected'],
    ['a lower-case scheme', 'bearer abc', 'user'],
    ['blanks around', 'Bearer  abc ', 'user'],
  ] as const) {
    it(`the outcome for ${what} is ${kind}`, async () => {
      assert.equal((await authenticator.authenticate(credentials(header))).kind, kind);
    });
  }

  it('the cached outcome of a connection is not used for other tokens', async () => {
    const connection = {};
    const authenticate = async (header: string) => {
      const outcome = await authenticator.authenticate(credentials(header, connection));
      return outcome.kind === 'user' ? outcome.user.name : outcome.kind;
    };
    const results: string[] = [];
    for (const token of ['abc', 'abc', 'def', 'nope', 'nope', 'abc'])
      results.push(await authenticate(`Bearer ${token}`));
    assert.deepEqual(results, ['alice', 'alice', 'bob', 'rejected', 'rejected', 'alice']);
  });

  for (const [what, text, message] of [
    ['two columns', 'abc,alice', /^line 1: expected at least 3 columns/],
    ['no token', '\n,alice,1', /^line 2: the token is empty/],
    ['no name', 'abc,,1', /^line 1: the user name is empty/],
    ['a token twice', 'abc,alice,1\r\nabc,bob,2', /^line 2: the token is repeated from an earlier line/],
    ['an open quote', 'abc,alice,1,"dev', /^line 1: a quoted field is not closed/],
    ['a quote inside', 'abc,al"ice,1', /^line 1: .*quote/],
  ] as const) {
    it(`a token file with ${what} is refused`, () => {
      assert.throws(
        () => readTokenFile(text, ''),
        (error) => error instanceof TokenFileError && message.test(error.message),
      );
    });
  }

  it('line numbers include lines inside quoted fields', () => {
    assert.throws(() => readTokenFile('a,"b\nc",1\nx', ''), /^TokenFileError: line 3/);
  });
});
