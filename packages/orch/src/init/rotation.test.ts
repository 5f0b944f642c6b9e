import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isSignedWith, readSigningKey, readTokenKeys, signToken } from '@orch/pki/jws';
import { StartError } from '@orch/program';
import { assertConsistent, certificatesOf, changedBy, InitFixture } from './testing/init-fixture.ts';

const HOUR_MS = 3_600_000;

describe('rotations of authorities', () => {
  for (const [id, file, leaves] of [
    ['serving', 'serving-ca', ['apiserver']],
    ['clients', 'client-ca', ['admin', 'controller-manager']],
    ['front-proxy', 'front-proxy-ca', ['front-proxy-client']],
  ] as const)
    it(`in every step of a rotation of ${id}, certificates of the step before are trusted by the files of the next one, and vice versa`, async () => {
      using init = new InitFixture();
      await init.run();
      const steps = [init.read()];
      for (const step of ['rotate', 'rotate-switch', 'rotate-finish']) {
        const { rotations } = await init.run(`--${step}=${id}`);
        assert.equal(rotations.length, step === 'rotate-finish' ? 0 : 1);
        assertConsistent(init.read());
        steps.push(init.read());
        assert.deepEqual(changedBy(await init.run()), [], 'a run without a step changes nothing');
        init.env.clock.advance(HOUR_MS);
      }
      assert.deepEqual(
        steps.map((files) => certificatesOf(files.get(`${file}.crt`) ?? '').length),
        [1, 2, 2, 1],
      );
      for (const [at, files] of steps.entries())
        for (const other of [steps[at - 1], steps[at + 1]])
          for (const leaf of leaves)
            if (other !== undefined) assert.ok(isTrusted(files.get(`${leaf}.crt`), other.get(`${file}.crt`)));
      const [first, , , last] = steps;
      for (const name of [`${file}.key`, ...leaves.map((leaf) => `${leaf}.key`)])
        assert.notEqual(first?.get(name), last?.get(name), `${name} is new`);
      assert.ok(!isTrusted(first?.get(`${leaves[0]}.crt`), last?.get(`${file}.crt`)));
    });

  it('a repeated step changes nothing, and a step before its time is refused without a change', async () => {
    using init = new InitFixture();
    await init.run('--rotate=clients');
    const prepared = init.read();
    assert.deepEqual(changedBy(await init.run('--rotate=clients')), []);
    await assert.rejects(init.run('--rotate-switch=clients'), StartError);
    await assert.rejects(init.run('--rotate-finish=clients', '--rotate-wait=0s'), StartError);
    assert.deepEqual(init.read(), prepared);
    await init.run('--rotate-switch=clients', '--rotate-wait=0s');
    const switched = init.read();
    assert.deepEqual(changedBy(await init.run('--rotate-switch=clients')), []);
    await assert.rejects(init.run('--rotate-finish=clients'), StartError);
    await assert.rejects(init.run('--rotate=clients', '--rotate-wait=0s'), StartError);
    assert.deepEqual(init.read(), switched);
  });

  it('authorities that an operator added to a bundle remain in it', async () => {
    using init = new InitFixture();
    using other = new InitFixture();
    await init.run();
    await other.run();
    const added = other.text('client-ca.crt');
    writeFileSync(init.path('client-ca.crt'), init.text('client-ca.crt') + added);
    for (const step of ['rotate', 'rotate-switch', 'rotate-finish'])
      await init.run(`--${step}=clients`, '--rotate-wait=0s');
    assert.equal(certificatesOf(init.text('client-ca.crt')).length, 2);
    assert.ok(init.text('client-ca.crt').includes(added));
    assertConsistent(init.read());
  });

  it('a rotation whose new authority was removed from the folder is refused', async () => {
    using init = new InitFixture();
    await init.run('--rotate=serving');
    writeFileSync(init.path('serving-ca.next.key'), 'rubbish');
    for (const argv of [[], ['--rotate-switch=serving', '--rotate-wait=0s']])
      await assert.rejects(init.run(...argv), /serving-ca\.next\.key contains no private key/);
  });
});

describe('the rotation of the key of tokens', () => {
  it('in every step, tokens of the step before are verified by the keys of the next one, and vice versa', async () => {
    using init = new InitFixture();
    await init.run();
    const steps = [init.read()];
    for (const step of ['rotate', 'rotate-switch', 'rotate-finish']) {
      await init.run(`--${step}=service-account`);
      assertConsistent(init.read());
      steps.push(init.read());
      init.env.clock.advance(HOUR_MS);
    }
    for (const [at, files] of steps.entries())
      for (const other of [steps[at - 1], files, steps[at + 1]])
        if (other !== undefined) assert.ok(await isVerified(files, other), `step ${at}`);
    const [first, , , last] = steps;
    assert.ok(first !== undefined && last !== undefined && !(await isVerified(first, last)));
  });
});

type Files = ReadonlyMap<string, string>;

function isTrusted(leaf = '', bundle = ''): boolean {
  const certificate = new X509Certificate(leaf);
  return certificatesOf(bundle).some((one) => certificate.verify(new X509Certificate(one).publicKey));
}

async function isVerified(signing: Files, checking: Files): Promise<boolean> {
  const key = readSigningKey(signing.get('service-account.key') ?? '');
  assert.ok(key !== undefined);
  const token = await signToken({ sub: 'x' }, key);
  const known = readTokenKeys(checking.get('service-account.pub') ?? '');
  return (await Promise.all(known.map((one) => isSignedWith(token, one)))).includes(true);
}
