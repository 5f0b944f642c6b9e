import { globSync } from 'node:fs';

/** The files below `root` that name images. */
export function imageFiles(root: string): readonly string[] {
  return globSync(['Dockerfile', 'deploy/**/*Dockerfile', 'docker-compose.yml'], { cwd: root }).sort();
}

/** An image with its tag and its digest; the first group is the image with the tag. */
export const pinnedImage = /\b([a-z0-9][\w./-]*:[\w.-]+)@sha256:[0-9a-f]{64}\b/g;
