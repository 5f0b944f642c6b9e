import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { middle } from '../../lib/compared.ts';
import { type BenchContext, subjectOf } from '../../lib/context.ts';
import { bigFields, numbered, seedDefinitions } from '../../lib/many-definitions.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { timeToReady } from '../startup.ts';

const DEFINITIONS = 1000;
const GROUPS = 50;
const TURNS = 7;

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

async function startWith(dataDir: string, certDir: string): Promise<Start> {
  const { ms, cpuMs, server } = await timeToReady(dataDir, certDir);
  await server[Symbol.asyncDispose]();
  return { ms, cpuMs };
}

async function seed(dataDir: string, certDir: string): Promise<void> {
  const { server } = await timeToReady(dataDir, certDir);
  const definitions = Array.from({ length: DEFINITIONS }, (_, i) => numbered(i, GROUPS, bigFields()));
  await seedDefinitions(subjectOf(server), definitions);
  await server.process.stop('SIGTERM');
  await server[Symbol.asyncDispose]();
}

/** Start to `/readyz` 200 on the embedded store with many definitions, beyond that on one without. */
export async function customStart({ certDir, folder }: BenchContext): Promise<readonly BenchResult[]> {
  const full = mkdtempSync(join(folder, 'definitions-'));
  const empty = mkdtempSync(join(folder, 'no-definitions-'));
  await startWith(empty, certDir);
  await seed(full, certDir);
  const withDefinitions: Start[] = [];
  const without: Start[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    withDefinitions.push(await startWith(full, certDir));
    without.push(await startWith(empty, certDir));
  }
  const row = (unit: string, of: (start: Start) => number): BenchResult => {
    const [many, none] = [withDefinitions.map(of), without.map(of)];
    return {
      what: `start to /readyz 200, embedded, ${DEFINITIONS} definitions of 50 kB, beyond an empty start, ${unit}`,
      unit,
      value: middle(many) - middle(none),
      target: 1500,
      onReference: true,
      note: `medians of ${TURNS} starts: ${range(many)} and empty ${range(none)}`,
    };
  };
  return [row('ms', ({ ms }) => ms), row('ms CPU', ({ cpuMs }) => cpuMs)];
}

const range = (values: readonly number[]): string =>
  `${middle(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
