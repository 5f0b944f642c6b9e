import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { unpackedProject } from './project.ts';

const LEAST_CALLS = 60;

const project = await unpackedProject();

/** The blocks of code of the API reference of a package, with the page that they are on. */
const declarations = (name: string): readonly (readonly [string, string])[] =>
  globSync('reference/*.md', { cwd: project.package(name) }).flatMap((page) =>
    [...readFileSync(join(project.package(name), page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
      ([, text = '']) => [page, text] as const,
    ),
  );

/** A parameter that is a signal, and what follows it. */
const parameter = /(?<!readonly )\bsignal\??: AbortSignal(?<after>[^\n]*)/g;

/** What a call is given as a value: its options. Others are given by the library, as the leadership to its work. */
const options = /^(?:export )?(?:interface|type) \w+Options\b.*\breadonly signal\??: AbortSignal/s;

/** A signal within an object that is a parameter of a function. */
const inParameter = /^function [^;]*\{[^}]*readonly signal\??: AbortSignal[^}]*\}[^;]*\): /s;

describe('signals in the API of the packages', () => {
  after(() => project[Symbol.dispose]());

  for (const source of ['client', 'testing'])
    it(`every call of ${source} that takes a signal has it as its last parameter, and none in its options`, () => {
      const texts = declarations(project.nameOf(source));
      const calls = texts.flatMap(([page, text]) =>
        [...text.matchAll(parameter)].map((match) => ({ page, text, after: match.groups?.['after'] ?? '' })),
      );
      assert.ok(calls.length >= LEAST_CALLS, `${calls.length} calls were found`);
      // An interceptor passes the request on with the signal that it was given.
      const isLast = ({ after: rest }: { readonly after: string }): boolean =>
        rest.startsWith(')') || rest.startsWith(', send: ');
      assert.deepEqual(
        calls.filter((call) => !isLast(call)).map(({ page, text }) => `${page}: ${text}`),
        [],
      );
      assert.deepEqual(
        texts.filter(([, text]) => options.test(text) || inParameter.test(text)).map(([, text]) => text),
        [],
      );
    });
});
