import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from '@orch/testkit';
import { imageFiles, pinnedImage } from './image-files.ts';
import { root } from './source-files.ts';

/** The images that a file names, as written; stages of the same file, and images that are built here, are none. */
function imagesIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const named = [...text.matchAll(/^\s*(?:FROM|image:)\s+(\S+)(?:\s+AS\s+(\S+))?/gm)];
  const stages = new Set(named.map(([, , stage]) => stage));
  return named
    .map(([, image = '']) => image)
    .filter((image) => !stages.has(image) && !image.endsWith(':local'));
}

describe('images in Dockerfiles and docker-compose.yml', () => {
  const files = imageFiles(root);

  it('files with images are found', () => {
    assert.deepEqual(files, ['Dockerfile', 'deploy/compose/etcd.Dockerfile', 'docker-compose.yml']);
  });

  for (const file of files)
    it(`${file} pins each image by digest`, () => {
      const images = imagesIn(file);
      assert.ok(images.length > 0);
      assert.deepEqual(
        images.filter((image) => image.replace(pinnedImage, '') !== ''),
        [],
      );
    });

  it('an image has the same digest in all files', () => {
    const pins = files.flatMap(imagesIn);
    const byImage = Map.groupBy(new Set(pins), (pin) => pin.split('@')[0]);
    assert.deepEqual(
      [...byImage.values()].filter((each) => each.length > 1),
      [],
    );
  });

  it('the script that pins images writes the digests that the registry reports, and with --check only reports them', async () => {
    using folder = temporaryFolder();
    const digest = `sha256:${'ab'.repeat(32)}`;
    for (const file of files) cpSync(join(root, file), join(folder.path, file), { recursive: true });
    // In place of the program that asks registries.
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'skopeo'), `#!/bin/sh\necho ${digest}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const pin = (...args: readonly string[]) =>
      run(process.execPath, [join(root, 'scripts/pin-images.ts'), ...args, folder.path], { env });
    const text = (): string => files.map((file) => readFileSync(join(folder.path, file), 'utf8')).join('');
    const before = text();

    const checked = await pin('--check');
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /Dockerfile: debian:bookworm-slim is now sha256:abab/);
    assert.equal(text(), before);

    assert.equal((await pin()).code, 0);
    assert.equal(text(), before.replace(/sha256:[0-9a-f]{64}/g, digest));
    assert.equal((await pin('--check')).code, 0);
  });
});
