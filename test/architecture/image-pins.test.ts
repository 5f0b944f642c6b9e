import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
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
});
