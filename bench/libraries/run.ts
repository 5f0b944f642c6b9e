/**
 * Compares modules of the project with libraries that replace them, or could, for docs/dependencies.md and docs/designs:
 * `scripts/node bench/libraries/run.ts`. First installs the libraries in this folder.
 */
import { execFileSync } from 'node:child_process';
import { certificates } from './certificates.ts';
import { etcd } from './etcd.ts';
import { httpClients } from './http-clients.ts';
import { logs } from './logs.ts';
import type { Comparison } from './measure.ts';
import { metrics } from './metrics.ts';
import { protobuf } from './protobuf.ts';
import { smallFormats } from './small-formats.ts';
import { socks } from './socks.ts';
import { tokens } from './tokens.ts';
import { undiciPromises } from './undici-promises.ts';
import { yaml } from './yaml.ts';

execFileSync(
  'npm',
  ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'],
  {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2);
const line = ({ what, ours, library, theirs, unit, note }: Comparison): string =>
  `| ${what} | ${ours === 0 ? '–' : `${number(ours)} ${unit}`} | ${library} | ${number(theirs)} ${unit} | ${note ?? ''} |`;

const rows = [
  ...(await metrics()),
  ...protobuf(),
  ...(await tokens()),
  ...yaml(),
  ...certificates(),
  ...socks(),
  ...smallFormats(),
  ...logs(),
  ...(await httpClients()),
  ...(await etcd()),
];
console.log('| what | ours | library | library | note |\n|---|---|---|---|---|');
console.log(rows.map(line).join('\n'));

console.log('\n| promise of the outbound client | undici |\n|---|---|');
for (const { promise, outcome } of await undiciPromises()) console.log(`| ${promise} | ${outcome} |`);
