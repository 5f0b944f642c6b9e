import type { FuzzTarget } from '../target.ts';

const modules = {
  backup: () => import('./backup.ts'),
  cbor: () => import('./cbor.ts'),
  cel: () => import('./cel.ts'),
  'client-config': () => import('./client-config.ts'),
  definitions: () => import('./definitions.ts'),
  'field-sets': () => import('./field-sets.ts'),
  http1: () => import('./http1.ts'),
  json: () => import('./json.ts'),
  'json-path': () => import('./json-path.ts'),
  jwt: () => import('./jwt.ts'),
  patches: () => import('./patches.ts'),
  patterns: () => import('./patterns.ts'),
  protobuf: () => import('./protobuf.ts'),
  'request-target': () => import('./request-target.ts'),
  scalars: () => import('./scalars.ts'),
  selectors: () => import('./selectors.ts'),
  x509: () => import('./x509.ts'),
  yaml: () => import('./yaml.ts'),
} as const satisfies Readonly<Record<string, () => Promise<{ readonly target: FuzzTarget }>>>;

export type TargetName = keyof typeof modules;
export const targetNames = Object.keys(modules) as TargetName[];

/** The target of a name; its modules are loaded now. */
export const loadTarget = async (name: TargetName): Promise<FuzzTarget> => (await modules[name]()).target;
