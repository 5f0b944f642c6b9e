import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from '../../lib/context.ts';
import { againstFloor, type BenchResult } from '../../lib/measure.ts';
import { type Caller, type Clients, type Cost, costOf, meanCosts } from './callers.ts';

/** Processes of each command, in turns. */
const STARTS = 30;
const COLD_STARTS = 10;

/** The same request with the modules of Node alone: the minimum for a program that runs on Node. */
const BARE_REQUEST = `
  const { url, ...tls } = JSON.parse(require('node:fs').readFileSync(process.env.REQUEST, 'utf8'));
  require('node:https').get(url, { ...tls, agent: false }, (response) => {
    if (response.statusCode !== 200) process.exitCode = 1;
    response.resume();
  });`;

const none: Cost = { cpuMs: 0, wallMs: 0 };

/** Short commands beside Node alone, and beside kubectl where there is one. */
export function starts(clients: Clients, subject: Subject, folder: string): readonly BenchResult[] {
  const { bundled, executable, kubectl } = clients;
  const get = ['get', 'pods', '--namespace=default'];
  const gets = { ownFile: bundled(...get), own: executable?.(...get), kubectl: kubectl?.(...get) };
  // The first command of each client fills its discovery cache.
  for (const caller of Object.values(gets)) if (caller !== undefined) costOf(caller);
  const node: Caller = { argv: [process.execPath, '-e', '0'], environment: {} };
  const warm = meanCosts(STARTS, {
    node,
    request: bareRequest(subject, join(folder, 'request.json')),
    version: bundled('version', '--client'),
    ownVersion: executable?.('version', '--client'),
    ...gets,
  });
  const { node: bare = none, request = none, version = none, ownVersion, ownFile = none } = warm;
  const floorNote = 'floor: node -e 0';
  return [
    againstFloor('orchctl version of the client', 'ms CPU', {
      ...{ value: version.cpuMs, floor: bare.cpuMs, factor: 1.5, note: floorNote },
    }),
    ...(ownVersion === undefined
      ? []
      : [
          againstFloor('orchctl version of the client, by the executable', 'ms CPU', {
            ...{ value: ownVersion.cpuMs, floor: bare.cpuMs, factor: 1.5, note: floorNote },
          }),
        ]),
    {
      what: 'orchctl get pods',
      unit: 'ms CPU',
      value: ownFile.cpuMs,
      floor: bare.cpuMs,
      ratio: ownFile.cpuMs / bare.cpuMs,
      target: bare.cpuMs + 200,
      allowance: 200,
      note: `${floorNote}; the target is the floor and 200 ms of the reference machine`,
    },
    ...besideKubectl('orchctl get pods, beside kubectl', warm, request),
    ...onNode(warm),
    ...(executable === undefined
      ? []
      : besideKubectl('orchctl get pods without a cache, beside kubectl', withoutCaches(clients, gets))),
  ];
}

function withoutCaches(
  { caches }: Clients,
  gets: Readonly<Record<'ownFile' | 'own' | 'kubectl', Caller | undefined>>,
): Gets {
  return meanCosts(COLD_STARTS, gets, () => {
    for (const cache of caches) rmSync(cache, { recursive: true, force: true });
  });
}

type Gets = Readonly<Partial<Record<'ownFile' | 'own' | 'kubectl', Cost>>>;

/** The executable beside kubectl, or the file for Node where there is no executable. */
function besideKubectl(what: string, costs: Gets, request?: Cost): readonly BenchResult[] {
  const { ownFile = none, own = ownFile, kubectl } = costs;
  if (kubectl === undefined) return [];
  const both = (cost: Cost): string => `${cost.cpuMs.toFixed(1)} ms CPU, ${cost.wallMs.toFixed(1)} ms in all`;
  const notes = [
    `in all ${own.wallMs.toFixed(1)} ms beside ${kubectl.wallMs.toFixed(1)} ms`,
    own === ownFile ? 'on Node: the executable was not built' : `by the executable; on Node ${both(ownFile)}`,
    ...(request === undefined ? [] : [`Node alone with one HTTPS request ${both(request)}`]),
  ];
  return [
    againstFloor(what, 'ms CPU', {
      value: own.cpuMs,
      floor: kubectl.cpuMs,
      factor: 1,
      note: notes.join('; '),
    }),
  ];
}

/** 110 ms where kubectl takes 84: Node alone with one request takes as long as kubectl. */
function onNode({ ownFile = none, kubectl }: Gets): readonly BenchResult[] {
  if (kubectl === undefined) return [];
  const note = `the file on Node; in all ${ownFile.wallMs.toFixed(1)} ms beside ${kubectl.wallMs.toFixed(1)} ms`;
  return [
    againstFloor('orchctl get pods on Node, beside kubectl', 'ms CPU', {
      ...{ value: ownFile.cpuMs, floor: kubectl.cpuMs, factor: 110 / 84, note },
    }),
  ];
}

function bareRequest({ server: { config } }: Subject, file: string): Caller {
  const [ca, cert, key] = [config.ca, config.cert, config.key].map(String);
  const url = `${config.server}/api/v1/namespaces/default/pods?limit=500`;
  writeFileSync(file, JSON.stringify({ url, ca, cert, key }));
  return { argv: [process.execPath, '-e', BARE_REQUEST], environment: { REQUEST: file } };
}
