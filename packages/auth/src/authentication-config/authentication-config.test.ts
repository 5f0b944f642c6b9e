import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { testCertificate } from '@orch/pki/x509/testing';
import type { UserInfo } from '../types.ts';
import { readAuthenticationConfiguration } from './read-configuration.ts';
import { userOfClaims } from './user-of-claims.ts';

const names = namesFor('orch');
const apiVersion = names.apiVersion('apiserverconfig', 'v1');
const { cert } = testCertificate({ commonName: 'ca', use: 'authority' });

const read = (content: object, ownIssuers: readonly string[] = ['https://own']) =>
  readAuthenticationConfiguration({
    text: encodeYaml({ apiVersion, kind: 'AuthenticationConfiguration', ...content }),
    file: 'authn.yaml',
    names,
    ownIssuers,
  });

const issuer = { url: 'https://a.example', audiences: ['orch'] };
const username = { claim: 'sub', prefix: 'a:' };
const claimMappings = { username };
const entry = { issuer, claimMappings };

/** The configuration with one changed entry. */
const withEntry = (changes: object) => ({ jwt: [{ ...entry, ...changes }] });
const withIssuer = (changes: object) => withEntry({ issuer: { ...issuer, ...changes } });
const withMapping = (changes: object) => withEntry({ claimMappings: { ...claimMappings, ...changes } });

describe('an authentication configuration', () => {
  for (const version of ['v1', 'v1beta1', 'v1alpha1'])
    it(`an authentication configuration may have the version ${version}, and no entries`, () => {
      const content = { apiVersion: names.apiVersion('apiserverconfig', version) };
      assert.deepEqual(read(content), { issuers: [], anonymous: undefined });
    });

  it('an authentication configuration has issuers with their authorities, audiences and discovery URLs', () => {
    const { issuers, anonymous } = read({
      jwt: [
        entry,
        {
          issuer: {
            url: 'https://b.example/',
            discoveryURL: 'https://inside/describe',
            certificateAuthority: cert,
            audiences: ['x', 'y'],
            audienceMatchPolicy: 'MatchAny',
          },
          claimMappings,
        },
      ],
      anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
    });
    assert.deepEqual(
      issuers.map(({ url, discoveryUrl, audiences }) => [url, discoveryUrl, audiences]),
      [
        ['https://a.example', undefined, ['orch']],
        ['https://b.example/', 'https://inside/describe', ['x', 'y']],
      ],
    );
    assert.equal(issuers[1]?.certificateAuthority?.trim(), cert.trim());
    assert.deepEqual(anonymous, { isEnabled: true, paths: ['/livez'] });
  });

  for (const [what, content, message] of [
    ['another kind', { kind: 'X' }, /kind: must be one of AuthenticationConfiguration/],
    ['another version', { apiVersion: 'v1' }, /apiVersion: must be one of /],
    ['an unknown field', { jwts: [] }, /unknown field "jwts"/],
    ['too many issuers', { jwt: Array(65).fill(entry) }, /jwt: must have at most 64 items/],
    ['an issuer twice', { jwt: [entry, entry] }, /jwt\[1\]\.issuer\.url: "https:\/\/a\.example" is repeated/],
    ['its own issuer', withIssuer({ url: 'https://own' }), /url: "https:\/\/own" is the issuer of service/],
    ['no URL', withIssuer({ url: '' }), /jwt\[0\]\.issuer\.url: a URL is required/],
    ['a URL without TLS', withIssuer({ url: 'http://a' }), /url: the scheme must be https/],
    ['a URL with a user', withIssuer({ url: 'https://u@a' }), /url: must not contain a user name/],
    ['a URL with a query', withIssuer({ url: 'https://a?' }), /url: must not contain a query/],
    ['a URL with a fragment', withIssuer({ url: 'https://a#x' }), /url: must not contain a fragment/],
    ['no valid URL', withIssuer({ url: 'a' }), /url: "a" is not a URL/],
    [
      'a discovery URL that is that of the issuer',
      withIssuer({ discoveryURL: 'https://a.example/' }),
      /discoveryURL: must differ from url/,
    ],
    [
      'no certificate',
      withIssuer({ certificateAuthority: 'x' }),
      /certificateAuthority: it contains no certificate/,
    ],
    ['no audience', withIssuer({ audiences: [] }), /audiences: at least one audience is required/],
    ['an audience twice', withIssuer({ audiences: ['a', 'a'] }), /audiences\[1\]: "a" is repeated/],
    [
      'audiences without a policy',
      withIssuer({ audiences: ['a', 'b'] }),
      /audienceMatchPolicy: must be MatchAny/,
    ],
    ['no user name', withEntry({ claimMappings: {} }), /username: a claim or an expression is required/],
    ['a claim without prefix', withMapping({ username: { claim: 'a' } }), /prefix: is required with a claim/],
    [
      'a claim and an expression',
      withMapping({ username: { claim: 'a', prefix: '', expression: 'claims.a' } }),
      /username\.claim: must not be given together with an expression/,
    ],
    [
      'an expression that is not valid',
      withMapping({ username: { expression: 'claims.' } }),
      /claimMappings\.username\.expression: compilation failed: /,
    ],
    [
      'an unknown variable',
      withMapping({ uid: { expression: 'user.uid' } }),
      /uid\.expression: compilation failed: .*undeclared reference to 'user'/s,
    ],
    [
      'an e-mail address that may be unverified',
      withMapping({ username: { expression: 'claims.email' } }),
      /username: an expression that uses claims\.email needs claims\.email_verified/,
    ],
    [
      'an extra key without domain',
      withMapping({ extra: [{ key: 'a', valueExpression: 'claims.a' }] }),
      /extra\[0\]\.key: must begin with a domain/,
    ],
    [
      'an extra key of a reserved domain',
      withMapping({ extra: [{ key: `${names.groups.authentication}/a`, valueExpression: 'claims.a' }] }),
      /extra\[0\]\.key: the domain is reserved/,
    ],
    [
      'an extra key in upper case',
      withMapping({ extra: [{ key: 'example.com/A', valueExpression: 'claims.a' }] }),
      /extra\[0\]\.key: must be in lower case/,
    ],
    [
      'a rule without claim and expression',
      withEntry({ claimValidationRules: [{ message: 'x' }] }),
      /claimValidationRules\[0\]: a claim or an expression is required/,
    ],
    [
      'a rule with claim and message',
      withEntry({ claimValidationRules: [{ claim: 'a', requiredValue: 'b', message: 'x' }] }),
      /claimValidationRules\[0\]\.message: must not be given together with a claim/,
    ],
    [
      'a rule twice',
      withEntry({ claimValidationRules: Array(2).fill({ expression: 'claims.a == 1' }) }),
      /claimValidationRules\[1\]: the expression claims.a == 1 is repeated/,
    ],
    [
      'a rule that is not a condition',
      withEntry({ claimValidationRules: [{ expression: 'claims.a' }] }),
      /claimValidationRules\[0\]\.expression: must evaluate to bool/,
    ],
    [
      'a rule of users over claims',
      withEntry({ userValidationRules: [{ expression: 'claims.a == 1' }] }),
      /userValidationRules\[0\]\.expression: compilation failed/,
    ],
    [
      'conditions of disabled anonymous requests',
      { anonymous: { enabled: false, conditions: [{ path: '/a' }] } },
      /anonymous\.conditions: needs enabled: true/,
    ],
    [
      'a condition that is not a path',
      { anonymous: { enabled: true, conditions: [{ path: 'a' }] } },
      /anonymous\.conditions\[0\]\.path: must be a path/,
    ],
  ] as const)
    it(`an authentication configuration is refused with ${what}`, () => {
      assert.throws(() => read(content), { name: 'ConfigFileError', message });
    });

  for (const [what, others] of [
    [
      'the user name',
      { username: { expression: 'claims.?email_verified.orValue(true) ? claims.email : ""' } },
    ],
    [
      'an extra value',
      {
        username: { expression: 'claims["email"]' },
        extra: [{ key: 'example.com/v', valueExpression: 'string(claims.email_verified)' }],
      },
    ],
  ] as const)
    it(`an authentication configuration may use the claim email in an expression when ${what} considers email_verified`, () => {
      assert.equal(read(withMapping(others)).issuers.length, 1);
    });
});

/** The user of claims by an entry, or the reason. */
function userOf(changes: object, claims: JsonObject): UserInfo | string {
  const [configured] = read(withEntry(changes)).issuers;
  assert.ok(configured);
  return userOfClaims(claims, configured.rules);
}

describe('the credential id of claims', () => {
  const key = 'authentication.orch.io/credential-id';
  const extraOf = (claims: JsonObject, withKey: string | undefined, changes: object = {}) => {
    const [configured] = read(withEntry(changes)).issuers;
    assert.ok(configured);
    const user = userOfClaims({ sub: 'u1', ...claims }, configured.rules, withKey);
    return typeof user === 'string' ? user : user.extra;
  };
  for (const [what, claims, withKey, expected] of [
    ['is the id of the token', { jti: 'abc' }, key, { [key]: ['JTI=abc'] }],
    ['is absent without a key', { jti: 'abc' }, undefined, {}],
    ['is absent without an id', {}, key, {}],
    ['is absent with an empty id', { jti: '' }, key, {}],
    ['is absent with an id that is not a string', { jti: ['abc'] }, key, {}],
  ] as const)
    it(`the credential id of claims ${what}`, () => {
      assert.deepEqual(extraOf(claims, withKey), expected);
    });

  it('the credential id of claims is visible to the rules of users, beside the mapped values', () => {
    const changes = {
      ...mapped({ extra: [{ key: 'example.com/t', valueExpression: 'claims.t' }] }),
      userValidationRules: [{ expression: `user.extra['${key}'] == ['JTI=abc']`, message: 'another id' }],
    };
    assert.deepEqual(extraOf({ jti: 'abc', t: 'x' }, key, changes), {
      [key]: ['JTI=abc'],
      'example.com/t': ['x'],
    });
    assert.equal(extraOf({ jti: 'b', t: 'x' }, key, changes), 'another id');
  });
});

/** A condition that is true, and whose cost grows with the square of the list. */
const pairs = (n: number): string => `claims.list.all(x, claims.list.all(y, x + y + '${n}' != ''))`;

const mapped = (mappings: object) => ({ claimMappings: { username, ...mappings } });

describe('the user of claims', () => {
  for (const [what, changes, claims, expected] of [
    ['a claim with its prefix', {}, {}, { name: 'a:u1' }],
    ['an expression', mapped({ username: { expression: "'x:' + claims.sub" } }), {}, { name: 'x:u1' }],
    ['an empty prefix', mapped({ username: { claim: 'sub', prefix: '' } }), {}, { name: 'u1' }],
    [
      'groups of a claim',
      mapped({ groups: { claim: 'g', prefix: 'p:' } }),
      { g: ['a', 'b'] },
      { groups: ['p:a', 'p:b'] },
    ],
    [
      'a group that is a string',
      mapped({ groups: { claim: 'g', prefix: '' } }),
      { g: 'a' },
      { groups: ['a'] },
    ],
    [
      'groups of an expression',
      mapped({ groups: { expression: "claims.roles.split(',')" } }),
      { roles: 'a,b' },
      { groups: ['a', 'b'] },
    ],
    [
      'groups of nested claims',
      mapped({ groups: { expression: 'claims.realm.roles.filter(r, r != "x")' } }),
      { realm: { roles: ['a', 'x'] } },
      { groups: ['a'] },
    ],
    ['a missing claim of groups', mapped({ groups: { claim: 'g', prefix: '' } }), {}, { groups: [] }],
    ['a uid of a claim', mapped({ uid: { claim: 'id' } }), { id: '7' }, { uid: '7' }],
    ['a uid of an expression', mapped({ uid: { expression: 'string(claims.id)' } }), { id: 7 }, { uid: '7' }],
    [
      'extra values, without empty ones',
      mapped({
        extra: [
          { key: 'example.com/t', valueExpression: 'claims.t' },
          { key: 'example.com/u', valueExpression: "['a', 'b']" },
          { key: 'example.com/v', valueExpression: "''" },
        ],
      }),
      { t: 'x' },
      { extra: { 'example.com/t': ['x'], 'example.com/u': ['a', 'b'] } },
    ],
    [
      'fulfilled rules',
      {
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'x' },
          { expression: 'claims.exp - claims.nbf <= 3600' },
        ],
        userValidationRules: [{ expression: "!user.username.startsWith('system:')" }],
      },
      { hd: 'x', nbf: 0, exp: 3600 },
      { name: 'a:u1' },
    ],
  ] as const)
    it(`the user that results from a token has ${what}`, () => {
      const user = userOf(changes, { sub: 'u1', ...claims });
      assert.ok(typeof user !== 'string', String(user));
      assert.deepEqual({ ...user, ...expected }, user);
    });

  for (const [what, changes, claims, reason] of [
    ['the claim of the user name is missing', {}, { sub: undefined }, /user name is not a string/],
    [
      'the user name is empty',
      mapped({ username: { expression: "''" } }),
      {},
      /user name is not a string, or is empty/,
    ],
    ['the user name is a number', mapped({ username: { expression: '1' } }), {}, /user name is not a string/],
    ['the uid is a number', mapped({ uid: { claim: 'id' } }), { id: 7 }, /the uid is not a string/],
    [
      'a group is a number',
      mapped({ groups: { claim: 'g', prefix: '' } }),
      { g: ['a', 1] },
      /claim "g" is not a list/,
    ],
    [
      'an expression has an error',
      mapped({ uid: { expression: 'claims.none' } }),
      {},
      /claims\.none: no such key: none/,
    ],
    [
      'the e-mail address is not verified',
      mapped({ username: { claim: 'email', prefix: '' } }),
      { email: 'a@b.c', email_verified: false },
      /e-mail address is not verified/,
    ],
    [
      'a claim has another value',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'x' }] },
      { hd: ['x'] },
      /^claim "hd" does not have the required value$/,
    ],
    [
      'a condition over claims is false',
      { claimValidationRules: [{ expression: "claims.hd == 'x'", message: 'hd must be x' }] },
      { hd: 'y' },
      /^hd must be x$/,
    ],
    [
      'a condition over the user is false',
      {
        userValidationRules: [{ expression: "user.groups.all(g, g != 'root')" }],
        ...mapped({ groups: { claim: 'g', prefix: '' } }),
      },
      { g: ['root'] },
      /^the condition user\.groups\.all\(g, g != 'root'\) is false$/,
    ],
    [
      'an expression costs too much',
      { claimValidationRules: [{ expression: pairs(0) }] },
      { list: Array(400).fill('x'.repeat(30)) },
      /cost limit exceeded$/,
    ],
    [
      'the expressions cost too much together',
      { claimValidationRules: Array.from({ length: 6 }, (_, n) => ({ expression: pairs(n) })) },
      { list: Array(180).fill('x'.repeat(30)) },
      /^the expressions cost too much$/,
    ],
  ] as const)
    it(`the user of claims is refused when ${what}`, () => {
      const outcome = userOf(changes, { sub: 'u1', ...claims } as JsonObject);
      assert.match(typeof outcome === 'string' ? outcome : JSON.stringify(outcome), reason);
    });
});
