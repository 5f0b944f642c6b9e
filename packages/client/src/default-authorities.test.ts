import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const module = join(import.meta.dirname, 'default-authorities.ts');

/** The number of authorities in a process with these flags that runs this statement first. */
async function authoritiesIn(
  flags: readonly string[],
  first: string,
  name: 'defaultAuthorities' | 'listedAuthorities' = 'defaultAuthorities',
): Promise<string> {
  const script = `${first}; const { ${name} } = await import(${JSON.stringify(module)}); console.log(${name}()?.length)`;
  const argv = [...flags, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: {} });
  return stdout.trim();
}

describe('Authorities of connections without their own', () => {
  it('a usual process trusts the authorities of the runtime', async () => {
    assert.equal(await authoritiesIn([], ''), 'undefined');
  });

  it('a program that has emptied the default store trusts the authorities that come with the runtime', async () => {
    const empty = "process.getBuiltinModule('node:tls').setDefaultCACertificates([])";
    for (const flags of [[], ['--use-openssl-ca']]) {
      const count = Number(await authoritiesIn(flags, empty));
      assert.ok(count > 50, String(count));
    }
  });

  it('a runtime that cannot list its authorities, such as Node 20, trusts its own', async () => {
    const older = "delete process.getBuiltinModule('node:tls').getCACertificates";
    assert.equal(await authoritiesIn([], older), 'undefined');
    assert.ok(Number(await authoritiesIn([], older, 'listedAuthorities')) > 50);
  });
});
