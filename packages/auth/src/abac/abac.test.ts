import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { Attributes } from '../types.ts';
import { abacAuthorizer } from './authorizer.ts';
import { PolicyFileError, readPolicyFile } from './policy-file.ts';

const names = namesFor('orch');
const apiVersion = `${names.groups.abac}/v1beta1`;
const line = (spec: object): string => JSON.stringify({ apiVersion, kind: 'Policy', spec });
const authorizerOf = (...specs: readonly object[]) =>
  abacAuthorizer(readPolicyFile(['# rules', '', ...specs.map(line)].join('\n'), apiVersion), names);

const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const signedIn = 'system:authenticated';
const alice = user('alice', 'dev', signedIn);
const anonymous = user('system:anonymous', 'system:unauthenticated');

const resource = (
  asking: typeof alice,
  verb: string,
  rest: Partial<Extract<Attributes, { isResource: true }>> = {},
): Attributes => ({
  user: asking,
  isResource: true,
  verb,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: 'p',
  ...rest,
});
const path = (asking: typeof alice, verb: string, at: string): Attributes => ({
  user: asking,
  isResource: false,
  verb,
  path: at,
});

const pods = { user: 'alice', resource: 'pods', namespace: 'ns' };
const everything = { apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*' };

describe('authorization mode ABAC', () => {
  for (const [what, specs, asked, verdict] of [
    ['the user of a line', [pods], resource(alice, 'create'), 'allow'],
    ['another user', [pods], resource(user('bob', signedIn), 'get'), 'noOpinion'],
    ['another resource', [pods], resource(alice, 'get', { resource: 'secrets' }), 'noOpinion'],
    ['another namespace', [pods], resource(alice, 'get', { namespace: 'other' }), 'noOpinion'],
    ['all namespaces at once', [pods], resource(alice, 'list', { namespace: '' }), 'noOpinion'],
    ['another API group', [pods], resource(alice, 'get', { group: 'apps' }), 'noOpinion'],
    ['a path for a line about resources', [pods], path(alice, 'get', '/version'), 'noOpinion'],
    ['reading by a readonly line', [{ ...pods, readonly: true }], resource(alice, 'watch'), 'allow'],
    ['changing by a readonly line', [{ ...pods, readonly: true }], resource(alice, 'delete'), 'noOpinion'],
    ['a group', [{ group: 'dev', resource: 'pods', namespace: '*' }], resource(alice, 'get'), 'allow'],
    [
      'a user outside of the group of the line',
      [{ ...pods, group: 'ops' }],
      resource(alice, 'get'),
      'noOpinion',
    ],
    ['a user inside of the group of the line', [{ ...pods, group: 'dev' }], resource(alice, 'get'), 'allow'],
    ['everybody who is authenticated', [{ ...everything, user: '*' }], resource(alice, 'delete'), 'allow'],
    [
      'anonymous, by the line of everybody',
      [{ ...everything, user: '*' }],
      resource(anonymous, 'get'),
      'noOpinion',
    ],
    [
      'anonymous, by the group of everybody',
      [{ ...everything, group: '*' }],
      resource(anonymous, 'get'),
      'noOpinion',
    ],
    [
      'anonymous, by a separate line',
      [{ ...everything, group: 'system:unauthenticated' }],
      resource(anonymous, 'get'),
      'allow',
    ],
    ['a path', [{ user: 'alice', nonResourcePath: '/version' }], path(alice, 'get', '/version'), 'allow'],
    ['a path below', [{ user: 'alice', nonResourcePath: '/api*' }], path(alice, 'get', '/apis/x'), 'allow'],
    [
      'a path elsewhere',
      [{ user: 'alice', nonResourcePath: '/api*' }],
      path(alice, 'get', '/x'),
      'noOpinion',
    ],
    [
      'a second line',
      [pods, { ...pods, resource: 'nodes' }],
      resource(alice, 'get', { resource: 'nodes' }),
      'allow',
    ],
    ['an empty file', [], resource(alice, 'get'), 'noOpinion'],
  ] as const) {
    it(`the verdict is ${verdict} for ${what}`, async () => {
      const { signal } = new AbortController();
      assert.equal((await authorizerOf(...specs).authorize(asked, { signal })).verdict, verdict);
    });
  }

  it('the list of rules has what the lines of a user allow', () => {
    const listing = authorizerOf(pods, { group: 'dev', nonResourcePath: '/x', readonly: true }).rules?.(
      alice,
      'ns',
    );
    assert.deepEqual(listing, {
      resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['pods'], resourceNames: [] }],
      pathRules: [{ verbs: ['get', 'list', 'watch'], nonResourceURLs: ['/x'] }],
      incomplete: [],
    });
  });

  for (const [what, text, message] of [
    ['what is not JSON', `${line(pods)}\n{`, /^line 2: /],
    ['a list', '[]', /^line 1: expected an object/],
    [
      'another version',
      JSON.stringify({ apiVersion: 'v1', kind: 'Policy', spec: pods }),
      /^line 1: expected apiVersion/,
    ],
    ['no version', JSON.stringify(pods), /^line 1: expected apiVersion/],
    ['no spec', JSON.stringify({ apiVersion, kind: 'Policy' }), /^line 1: spec: expected an object/],
    ['a field that there is not', line({ ...pods, verbs: 'get' }), /^line 1: spec: unknown field "verbs"/],
    ['a field of another type', line({ ...pods, readonly: 'yes' }), /^line 1: spec\.readonly: /],
    ['a string of another type', `\n\n${line({ ...pods, resource: 1 })}`, /^line 3: spec\.resource: /],
    [
      'a line without a user and a group',
      line({ resource: 'pods' }),
      /^line 1: spec: a user or a group is missing/,
    ],
  ] as const) {
    it(`a policy file with ${what} is refused`, () => {
      assert.throws(
        () => readPolicyFile(text, apiVersion),
        (error) => error instanceof PolicyFileError && message.test(error.message),
      );
    });
  }
});
