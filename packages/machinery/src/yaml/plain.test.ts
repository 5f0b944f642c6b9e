import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseYaml } from './parse.ts';
import { parsePlainYaml } from './plain.ts';

/** Pieces of strings: each combination is read as the full parser reads it, or left to the full parser. */
const scalars = [
  'word',
  'https://127.0.0.1:6443',
  'LS0tLS1CRUdJTg==',
  'a/b',
  '/etc/ca.pem',
  '""',
  '"two words"',
  'true',
  'false',
  'null',
  '{}',
  '[]',
  'yes',
  'No',
  'y',
  'on',
  '1',
  '0x1',
  '1e3',
  '.inf',
  '~',
  '-',
  '- a',
  '"a\\n"',
  "'a'",
  'a: b',
  'a:',
  'a #b',
  'a#b',
  '*a',
  '&a b',
  '!t a',
  '|',
  '>',
  '{a: b}',
  '[a]',
  '2020-01-01',
  '%a',
  '@a',
  '`a',
  '?',
  '? a',
  '=',
  '<<',
  'a  b',
  'é',
  '"é"',
  '"\t"',
  'NaN',
  'a,b',
  ' a',
  'a ',
  '"a" b',
];
const frames: readonly ((value: string) => string)[] = [
  (value) => `a: ${value}`,
  (value) => `a:\n  b: ${value}\n  c: word`,
  (value) => `a:\n- ${value}\n- word`,
  (value) => `a:\n  - ${value}\n`,
  (value) => `a:\n- b: ${value}\n  c: word\n- d:\n    e: ${value}\nf: word\n`,
  (value) => `# note\n\na:\n${value}\n`,
  (value) => `a: word\n b: ${value}`,
  (value) => `a:\n    b: word\n  c: ${value}`,
  (value) => `- ${value}`,
  (value) => `-   a: ${value}\n    b: word`,
  (value) => `a: ${value}\na: word`,
  (value) => `${value}: word`,
  (value) => `---\na: ${value}`,
  (value) => `a: word\n---\nb: ${value}`,
  (value) => `a: word\n${value}`,
  (value) => `a: word\r\nb: ${value}\r\n`,
  (value) => `a:\n- b:\n  - ${value}\n  c:\n  - word`,
];

function fully(text: string): unknown {
  try {
    return { value: parseYaml(Buffer.from(text)) };
  } catch {
    return 'invalid';
  }
}

describe('The plain form of YAML', () => {
  it('the plain form of YAML is read as the full parser reads it, or left to it', () => {
    let read = 0;
    for (const frame of frames)
      for (const scalar of scalars) {
        const text = frame(scalar);
        const value = parsePlainYaml(text);
        if (value === undefined) continue;
        read += 1;
        assert.deepEqual({ value }, fully(text), text);
      }
    assert.ok(read > 100, String(read));
  });

  it('spaces and line breaks other than those of ASCII are left to the full parser', () => {
    for (const space of ['\ufeff', '\u00a0', '\u2028', '\t', '\r', '\f', '\0'])
      for (const text of [
        `- ${space}${space}es\n`,
        `a: b${space}\n`,
        `a:${space}b\n`,
        `${space}a: b\n`,
        `a: b\n${space}\n`,
      ])
        assert.equal(parsePlainYaml(text), undefined, JSON.stringify(text));
  });

  it('a client configuration as programs write it is plain', () => {
    const text = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
    server: https://127.0.0.1:6443
  name: local
contexts:
- context:
    cluster: local
    user: admin
  name: admin@local
current-context: admin@local
kind: Config
preferences: {}
users:
- name: admin
  user:
    client-key: /etc/admin.key
`;
    const value = parsePlainYaml(text);
    assert.notEqual(value, undefined);
    assert.deepEqual(value, parseYaml(Buffer.from(text)));
  });

  it('a mapping that is nested too deeply is left to the full parser', () => {
    const text = Array.from({ length: 10_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    assert.equal(parsePlainYaml(text), undefined);
  });
});
