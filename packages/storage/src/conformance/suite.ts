import { describe, it } from 'node:test';
import { commitCases } from './commit-cases.ts';
import { compactionCases } from './compaction-cases.ts';
import { equivalenceCases } from './equivalence-cases.ts';
import { expiryCases } from './expiry-cases.ts';
import { type Case, Fixture } from './fixture.ts';
import { guardCases } from './guard-cases.ts';
import { identicalCases } from './identical-cases.ts';
import { lifecycleCases } from './lifecycle-cases.ts';
import { linearizabilityCases } from './linearizability-cases.ts';
import { listCases } from './list-cases.ts';
import type { OpenedStore } from './opened-store.ts';
import { scanCases } from './scan-cases.ts';
import { sideWriteCases } from './side-write-cases.ts';
import { valueCases } from './value-cases.ts';
import { watchCases } from './watch-cases.ts';

const SECTIONS: readonly (readonly [string, readonly Case[]])[] = [
  ['commit', commitCases],
  ['guarded commit', guardCases],
  ['commit with further keys', sideWriteCases],
  ['identical commits', identicalCases],
  ['list', listCases],
  ['scan', scanCases],
  ['watch', watchCases],
  ['compaction', compactionCases],
  ['values and keys', valueCases],
  ['expiry', expiryCases],
  ['lifecycle', lifecycleCases],
  ['equivalence with the model', equivalenceCases],
  ['linearizability', linearizabilityCases],
];

const CASE_TIMEOUT_MS = 60_000;

/**
 * Checks the promises of `Store` on one implementation. `open` is called for every case and must return an empty
 * prefix; `skip` maps titles to the reason why a case does not apply to the implementation. An unknown title in `skip`
 * is an error, so that a renamed case is not skipped by accident.
 */
export function describeStore(
  name: string,
  open: () => Promise<OpenedStore>,
  skip: Readonly<Record<string, string>> = {},
): void {
  const titles = new Set(SECTIONS.flatMap(([, cases]) => cases.map(([title]) => title)));
  for (const title of Object.keys(skip)) {
    if (!titles.has(title)) throw new Error(`describeStore: there is no case "${title}" to skip`);
  }
  describe(`${name} store`, () => {
    for (const [section, cases] of SECTIONS) {
      describe(section, () => {
        for (const [title, check] of cases) {
          it(title, { timeout: CASE_TIMEOUT_MS, skip: skip[title] ?? false }, async () => {
            await using opened = await open();
            await check(new Fixture(opened));
          });
        }
      });
    }
  });
}
